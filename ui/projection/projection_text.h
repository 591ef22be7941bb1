// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/projected_plan.h"
#include "ui/charts/line_chart.h"
#include "ui/charts/trade_chart.h"

#include <QString>

namespace vramscope {

/// What is drawn over numbers of GPUs.
enum class ScaleMetric {
    SpeedOfOne,
    Speed,
    Speedup,
    Efficiency,
    Communication,
    Memory,
    GpuHours,
    Count
};

/// "Tokens/s a GPU", as a choice says it.
[[nodiscard]] QString metricTitle(ScaleMetric metric);

/// The points of a line that keeps either the batch of a GPU or that of the job.
[[nodiscard]] const std::vector<ScalePoint> &pointsOf(const ScaleLine &line, Scaling scaling);

/// A metric of all lines for a chart.
[[nodiscard]] ChartLines scaleLines(const ProjectedPlan &projected, Scaling scaling,
                                    ScaleMetric metric, ByteUnit unit);
/// Memory against GPU hours: the strategies that fit.
[[nodiscard]] TradePoints strategyPoints(const ProjectedPlan &projected, ByteUnit unit);

/// Why points of a line are missing and what its others rest on; rich, empty where there is nothing
/// to say.
[[nodiscard]] QString scaleRemarks(const ScaleLine &line, Scaling scaling);
/// The guide in paragraphs, rich.
[[nodiscard]] QString guideText(const StrategyGuide &guide);

/// "41,200", to three digits.
[[nodiscard]] QString roughText(double value);

} // namespace vramscope
