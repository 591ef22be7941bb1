// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_bars.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

StackedBars scenarioBars(std::span<const NamedEstimate> scenarios)
{
    StackedBars bars;
    if (scenarios.empty())
        return bars;
    const Estimate &first = *scenarios.front().estimate;
    bars.capacity = first.capacity;
    if (!first.computed)
        bars.emptyText = u"not computed"_s;
    for (const NamedEstimate &scenario : scenarios) {
        if (scenario.estimate->computed)
            bars.bars.push_back(
                {scenario.name, partBytes(*scenario.estimate, scenario.estimate->peakMoment)});
    }
    return bars;
}

StackedBars momentBars(const Estimate &estimate)
{
    StackedBars bars;
    bars.capacity = estimate.capacity;
    if (!estimate.computed) {
        bars.emptyText = u"not computed"_s;
        return bars;
    }
    for (std::size_t moment = 0; moment < estimate.moments.size(); ++moment) {
        QString name = toQString(estimate.moments[moment].name);
        if (!name.isEmpty())
            name[0] = name[0].toUpper();
        StackedBar bar{name, partBytes(estimate, moment)};
        bar.parts[kOutsidePart] = 0; // moments are compared by what is allocated
        bars.bars.push_back(bar);
    }
    bars.marked = static_cast<int>(estimate.peakMoment);
    return bars;
}

} // namespace vramscope
