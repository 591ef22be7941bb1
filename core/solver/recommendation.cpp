// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/recommendation.h"

#include "core/base/exact.h"
#include "core/projection/step_time.h"
#include "core/solver/edits.h"
#include "core/solver/lowered_number.h"
#include "core/solver/plan_evaluator.h"
#include "core/solver/tool_gaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

namespace vramscope {

namespace {

using Kind = Recommendation::Kind;
using Option = Recommendation::Option;

// Prices in thousandths: whole numbers, so that sums of equal parts are equal in any order.
constexpr std::array kTolls = {0.0, 20.0, 100.0, 1000.0, 350.0, 350.0, 2000.0}; ///< by Toll
constexpr double kSlow = 1; ///< from twice the time on
constexpr double kEachChange = 10;
constexpr std::array kFactors = {2, 4, 8}; ///< of fewer or more GPUs
constexpr double kMostWasted = 2;          ///< GPU hours on fewer GPUs, over those of the plan

/// The aim of a combination.
enum class Aim { Margin, Sure };

/// A combination of which only the price is known.
struct Candidate
{
    std::vector<std::size_t> changes; ///< indices into the table, rising
    double slowdown = 0;
    double price = 0; ///< in thousandths
    Toll toll = Toll::None;
    bool slow = false;
    bool sameWork = true; ///< as the plan's
};

/// In steps of half a per cent.
double slowdownSteps(const Candidate &it)
{
    return std::round(200 * it.slowdown);
}

/// Time of a token, where the catalogue has rates, and the work for it.
struct TokenCost
{
    std::optional<double> seconds;
    double work = 0;
};

TokenCost tokenCost(const Settings &s, const StepWork &work)
{
    TokenCost cost;
    if (const std::optional<double> seconds = likelySeconds(s, work))
        cost.seconds = *seconds / work.tokens;
    const double waits = work.hostLinkBytes + work.hostStateBytes > 0 ? 2 : 1;
    cost.work = work.flops * waits / std::max(work.tokens * (1 - work.bubbleShare), 1.0);
    return cost;
}

/// The share by which `it` is slower than `other`: by time, or by work where one has no rates.
double slowdownOf(const TokenCost &it, const TokenCost &other)
{
    const bool timed = it.seconds && other.seconds;
    const double mine = timed ? *it.seconds : it.work;
    const double theirs = timed ? *other.seconds : other.work;
    return theirs > 0 ? mine / theirs - 1 : 0;
}

/// All combinations of a plan's changes with its GPUs, and their needs as far as requested.
class Search
{
public:
    /// `reference`: the cost of a token in the plan that slowdowns are measured against; none: this
    /// one. `factor`: how many times its GPUs a combination may use.
    Search(const Plan &plan, const std::optional<TokenCost> &reference, std::int64_t factor = 1);

    [[nodiscard]] bool isKnown() const { return m_trial.has_value(); }
    [[nodiscard]] const TokenCost &reference() const { return m_reference; }
    [[nodiscard]] std::int64_t weighed() const { return m_weighed; }
    [[nodiscard]] std::optional<Combination> asItIs() { return combination(m_candidates.front()); }

    /// The first by `rank` of those admitted that reaches the aim; `orLikely`: else the first that
    /// is likely to fit.
    template<class Rank, class Admit>
    std::optional<Combination> first(Aim aim, Rank rank, Admit admit, bool orLikely = false);

private:
    void extend(const Plan &plan, const Settings &settings, const Candidate &candidate);
    [[nodiscard]] Plan made(const Candidate &candidate, Combination *told);
    /// Nothing where its plan has no figures. Lowered numbers are the largest that reach the aim.
    [[nodiscard]] std::optional<Combination>
    combination(const Candidate &candidate,
                const std::function<bool(const FitSummary &)> &reaches = nullptr);
    void raiseNumbers(const Candidate &candidate, Combination &told,
                      const std::function<bool(const FitSummary &)> &reaches);
    /// The fit summary of a candidate that is likely to fit.
    [[nodiscard]] std::optional<FitSummary> likelyFit(const Candidate &candidate);

    Plan m_plan;
    std::optional<PlanEvaluator> m_trial;
    Settings m_settings;
    std::span<const Change> m_changes;
    std::vector<Candidate> m_candidates;
    TokenCost m_reference;
    std::int64_t m_mostGpus = 1;
    std::int64_t m_weighed = 0;
};

Search::Search(const Plan &plan, const std::optional<TokenCost> &reference, std::int64_t factor)
    : m_plan(plan)
{
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return;
    const std::optional<StepWork> work = trial->work();
    if (!work)
        return;
    m_settings = trial->settings();
    m_mostGpus = (Exact(m_settings.gpus) * factor).value();
    m_changes = changesOf(m_settings);
    const TokenCost cost = tokenCost(m_settings, *work);
    m_reference = reference.value_or(cost);
    m_trial.emplace(std::move(*trial));
    m_candidates.emplace_back().slowdown = slowdownOf(cost, m_reference);
    extend(plan, m_settings, Candidate(m_candidates.front()));
}

void Search::extend(const Plan &plan, const Settings &settings, const Candidate &candidate)
{
    const std::size_t begin = candidate.changes.empty() ? 0 : candidate.changes.back() + 1;
    for (std::size_t i = begin; i < m_changes.size(); ++i) {
        const Change &change = m_changes[i];
        const auto excluded = [&](std::size_t made) { return change.excludes(m_changes[made]); };
        if (change.simulated || std::ranges::any_of(candidate.changes, excluded))
            continue;
        Plan next = plan;
        if (!change.apply(next, settings))
            continue;
        m_trial->plan = next;
        const std::optional<StepWork> work = m_trial->work();
        if (!work || m_trial->settings().gpus > m_mostGpus ||
            !toolOffers(plan, settings, m_trial->settings()))
            continue;
        Candidate longer = candidate;
        longer.changes.push_back(i);
        longer.toll = std::max(longer.toll, change.toll);
        longer.slowdown = slowdownOf(tokenCost(m_trial->settings(), *work), m_reference);
        longer.slow = candidate.slow || change.toll == Toll::Slow || longer.slowdown >= kSlow;
        longer.sameWork = sameWork(m_settings, m_trial->settings());
        longer.price = std::max(slowdownSteps(longer) * 5, 0.0);
        for (const std::size_t made : longer.changes)
            longer.price += (m_changes[made].part.empty() ? kEachChange : 2 * kEachChange) +
                            kTolls[static_cast<std::size_t>(m_changes[made].toll)];
        m_candidates.push_back(longer);
        if (longer.changes.size() < kMostChanges)
            extend(next, Settings(m_trial->settings()), longer);
    }
}

/// The plan with a candidate's changes, one after the other; collects their titles and prices.
Plan Search::made(const Candidate &candidate, Combination *told)
{
    m_trial->plan = m_plan;
    m_trial->update();
    for (const std::size_t i : candidate.changes) {
        const Settings before = m_trial->settings();
        [[maybe_unused]] const bool applied = m_changes[i].apply(m_trial->plan, before);
        m_trial->update();
        if (told) {
            told->titles.push_back(titleOf(m_changes[i], before, m_trial->settings()));
            told->prices.emplace_back(m_changes[i].price);
            told->mayStopLearning |= m_changes[i].toll == Toll::Learning;
        }
    }
    return m_trial->plan;
}

std::optional<FitSummary> Search::likelyFit(const Candidate &candidate)
{
    const Plan plan = made(candidate, nullptr);
    ++m_weighed;
    const std::optional<PeakSummary> peak = m_trial->weigh();
    return peak && m_trial->fits(*peak) ? fitSummary(plan) : std::nullopt;
}

void Search::raiseNumbers(const Candidate &candidate, Combination &told,
                          const std::function<bool(const FitSummary &)> &reaches)
{
    for (std::size_t k = 0; k < candidate.changes.size(); ++k) {
        const Change &change = m_changes[candidate.changes[k]];
        if (!change.lowers || !raiseNumber(change, m_settings, *m_trial, reaches))
            continue;
        m_trial->update();
        Settings raised = m_trial->settings();
        raised.gpus = m_settings.gpus; // other changes' titles name further ones
        told.titles[k] = titleOf(change, m_settings, raised);
    }
}

std::optional<Combination>
Search::combination(const Candidate &candidate,
                    const std::function<bool(const FitSummary &)> &reaches)
{
    Combination result;
    m_trial->plan = made(candidate, &result);
    if (reaches)
        raiseNumbers(candidate, result, reaches);
    const Plan plan = m_trial->plan;
    const std::optional<FitSummary> standing = fitSummary(plan);
    if (!standing)
        return std::nullopt;
    result.standing = *standing;
    result.fields = changedFields(m_plan, plan);
    result.toll = candidate.toll;
    result.slow = candidate.slow;
    result.gpus = m_trial->settings().gpus;
    result.serves = m_trial->settings().workload == Workload::Inference;
    result.context = result.serves ? m_trial->settings().meanSequenceLength : 0;
    if (const std::optional<PeakSummary> peak = m_trial->weigh()) {
        result.hostBytes = peak->hostBytes;
        result.seconds = likelySeconds(m_trial->settings(), peak->work);
        result.tokens = peak->work.tokens;
        if (result.seconds && m_reference.seconds && candidate.sameWork)
            result.slowdown = slowdownOf(tokenCost(m_trial->settings(), peak->work), m_reference);
    }
    return result;
}

template<class Rank, class Admit>
std::optional<Combination> Search::first(Aim aim, Rank rank, Admit admit, bool orLikely)
{
    std::vector<const Candidate *> order;
    for (const Candidate &candidate : m_candidates)
        if (admit(candidate))
            order.push_back(&candidate);
    std::ranges::stable_sort(order, {}, [&](const Candidate *it) { return rank(*it); });
    const auto reaches = [&](const FitSummary &it) {
        if (!it.risk.empty())
            return false;
        const bool margin = aim == Aim::Margin && it.headroom >= m_settings.capacity / kMarginPart;
        return margin || it.verdict == Verdict::Fits;
    };
    const Candidate *likely = nullptr; // one without a risk, if possible
    bool isLikelyAtRisk = true;
    const Candidate *best = nullptr;
    Bytes spare = 0;
    for (const Candidate *candidate : order) {
        if (best && rank(*best) < rank(*candidate))
            break; // with the same rank the one with most headroom
        const std::optional<FitSummary> standing = likelyFit(*candidate);
        if (!standing)
            continue;
        if (!likely || (isLikelyAtRisk && standing->risk.empty())) {
            likely = candidate;
            isLikelyAtRisk = !standing->risk.empty();
        }
        if (reaches(*standing) && (!best || standing->headroom > spare)) {
            best = candidate;
            spare = standing->headroom;
        }
    }
    if (best)
        return combination(*best, reaches);
    return orLikely && likely ? combination(*likely) : std::nullopt;
}

auto byPrice(const Candidate &it)
{
    return std::tuple(lastResort(it.toll), it.price, it.changes.size());
}

auto byTime(const Candidate &it)
{
    return std::tuple(slowdownSteps(it), it.price, it.changes.size());
}

bool sameFields(const Combination &a, const Combination &b)
{
    return a.fields == b.fields;
}

/// The cheapest with the same results on another number of GPUs, by factors that grow: of more GPUs
/// the first that fits, of fewer the last. More GPUs train by data parallelism, and serve by
/// dividing the model.
std::optional<Combination> onOtherGpus(const Plan &plan, const TokenCost &reference, bool more,
                                       std::int64_t &weighed)
{
    const Settings settings = resolve(plan).settings;
    const bool serves = settings.workload == Workload::Inference;
    std::optional<Combination> found;
    if (settings.diffusion || (more && hasOnlyOneGpu(settings))) // runs on one
        return found;
    for (const std::int64_t factor : kFactors) {
        Plan scaled = plan;
        if (!more && !divideGpus(scaled, settings, factor))
            break;
        if (more && !serves)
            multiplyGpus(scaled, settings, factor);
        Search search(scaled, reference, more && serves ? factor : 1);
        if (!search.isKnown())
            break;
        const double longest = more ? std::numeric_limits<double>::infinity()
                                    : kMostWasted * static_cast<double>(factor) - 1;
        const auto admitted = [&](const Candidate &it) {
            return it.toll < Toll::Results && it.sameWork && it.slowdown <= longest;
        };
        std::optional<Combination> next = search.first(Aim::Margin, byPrice, admitted);
        weighed += search.weighed();
        const bool isOther =
            next && (more ? next->gpus > settings.gpus : next->gpus < settings.gpus);
        if (!isOther && !more)
            break;
        if (!isOther)
            continue;
        next->fields = changedFields(plan, withFields(scaled, next->fields));
        found = std::move(next);
        if (more)
            break;
    }
    return found;
}

} // namespace

Recommendation recommend(const Plan &plan)
{
    Recommendation result;
    Search search(plan, std::nullopt);
    if (!search.isKnown())
        return result;
    result.asItIs = search.asItIs();
    const auto add = [&](Kind kind, std::optional<Combination> found) {
        const auto isTold = [&](const Option &option) {
            return sameFields(option.combination, *found);
        };
        if (found && result.options.size() < 3 && !std::ranges::any_of(result.options, isTold))
            result.options.push_back({kind, std::move(*found)});
    };
    const auto anyJob = [](const Candidate &) { return true; };
    const auto sameJob = [](const Candidate &it) { return it.toll < Toll::Job; };
    const auto sameWorkFaster = [](const Candidate &it) {
        return it.toll < Toll::Learning && it.sameWork;
    };
    const auto sameResults = [](const Candidate &it) { return it.toll < Toll::Limits; };
    const auto otherGpus = [&](bool more) {
        return onOtherGpus(plan, search.reference(), more, result.weighed);
    };
    std::optional<Combination> cheapest = search.first(Aim::Margin, byPrice, anyJob, true);
    if (cheapest && cheapest->standing.verdict != Verdict::Fits) {
        const auto noDearer = [&](const Candidate &it) {
            return it.toll <= cheapest->toll && it.slow <= cheapest->slow;
        };
        if (std::optional<Combination> sure = search.first(Aim::Sure, byPrice, noDearer))
            cheapest = std::move(sure);
    }
    add(Kind::Recommended, std::move(cheapest));
    if (result.options.empty()) {
        add(Kind::MoreGpus, otherGpus(true));
    } else {
        const Combination best = result.options.front().combination;
        if (best.toll >= Toll::Limits)
            add(Kind::SameResults, search.first(Aim::Margin, byPrice, sameResults));
        if (best.toll >= Toll::Results)
            add(Kind::MoreGpus, otherGpus(true));
        if (best.standing.verdict != Verdict::Fits)
            add(Kind::Surest, search.first(Aim::Sure, byPrice, sameJob));
        if (best.slowdown.value_or(0) > 0)
            add(Kind::Fastest, search.first(Aim::Margin, byTime, sameWorkFaster));
        add(Kind::FewerGpus, otherGpus(false));
    }
    result.weighed += search.weighed();
    return result;
}

std::string_view kindTitle(Kind kind)
{
    constexpr std::array<std::string_view, 6> kTitles = {
        "Recommended", "Surest", "Same results", "Fastest", "Fewer GPUs", "More GPUs"};
    return kTitles[static_cast<std::size_t>(kind)];
}

std::string combinedTitle(const Combination &combination)
{
    std::string text;
    for (const std::string &title : combination.titles)
        text += (text.empty() ? "" : " + ") + title;
    return text.empty() ? "No changes" : text;
}

} // namespace vramscope
