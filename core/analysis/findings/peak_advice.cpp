// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"

#include <algorithm>
#include <initializer_list>

namespace vramscope {

namespace {

// Percent of the peak: a smaller saving is no advice.
constexpr Bytes kLeastSaving = 5;

class PeakAdviser
{
public:
    PeakAdviser(const Allocations &allocations, const UsageCurve &curve,
                const Categories &categories, const Leaks &leaks, const Peak &peak,
                const Progress &progress)
        : m_allocations(allocations)
        , m_curve(curve)
        , m_categories(categories)
        , m_leaks(leaks)
        , m_peak(peak)
        , m_progress(progress)
    {
    }

    OutOfMemoryAdvice advise()
    {
        using enum Category;
        m_advice.trains = m_peak.trains;
        for (const Peak::CategoryShare &share : m_peak.byCategory)
            m_advice.live.push_back({share.category, share.tally.bytes});
        addLeak();
        if (m_peak.trains) {
            add(Remedy::Kind::Checkpointing, {Activations});
            add(Remedy::Kind::FusedLoss, {LossAndLogits});
            add(Remedy::Kind::SmallerOptimizer, {OptimizerStates});
            if (m_peak.phase == Phase::Optimizer)
                add(Remedy::Kind::FusedOptimizer, {TemporaryBuffers});
        } else {
            add(Remedy::Kind::SmallerCache, {KeyValueCache}, 2);
        }
        add(Remedy::Kind::Sharding, {Parameters, Gradients});
        add(Remedy::Kind::SmallerBatch, {Activations, LossAndLogits}, 2);
        std::ranges::stable_sort(m_advice.remedies, std::ranges::greater(), &Remedy::bytes);
        return std::move(m_advice);
    }

private:
    /// Adds a remedy that takes away one part in `parts` of the memory of some categories.
    void add(Remedy::Kind kind, std::initializer_list<Category> categories, Bytes parts = 1)
    {
        const bool isThere = std::ranges::any_of(m_advice.live, [&](const LiveKind &live) {
            return isOneOf(live.category, categories) && isMuch(live.bytes / parts);
        });
        if (isThere)
            addWithout(kind, parts, [&](AllocationIndex index) {
                return isOneOf(m_categories.of(index).category, categories);
            });
    }

    void addLeak()
    {
        std::vector<StackId> stacks;
        for (const Growth &leak : m_leaks.leaks)
            stacks.push_back(leak.stack);
        if (!stacks.empty())
            addWithout(Remedy::Kind::Leak, 1, [&](AllocationIndex index) {
                return m_allocations.birth[index] > m_leaks.samples.front() &&
                       std::ranges::find(stacks, m_allocations.stack[index]) != stacks.end();
            });
    }

    template<class IsGone>
    void addWithout(Remedy::Kind kind, Bytes parts, IsGone isGone)
    {
        m_isStopped = m_isStopped || (m_progress && !m_progress(0));
        if (m_isStopped)
            return;
        const Bytes saved =
            std::max<Bytes>(wrappingDifference(m_peak.active, peakWithout(isGone, parts)), 0);
        if (isMuch(saved))
            m_advice.remedies.push_back({kind, saved, parts == 1, std::nullopt, std::nullopt});
    }

    static bool isOneOf(Category category, std::initializer_list<Category> categories)
    {
        return std::ranges::find(categories, category) != categories.end();
    }

    [[nodiscard]] bool isMuch(Bytes bytes) const
    {
        return Wide(bytes) * 100 >= Wide(m_peak.active) * kLeastSaving && bytes > 0;
    }

    /// The highest moment of the recording without that memory: another one than the peak may then
    /// have the most.
    template<class IsGone>
    [[nodiscard]] Bytes peakWithout(IsGone isGone, Bytes parts) const
    {
        const auto place = [](EventIndex event) { return static_cast<std::size_t>(event) + 1; };
        std::vector<Bytes> changes(place(m_curve.count()), 0);
        for (AllocationIndex index = 0; index < m_allocations.count(); ++index) {
            if (!isGone(index))
                continue;
            Bytes &born = changes[place(m_allocations.birth[index])];
            born = wrappingSum(born, m_allocations.size[index]);
            if (m_allocations.death[index] >= m_curve.count())
                continue;
            Bytes &died = changes[place(m_allocations.death[index])];
            died = wrappingDifference(died, m_allocations.size[index]);
        }
        Bytes live = 0;
        Bytes most = 0;
        for (EventIndex event = -1; event < m_curve.count(); ++event) {
            live = wrappingSum(live, changes[place(event)]);
            most = std::max(most, wrappingDifference(m_curve.active(event), live / parts));
        }
        return most;
    }

    const Allocations &m_allocations;
    const UsageCurve &m_curve;
    const Categories &m_categories;
    const Leaks &m_leaks;
    const Peak &m_peak;
    const Progress &m_progress;
    bool m_isStopped = false;
    OutOfMemoryAdvice m_advice;
};

} // namespace

OutOfMemoryAdvice adviseOnPeak(const Allocations &allocations, const UsageCurve &curve,
                               const Categories &categories, const Leaks &leaks, const Peak &peak,
                               const Progress &progress)
{
    return PeakAdviser(allocations, curve, categories, leaks, peak, progress).advise();
}

} // namespace vramscope
