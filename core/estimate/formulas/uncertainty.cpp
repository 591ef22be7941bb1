// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/exact.h"
#include "core/catalog/empirical.h"
#include "core/estimate/formulas/levels.h"
#include "core/estimate/formulas/measured_bands.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/rollout.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace vramscope {

namespace {

/// Collects by how much a sum may be too high or too low. Parts of one source depend on the same
/// constant or the same formula: where one errs, all do, so their deviations add up as they are.
/// Sources are independent: deviations of several add as the root of the squares.
class Deviation
{
public:
    void add(std::string_view source, double below, double above)
    {
        const auto same = [&](const Group &group) { return group.source == source; };
        auto group = std::ranges::find_if(m_groups, same);
        if (group == m_groups.end())
            group = m_groups.insert(m_groups.end(), {source, 0, 0});
        group->below += below;
        group->above += above;
    }

    /// A part's own spread; a part without a measurement may have a common deviation.
    void add(const Component &component, double factor = 1)
    {
        const bool unchecked = component.spread == 0 && component.evidence == Evidence::Derived;
        const double spread =
            unchecked ? empirical(Measured::UncheckedFormula).spread() : component.spread;
        const double bytes = spread * factor * static_cast<double>(component.bytes);
        if (bytes > 0)
            add(component.source, bytes, bytes);
    }

    /// The band around a figure, narrowed on both sides alike where it is too wide, and from
    /// `least` on: less than the tensors and the fixed memory is impossible.
    void bandAround(Bytes figure, Bytes least, Bytes &low, Bytes &high) const
    {
        const auto [below, above] = sides();
        // The factor k at which k (above + below) / 2 is that part of the middle, which moves as
        // well.
        const double middle = static_cast<double>(figure);
        const double excess = (above + below) / 2 - kWidestBand * (above - below) / 2;
        const double drawnIn = std::min(1.0, kWidestBand * middle / std::max(excess, 1.0));
        low = std::max(figure - static_cast<Bytes>(below * drawnIn), least);
        high = (Exact(figure) + static_cast<Bytes>(above * drawnIn)).value();
    }

    struct Sides
    {
        double below;
        double above;
    };
    [[nodiscard]] Sides sides() const
    {
        Sides squares = {0, 0};
        for (const Group &group : m_groups) {
            squares.below += group.below * group.below;
            squares.above += group.above * group.above;
        }
        return {std::sqrt(squares.below), std::sqrt(squares.above)};
    }

private:
    struct Group
    {
        std::string_view source;
        double below;
        double above;
    };
    std::vector<Group> m_groups;
};

/// The frozen base of adapters: no data and no loss changes its bytes.
Bytes frozenOf(const Settings &s, const std::vector<Component> &components)
{
    if (s.adapters.kind != AdapterKind::Lora || s.rollout || s.diffusion)
        return 0;
    Bytes sum = 0;
    for (const Component &component : components)
        if (component.category == Category::Parameters && !component.name.starts_with("Adapter"))
            sum += component.bytes;
    return sum;
}

/// The reserved factor's range, or the rounding of a stated one; settings that no document states;
/// and the allocator's segments, which no factor covers.
void addReserved(const Plan &plan, const Settings &s, const Estimate &result, Deviation &deviation)
{
    // For trainer and engine, the factor was applied to the part with slack.
    const Bytes slack = result.peakReserved - result.peakAllocated;
    const double allocated = s.rollout && s.reservedFactor > 1
                                 ? static_cast<double>(slack) / (s.reservedFactor - 1)
                                 : static_cast<double>(result.peakAllocated);
    if (plan.overheads.reservedFactor) {
        const Empirical &stated = empirical(Measured::ReservedStated);
        const double reserved = s.reservedFactor * allocated;
        deviation.add(stated.source, (stated.value - stated.low) * reserved,
                      (stated.high - stated.value) * reserved);
    } else {
        const Empirical &typical = typicalReserved(s);
        deviation.add(typical.source, (typical.value - typical.low) * allocated,
                      (typical.high - typical.value) * allocated);
    }
    if (s.workload == Workload::Training) {
        const Empirical &unsaid = empirical(Measured::UnsaidSettings);
        const double open = allocated - static_cast<double>(frozenOf(s, result.components()));
        deviation.add(unsaid.source, (unsaid.value - unsaid.low) * open,
                      (unsaid.high - unsaid.value) * open);
    }
    const Empirical &segments = empirical(Measured::AllocatorSegments);
    deviation.add(segments.source, segments.value - segments.low, segments.high - segments.value);
}

Bytes gradientsOf(const std::vector<Component> &components)
{
    Bytes sum = 0;
    for (const Component &component : components)
        if (component.category == Category::Gradients)
            sum += component.bytes;
    return sum;
}

/// Loops of PyTorch before 2.0 keep their gradients between steps unless configured otherwise, so
/// activations may add to them; where a plan does not say when they go, it can be more.
void addLastingGradients(const Plan &plan, const Settings &s, const Estimate &result,
                         Deviation &deviation)
{
    if (s.workload != Workload::Training || plan.optimizer.zeroGrad)
        return;
    Bytes all = 0;
    for (const Moment &moment : result.moments)
        all = std::max(all, gradientsOf(moment.components));
    const Bytes more = all - gradientsOf(result.components());
    deviation.add("zero_grad without set_to_none, the default before PyTorch 2.0; torch.optim docs",
                  0, static_cast<double>(more));
}

/// The range in which the figures of measured runs were.
void fillMeasured(const MeasuredBand &band, const Plan &plan, const Settings &s, Estimate &result)
{
    Deviation gradients;
    addLastingGradients(plan, s, result, gradients);
    const double more = gradients.sides().above;
    const auto fill = [&](Bytes figure, Bytes &low, Bytes &high) {
        const auto middle = static_cast<double>(figure);
        const double above = band.above * middle;
        low = figure - static_cast<Bytes>(band.below * middle);
        high = (Exact(figure) + Exact::ceiling(std::sqrt(above * above + more * more))).value();
    };
    fill(result.peakReserved, result.reservedLow, result.reservedHigh);
    fill(result.peakDevice, result.uncertaintyLow, result.uncertaintyHigh);
}

/// The pool shrinks by as much as the parts that it makes room for grow.
void fillPoolRange(const Deviation &givenWayTo, InferenceFigures &figures)
{
    const auto [below, above] = givenWayTo.sides();
    figures.kvCacheLow = std::max<Bytes>(figures.kvCacheLow - static_cast<Bytes>(above), 0);
    figures.kvCacheHigh = std::max<Bytes>(figures.kvCacheHigh + static_cast<Bytes>(below), 0);
}

} // namespace

void fillBands(const Plan &plan, const Settings &s, Estimate &result)
{
    if (leavesLoopOpen(plan) && result.bandWidenedBy.empty())
        result.bandWidenedBy = "neither a tool nor precision, optimizer and loss are stated";
    result.bandClass = bandClassOf(s, !result.bandWidenedBy.empty());
    if (result.bandClass.empty())
        result.bandWidenedBy.clear();
    if (const MeasuredBand *measured = measuredBand(result.bandClass)) {
        fillMeasured(*measured, plan, s, result);
        return;
    }
    // vLLM's pool gets what the rest of its share leaves: more activations make less cache, and
    // neither level moves.
    const bool hasPool =
        s.rollout ? result.peakPhase == StepPhase::Generate : result.inference.has_value();
    const bool poolGivesWay = hasPool && s.engine == Engine::Vllm && s.kvCacheMemoryBytes < 0;
    Deviation deviation;
    const bool weightsGiveWay = hasPool && s.engine == Engine::Sglang;
    const auto isOfEngine = [&](const Component &component) {
        return !s.rollout || component.name.starts_with(kOfEngine);
    };
    const auto isSettled = [&](const Component &component) {
        return isOfEngine(component) &&
               (poolGivesWay ||
                (weightsGiveWay && (component.category == Category::Parameters ||
                                    component.category == Category::KeyValueCache)));
    };
    Deviation pool; // of the parts that the pool makes room for
    for (const Component &component : result.components()) {
        if (!isSettled(component))
            deviation.add(component, s.reservedFactor);
        else if (component.category != Category::Parameters &&
                 component.category != Category::KeyValueCache)
            pool.add(component);
    }
    addReserved(plan, s, result, deviation);
    addLastingGradients(plan, s, result, deviation);
    deviation.bandAround(result.peakReserved, result.peakAllocated, result.reservedLow,
                         result.reservedHigh);
    const bool graphsWithin = vllmRelease(s).graphs == GraphMemory::WithinShare;
    const auto givesWay = [&](const Component &component) {
        return poolGivesWay && isOfEngine(component) &&
               (component.name.ends_with(kOutsidePyTorch) ||
                (component.name.ends_with(kCudaGraphs) && graphsWithin));
    };
    for (const Component &component : result.outside)
        (givesWay(component) ? pool : deviation).add(component);
    if (poolGivesWay && !s.rollout)
        fillPoolRange(pool, *result.inference);
    const Bytes beside = result.peakDevice - result.peakReserved;
    deviation.bandAround(result.peakDevice, result.peakAllocated + beside, result.uncertaintyLow,
                         result.uncertaintyHigh);
}

} // namespace vramscope
