// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/stop_slider.h"
#include "ui/support/theme.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QTabBar>

#include <algorithm>
#include <chrono>
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

nlohmann::json measured(StopSlider *slider)
{
    constexpr int kSteps = 200;
    std::vector<double> refreshes;
    std::vector<double> frames;
    for (int step = 0; step < kSteps; ++step) {
        const auto start = std::chrono::steady_clock::now();
        slider->setValue(step % (slider->maximum() + 1));
        const auto refreshed = std::chrono::steady_clock::now();
        QApplication::processEvents();
        const auto painted = std::chrono::steady_clock::now();
        refreshes.push_back(Milliseconds(refreshed - start).count());
        frames.push_back(Milliseconds(painted - start).count());
    }
    return {{"refresh_ms_median", quantile(refreshes, 0.5)},
            {"refresh_ms_p95", quantile(refreshes, 0.95)},
            {"frame_ms_median", quantile(frames, 0.5)},
            {"frame_ms_p95", quantile(frames, 0.95)}};
}

} // namespace

// What a slider step costs on the plan page, four scenarios pinned, with each page of the lower
// card in front: the new plan, its estimate and all widgets brought up to date, and with the frame
// painted.
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
    auto *slider = page.form()->row("batch.sequence_length")->findChild<StopSlider *>();
    QTabBar *tabs = page.charts()->lower()->tabs();
    nlohmann::json result;
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QApplication::processEvents();
        result[tabs->tabText(tab).toStdString()] = measured(slider);
    }
    std::cout << result << '\n';
    return 0;
}
