// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/field_control.h"
#include "ui/planner/field_row.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/support/theme.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QTabBar>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <vector>

using namespace vramscope;

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Plan startingPlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    return plan;
}

void pinFour(PlanPage &page)
{
    for (const char *checkpointing : {"full", "selective-op", "selective-attention", "none"}) {
        static_cast<void>(
            page.edit(*findField("activations.checkpointing"), std::string(checkpointing)));
        page.pinScenario();
    }
}

/// Of this thread: what a frame takes where nobody else computes.
Milliseconds processorTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Changes of one field: what the user goes through, over and over.
struct Changes
{
    FieldPath path;
    std::vector<FieldValue> values;
};

/// A field of each kind: sliders, choices, a switch, and those that bring other fields in or out.
std::vector<Changes> changesOfFields()
{
    std::vector<FieldValue> lengths;
    for (std::int64_t length = 128; length <= 1 << 20; length *= 2)
        lengths.emplace_back(length);
    const auto texts = [](std::initializer_list<const char *> choices) {
        return std::vector<FieldValue>(choices.begin(), choices.end());
    };
    const auto counts = [](std::initializer_list<std::int64_t> numbers) {
        return std::vector<FieldValue>(numbers.begin(), numbers.end());
    };
    return {
        {"batch.sequence_length", lengths},
        {"parallel.data", counts({8, 16, 32, 64})},
        {"parallel.cpu_offload", {FieldValue(true), FieldValue(false)}},
        {"precision.regime", texts({"pure-bf16", "fp32", "fsdp-mixed-bf16"})},
        {"parallel.strategy", texts({"ddp", "fsdp2"})},
        {"model.preset", texts({"qwen3-8b", "llama-3-8b"})},
    };
}

// From what a control of the form emits to the painted window.
nlohmann::json measured(PlanPage &page, const Changes &changes)
{
    constexpr std::size_t kSteps = 100;
    FieldControl *control = page.form()->row(changes.path)->control();
    std::vector<double> refreshes;
    std::vector<double> frames;
    std::vector<double> processor;
    for (std::size_t step = 0; step < kSteps; ++step) {
        const Milliseconds before = processorTime();
        const auto start = std::chrono::steady_clock::now();
        Q_EMIT control->edited(changes.values[step % changes.values.size()]);
        const auto refreshed = std::chrono::steady_clock::now();
        QApplication::processEvents();
        const auto painted = std::chrono::steady_clock::now();
        refreshes.push_back(Milliseconds(refreshed - start).count());
        frames.push_back(Milliseconds(painted - start).count());
        processor.push_back((processorTime() - before).count());
    }
    return {{"refresh_ms_median", quantile(refreshes, 0.5)},
            {"refresh_ms_p95", quantile(refreshes, 0.95)},
            {"frame_ms_median", quantile(frames, 0.5)},
            {"frame_ms_p95", quantile(frames, 0.95)},
            {"processor_ms_median", quantile(processor, 0.5)},
            {"processor_ms_p95", quantile(processor, 0.95)}};
}

} // namespace

// What a change of a field costs on the plan page, four scenarios pinned, with each page of the
// lower card in front: the new plan, its estimate and all widgets brought up to date, and with the
// frame painted.
int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setPalette(themePalette(lightTheme()));
    application.setStyleSheet(themeStyleSheet(lightTheme()));
    PlanPage page;
    page.resize(1600, 1000);
    page.setPlan(startingPlan(), {});
    page.show();
    pinFour(page);
    QTabBar *tabs = page.charts()->lower()->tabs();
    nlohmann::json result;
    for (int tab = 0; tab < tabs->count(); ++tab) {
        if (argc > 1 && tabs->tabText(tab) != QLatin1StringView(argv[1])) // of one page alone
            continue;
        tabs->setCurrentIndex(tab);
        QApplication::processEvents();
        for (const Changes &changes : changesOfFields())
            result[tabs->tabText(tab).toStdString()][std::string(changes.path)] =
                measured(page, changes);
    }
    std::cout << result << '\n';
    return 0;
}
