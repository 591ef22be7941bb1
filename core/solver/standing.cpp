// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/standing.h"

#include "core/base/exact.h"

#include <algorithm>

namespace vramscope {

std::optional<Standing> standingOf(const Plan &plan)
{
    const Estimate it = estimate(plan);
    if (!it.computed || !it.headroom || it.components().empty())
        return std::nullopt;
    const auto largest = std::ranges::max_element(it.components(), {}, &Component::bytes);
    return Standing{it.peakAllocated,
                    it.peakReserved,
                    it.peakDevice,
                    it.peakAt,
                    *it.headroom,
                    *it.headroom >= 0 && cacheSuffices(resolve(plan).settings, it.inference),
                    it.inference ? it.inference->kvTokens : 0,
                    {largest->name, largest->category, largest->bytes, it.peakAt}};
}

bool cacheSuffices(const Settings &s, const std::optional<InferenceFigures> &figures)
{
    if (!figures || s.engine != Engine::Vllm)
        return true;
    const Exact blocks = dividedUp(Exact(s.meanSequenceLength), s.blockSize);
    const Exact sequences = Exact(s.concurrentSequences) * blocks * s.blockSize;
    return Exact(figures->kvTokens) >= std::max(Exact(s.maxModelLen), sequences);
}

std::vector<FieldSetting> changedFields(const Plan &before, const Plan &after)
{
    std::vector<FieldSetting> changed;
    for (const Field &field : planFields())
        if (FieldValue value = field.get(after); value != field.get(before))
            changed.push_back({field.path, std::move(value)});
    return changed;
}

} // namespace vramscope
