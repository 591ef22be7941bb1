// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/trace_pair.h"

#include "core/analysis/comparison/difference_tree.h"

namespace vramscope {

using namespace Qt::StringLiterals;

std::shared_ptr<const TracePair> compare(const PairSide &a, const PairSide &b,
                                         const Progress &progress)
{
    const auto isWanted = [&](double share) { return !progress || progress(share); };
    const auto pair = std::make_shared<TracePair>();
    pair->a = a;
    pair->b = b;
    const Trace &traceA = a.recorded();
    const Trace &traceB = b.recorded();
    pair->sites = compareSites({a.trace.shown(), a.event}, {b.trace.shown(), b.event},
                               partOf(progress, 0, 0.5));
    if (!isWanted(0.5))
        return pair;
    for (const ComparedSite &site : pair->sites) {
        pair->bytesA = wrappingSum(pair->bytesA, site.bytesA);
        pair->bytesB = wrappingSum(pair->bytesB, site.bytesB);
        pair->countA += site.countA;
        pair->countB += site.countB;
    }
    pair->settings = compareSettings(traceA, traceB);
    SiteStacks stacks = stacksOfSites(pair->sites, traceA, traceB);
    const auto tree = std::make_shared<StackTree>();
    if (isWanted(0.7))
        tree->tree = CallTree(*stacks.trace, stacks.byStack, CallTree::Direction::TopDown,
                              defaultFrameFilter(), partOf(progress, 0.7, 1));
    tree->trace = std::move(stacks.trace);
    pair->tree = tree;
    return pair;
}

std::array<std::string, 2> lettersOf(const TracePair &pair)
{
    return {letterOf(pair.a.at).toStdString(), letterOf(pair.b.at).toStdString()};
}

} // namespace vramscope
