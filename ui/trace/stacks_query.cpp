// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/stacks_query.h"

#include "core/analysis/categories/groups.h"
#include "core/analysis/replayed/usage_curve.h"

namespace vramscope {

std::shared_ptr<const StackTree> stackTree(const TraceDocument &document, const StacksQuery &query,
                                           const Progress &progress)
{
    const Study &device = *document.devices[query.device];
    const CostMeter meter(device.device(), device.allocations(), query.live,
                          device.curve().peakActiveEvent());
    std::span<const std::uint8_t> kept;
    if (query.kept)
        kept = *query.kept;
    FrameFilter filter = defaultFrameFilter();
    if (query.hideFramework)
        filter.rules.push_back({.hide = true, .origin = FrameOrigin::Framework, .pattern = {}});
    const auto result = std::make_shared<StackTree>();
    result->trace = document.trace;
    const std::vector<Costs> costs =
        costsByStack(*document.trace, meter, kept, partOf(progress, 0, 0.3));
    result->tree =
        CallTree(*document.trace, costs, query.direction, filter, partOf(progress, 0.3, 1));
    result->isTimed = meter.isTimed();
    return result;
}

bool isQuick(const TraceDocument &document, const StacksQuery &query)
{
    constexpr std::size_t kWorkOfAStack = 30; // in allocations, with some thirty frames
    constexpr std::size_t kQuick = 150'000;   // allocations in about 5 ms
    const std::size_t allocations = document.devices[query.device]->allocations().stack.size();
    return allocations + kWorkOfAStack * document.trace->stackCount() <= kQuick;
}

} // namespace vramscope
