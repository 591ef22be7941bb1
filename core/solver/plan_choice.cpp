// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/plan_choice.h"

#include "core/estimate/verdict.h"
#include "core/plan/plan_json.h"
#include "core/projection/step_time.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace vramscope {

namespace {

using Reason = PlanChoice::Reason;

/// The costs of a plan; nothing where unknown.
struct PlanCost
{
    int verdict = 0;                ///< 0 fits, 1 is tight, 2 does not fit, 3 has no verdict
    std::optional<double> price;    ///< per token
    std::optional<double> gpuHours; ///< per token
    std::optional<double> free;     ///< share of the memory
    Workload workload = Workload::Training;
    std::string document; ///< orders plans of the same cost, independent of their order
};

PlanCost costOf(const PlanToChoose &one)
{
    const Estimate &it = *one.estimate;
    const Settings &s = *it.settings;
    PlanCost cost;
    const std::optional<Verdict> verdict = verdictOf(it);
    cost.verdict = verdict ? static_cast<int>(*verdict) : static_cast<int>(Verdict::DoesNotFit) + 1;
    cost.workload = s.workload;
    cost.document = planJson(*one.plan);
    if (it.computed && it.capacity && it.headroom && *it.capacity > 0)
        cost.free = static_cast<double>(*it.headroom) / static_cast<double>(*it.capacity);
    if (!it.computed)
        return cost;
    if (const Result<StepTime> time = projectStep(s, it.work)) {
        cost.gpuHours = time->gpuHours(1).likely;
        if (s.run.gpuHourPrice > 0)
            cost.price = *cost.gpuHours * s.run.gpuHourPrice;
    }
    return cost;
}

/// The first of the plans that `better` puts before all others, and the reason why it is before the
/// second.
class Chooser
{
public:
    explicit Chooser(std::span<const PlanToChoose> plans)
    {
        std::ranges::transform(plans, std::back_inserter(m_costs), costOf);
    }

    [[nodiscard]] PlanChoice choice() const
    {
        std::vector<std::size_t> left(m_costs.size());
        std::iota(left.begin(), left.end(), std::size_t(0));
        PlanChoice choice{best(left), 0, Reason::Alike};
        std::erase(left, choice.plan);
        if (left.empty())
            return choice;
        choice.second = best(left);
        choice.reason = reasonBetween(m_costs[choice.plan], m_costs[choice.second]);
        return choice;
    }

private:
    /// Two plans of the same verdict are compared by figures known of all of them.
    [[nodiscard]] std::size_t best(const std::vector<std::size_t> &places) const
    {
        const auto verdict = [&](std::size_t at) { return m_costs[at].verdict; };
        const int least = verdict(*std::ranges::min_element(places, {}, verdict));
        std::vector<std::size_t> left;
        std::ranges::copy_if(places, std::back_inserter(left),
                             [&](std::size_t at) { return verdict(at) == least; });
        const auto known = [&](auto member) {
            return std::ranges::all_of(left, [&](std::size_t at) {
                return (m_costs[at].*member).has_value() &&
                       m_costs[at].workload == m_costs[left.front()].workload;
            });
        };
        const bool byPrice = known(&PlanCost::price);
        const bool byHours = known(&PlanCost::gpuHours);
        return *std::ranges::min_element(left, {}, [&](std::size_t at) {
            const PlanCost &it = m_costs[at];
            return std::tuple(byPrice   ? *it.price
                              : byHours ? *it.gpuHours
                                        : 0,
                              -it.free.value_or(0), std::string_view(it.document));
        });
    }

    [[nodiscard]] static Reason reasonBetween(const PlanCost &a, const PlanCost &b)
    {
        const bool sameKind = a.workload == b.workload;
        if (a.verdict != b.verdict)
            return Reason::Fits;
        if (sameKind && a.price && b.price && *a.price != *b.price)
            return Reason::Price;
        if (sameKind && !(a.price && b.price) && a.gpuHours && b.gpuHours &&
            *a.gpuHours != *b.gpuHours)
            return Reason::GpuHours;
        if (a.free && b.free && a.free != b.free)
            return Reason::Headroom;
        const bool isKnown = sameKind && a.gpuHours && b.gpuHours;
        return isKnown || a.document == b.document ? Reason::Alike : Reason::Unknown;
    }

    std::vector<PlanCost> m_costs;
};

} // namespace

PlanChoice choosePlan(std::span<const PlanToChoose> plans)
{
    return Chooser(plans).choice();
}

} // namespace vramscope
