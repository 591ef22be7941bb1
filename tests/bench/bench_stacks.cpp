// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "core/readers/read_trace.h"
#include "ui/stacks/flame_view.h"
#include "ui/stacks/stack_tree.h"
#include "ui/trace/stacks_view.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <iostream>

using namespace vramscope;

namespace {

constexpr int kFrames = 200;

// Milliseconds of each run: the middle one and that which 95 of 100 do not exceed.
template<class Work>
void timed(const char *name, int runs, Work work)
{
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        QElapsedTimer since;
        since.start();
        work(run);
        times.push_back(static_cast<double>(since.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::cout << ", \"" << name << "_ms\": " << at(0.5) << ", \"" << name
              << "_p95_ms\": " << at(0.95);
}

} // namespace

/// bench_stacks FILE: the call tree of one device, and frames of its flame graph at 1600 × 900
int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc != 2) {
        std::cerr << "usage: bench_stacks FILE\n";
        return 2;
    }
    const auto read = readTrace(argv[1]);
    if (!read.ok()) {
        std::cerr << read.error().text() << '\n';
        return 1;
    }
    const auto document = analyse(*read);
    StacksQuery query;
    query.device = document->mainDevice();
    const EventIndex events = document->devices[query.device]->curve().count();
    std::shared_ptr<const StackTree> tree;
    std::cout << "{\"events\": " << events << ", \"stacks\": " << (*read)->stackCount()
              << ", \"quick\": " << isQuick(*document, query);
    timed("tree", 7, [&](int run) {
        query.live = events / 8 * run;
        tree = stackTree(*document, query);
    });
    std::cout << ", \"nodes\": " << tree->tree.size();
    FlameView view;
    view.resize(1600, 900);
    const CostStyle style{.cost = Cost::Total};
    view.setTree(tree, style);
    view.show();
    QApplication::processEvents();
    QImage picture(1600, 900, QImage::Format_ARGB32_Premultiplied);
    const auto paint = [&] { view.render(&picture); };
    const auto node = [&](int run) {
        return static_cast<CallTree::NodeIndex>(tree->tree.size() * static_cast<std::size_t>(run) /
                                                kFrames);
    };
    timed("zoom", kFrames, [&](int run) {
        view.zoomTo(run % 2 == 0 ? CallTree::kRoot : node(run));
        paint();
    });
    view.zoomTo(CallTree::kRoot);
    timed("hover", kFrames, [&](int run) {
        view.select(node(run));
        paint();
    });
    timed("search", 20, [&](int) {
        view.setMatching(matchingFrames(*tree->trace, QStringLiteral("forward")));
        paint();
    });
    timed("new_tree", 20, [&](int) {
        view.setTree(tree, style);
        paint();
    });
    std::cout << "}\n";
    return 0;
}
