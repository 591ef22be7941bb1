// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/levels.h"

#include "core/planner/formulas/inference.h"
#include "core/planner/formulas/uncertainty.h"

#include <algorithm>

namespace vramscope {

namespace {

Bytes reservedFor(Bytes allocated, double factor)
{
    return std::max(allocated, Exact::ceiling(static_cast<double>(allocated) * factor).value());
}

void addOutside(Estimate &result, std::string_view name, Bytes bytes, std::string_view symbols,
                const Origin &origin)
{
    if (bytes <= 0)
        return;
    std::string formula = std::string(symbols) + " = ";
    appendCount(formula, bytes);
    result.outside.push_back({Category::Framework, std::string(name), bytes, std::move(formula),
                              std::string(origin.source), origin.evidence, origin.spread, 1});
}

/// A typical value has a range; one that the plan states is taken as it is.
Origin typical(const Empirical &constant, bool stated)
{
    if (stated)
        return {"As the plan states it", Evidence::Sourced};
    return {constant.source, Evidence::Empirical, constant.spread()};
}

/// What stands between allocated and device memory.
void fillOutside(const Plan &plan, const Settings &s, Estimate &result)
{
    Origin slack = typical(typicalReserved(s), plan.overheads.reservedFactor.has_value());
    slack.spread = 0; // its range is a part of the band by itself
    addOutside(result, "Allocator slack", result.peakReserved - result.peakAllocated,
               "(reserved_factor - 1) · allocated", slack);
    if (result.inference && s.engine == Engine::Vllm) {
        addOutside(result, kOutsidePyTorch, result.inference->nonTorch, "inference.non_torch_bytes",
                   typical(vllmNonTorch(s), s.nonTorchBytes >= 0));
        addOutside(result, "CUDA graphs", s.cudaGraphBytes, "inference.cuda_graph_bytes",
                   typical(empirical(Measured::VllmCudaGraphs),
                           plan.inference.cudaGraphBytes.has_value()));
        return;
    }
    addOutside(result, "CUDA context", s.contextBytes, "overheads.context_bytes",
               typical(empirical(Measured::CudaContext), plan.overheads.contextBytes.has_value()));
    addOutside(
        result, "NCCL communicators", s.ncclBytes, "overheads.nccl_bytes",
        typical(empirical(Measured::NcclCommunicator), plan.overheads.ncclBytes.has_value()));
}

} // namespace

void fillMoments(const Ledger &ledger, std::int64_t blocks, Estimate &result)
{
    const std::span<const Position> positions = ledger.positions();
    const std::span<const Exact> totals = ledger.totals();
    const std::span<const Exact> first = ledger.firstStepTotals();
    const auto largest = [&](std::span<const Exact> sums) {
        return static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
    };
    const std::size_t peak = largest(totals);
    const std::size_t firstPeak = largest(first);
    result.moments.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position &position = positions[i];
        const bool within = position.after || (position.at == At::Backward && position.block > 0 &&
                                               position.block < blocks - 1);
        // Loading is a moment of its own only where it takes more than stays.
        const bool passing = position.at == At::Load && totals[i] <= ledger.total(At::Rest);
        if (totals[i] == 0 || passing || (within && i != peak))
            continue;
        if (totals[i] > result.peakAllocated) {
            result.peakAllocated = totals[i].value();
            result.peakMoment = result.moments.size();
        }
        result.moments.push_back(
            {momentName(position, blocks), totals[i].value(), ledger.componentsAt(position)});
    }
    result.peakAt = result.moments[result.peakMoment].name;
    result.firstStepAllocated = first[firstPeak].value();
    result.firstStepAt = momentName(positions[firstPeak], blocks);
    result.atRest = ledger.total(At::Rest).value();
}

Exact deviceLevel(const Settings &s, Exact allocated)
{
    if (allocated.overflowed())
        return allocated;
    return Exact(reservedFor(allocated.value(), s.reservedFactor)) + s.contextBytes + s.ncclBytes;
}

void fillLevels(const Plan &plan, const Settings &s, Estimate &result)
{
    result.peakReserved = reservedFor(result.peakAllocated, s.reservedFactor);
    result.firstStepReserved = reservedFor(result.firstStepAllocated, s.reservedFactor);
    fillOutside(plan, s, result);
    Exact device = result.peakAllocated;
    for (const Component &component : result.outside)
        device += component.bytes;
    result.peakDevice = device.value();
    fillBands(plan, s, result);
    if (s.capacity > 0) {
        result.capacity = s.capacity;
        result.headroom = s.capacity - result.peakDevice;
        result.fits = *result.headroom >= 0;
    }
}

} // namespace vramscope
