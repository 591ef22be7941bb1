// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planned_requests/planned_reserve.h"

#include "core/catalog/empirical.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/planned_requests/planned_requests.h"
#include "core/settings/calibration_marks.h"
#include "core/settings/settings.h"
#include "core/settings/usual_values.h"
#include "core/simulator/recommendation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

constexpr double kMostFactor = 10; ///< the limit in a document

/// Whether the plan gives its factor, and not because of a recording.
bool holdsEverywhere(const Plan &plan)
{
    return plan.overheads.reservedFactor &&
           calibrationFile(plan, "overheads.reserved_factor").empty();
}

/// Whether the runs behind the factor had expandable segments on; unknown for a recording's.
bool measuredExpandable(const Plan &plan, const Settings &s)
{
    return s.strategy == Strategy::Fsdp2 && !plan.overheads.reservedFactor;
}

/// The known factor and its settings: a given one applies to the plan's own, the usual one to
/// PyTorch's default.
struct KnownFactor
{
    AllocatorSettings settings;
    double factor = 1;
};

KnownFactor knownFactor(const Plan &plan)
{
    if (plan.overheads.reservedFactor)
        return {configuredSettings(plan.overheads.allocConf.value_or("")).settings,
                *plan.overheads.reservedFactor};
    Plan usual = plan;
    usual.overheads.allocConf.reset();
    return {{}, reservedOfAllocated(estimate(usual))};
}

bool dependsOnDevice(const AllocatorSettings &settings)
{
    return settings.garbageCollectionThreshold > 0 || settings.memoryFraction;
}

/// The first and the steady step of a plan, as requests.
class PlannedSteps
{
public:
    explicit PlannedSteps(const Plan &plan)
        : m_plan(plan)
        , m_figures(estimate(plan))
        , m_settings(*m_figures.settings)
        , m_known(knownFactor(plan))
        , m_lifecycle(lifecycle(m_figures))
        , m_requests(plannedRequests(m_figures, m_lifecycle))
    {
    }

    [[nodiscard]] bool empty() const { return m_requests.requests.empty(); }
    [[nodiscard]] const Estimate &figures() const { return m_figures; }
    /// The settings of the plan's known factor, with which the others are compared.
    [[nodiscard]] const AllocatorSettings &known() const { return m_known.settings; }
    [[nodiscard]] std::vector<SimulationResult>
    simulated(std::span<const AllocatorSettings> settings, Bytes capacity) const
    {
        return *simulateAll(m_requests, settings, capacity); // cannot be cancelled
    }
    /// The plan's factor under a configuration, from its simulation and the one under known().
    [[nodiscard]] double factor(std::string_view configuration, const SimulationResult &result,
                                const SimulationResult &usual) const;
    /// The plan's figures under a factor.
    [[nodiscard]] Estimate under(double factor) const;
    /// The name of a point from the event of a request.
    [[nodiscard]] std::string pointName(std::int32_t event) const;

private:
    [[nodiscard]] double slack(const SimulationResult &result) const;

    const Plan &m_plan;
    Estimate m_figures;
    Settings m_settings;
    KnownFactor m_known;
    Lifecycle m_lifecycle;
    RequestStream m_requests;
};

double PlannedSteps::slack(const SimulationResult &result) const
{
    const Bytes most = std::max(m_figures.peakAllocated, m_figures.firstStepAllocated);
    return static_cast<double>(std::max<Bytes>(result.figures.peakReserved - most, 0));
}

double PlannedSteps::factor(std::string_view configuration, const SimulationResult &result,
                            const SimulationResult &usual) const
{
    const std::string &own = m_settings.allocConf;
    if (configuration == own)
        return reservedOfAllocated(m_figures);
    // The last segments of each kind are full or not: a difference up to their size means nothing.
    const double noise = empirical(Measured::AllocatorSegments).value;
    const bool cut = result.runsOut() || usual.runsOut(); // its peak was never reached
    double kept =
        cut || holdsEverywhere(m_plan) ? 1 : (slack(result) + noise) / (slack(usual) + noise);
    if (measuredExpandable(m_plan, m_settings))
        kept = std::max(kept, 1.0);
    constexpr double kDigits = 1e4; // a document has four
    double factor = m_known.factor;
    if (kept != 1)
        factor = std::ceil((1 + (factor - 1) * kept) * kDigits) / kDigits;
    // The factor of the plan's own settings was measured with expandable segments.
    const bool measured = !m_plan.overheads.reservedFactor && expandsSegments(own);
    if (measured && expandsSegments(configuration))
        factor = std::max(factor, reservedOfAllocated(m_figures));
    return std::min(factor, kMostFactor);
}

Estimate PlannedSteps::under(double factor) const
{
    if (factor == reservedOfAllocated(m_figures))
        return m_figures;
    Plan plan = m_plan;
    plan.overheads.reservedFactor = factor;
    markCalibrated(plan, "overheads.reserved_factor", {});
    return estimate(plan);
}

std::string PlannedSteps::pointName(std::int32_t event) const
{
    if (event < 0)
        return {};
    const auto point = static_cast<std::size_t>(event);
    const std::size_t first = m_lifecycle.firstStep.size();
    if (point < first)
        return m_lifecycle.firstStep[point].moment + ", first step";
    return m_lifecycle.steadyStep[point - first].moment + ", steady step";
}

/// Describes the effect of the device's limit, if the verdict leaves it open.
void takeEnd(PlannedReserve &reserve, const SimulationResult &ended)
{
    const Verdict verdict = reserve.verdict.value_or(Verdict::Fits);
    reserve.result.figures.retries = verdict == Verdict::Fits ? 0 : ended.figures.retries;
    reserve.result.outOfMemoryEvent =
        verdict == Verdict::DoesNotFit ? ended.outOfMemoryEvent : std::nullopt;
}

} // namespace

std::optional<Bytes> allocatorCapacity(const Estimate &figures)
{
    if (!figures.capacity)
        return {};
    const Bytes beside = figures.peakDevice - figures.peakReserved;
    return std::max<Bytes>(*figures.capacity - beside, 0);
}

std::vector<PlannedReserve> plannedReserves(const Plan &plan,
                                            std::span<const std::string> configurations)
{
    const PlannedSteps steps(plan);
    if (steps.empty())
        return {};
    std::vector<PlannedReserve> reserves;
    std::vector<AllocatorSettings> settings;
    for (const std::string &configuration : configurations) {
        ConfiguredSettings configured = configuredSettings(configuration);
        settings.push_back(configured.settings);
        PlannedReserve &reserve = reserves.emplace_back();
        reserve.configuration = configuration;
        reserve.issues = std::move(configured.issues);
    }
    settings.push_back(steps.known()); // with which the others are compared
    const std::optional<Bytes> capacity = allocatorCapacity(steps.figures());
    const std::vector<SimulationResult> endless = steps.simulated(settings, kUnknownCapacity);
    const std::vector<SimulationResult> ended =
        capacity ? steps.simulated(settings, *capacity) : endless;
    for (std::size_t i = 0; i < reserves.size(); ++i) {
        const auto &results = dependsOnDevice(settings[i]) ? ended : endless;
        PlannedReserve &reserve = reserves[i];
        reserve.result = results[i];
        reserve.simulated = results[i].figures.peakReserved;
        reserve.factor = steps.factor(reserve.configuration, results[i], results.back());
        const Estimate figures = steps.under(reserve.factor);
        reserve.result.figures.peakReserved = figures.peakReserved;
        reserve.low = figures.reservedLow;
        reserve.high = figures.reservedHigh;
        reserve.verdict = verdictOf(figures);
        takeEnd(reserve, ended[i]);
        reserve.peakAt = steps.pointName(reserve.result.peakEvent);
        reserve.outOfMemoryAt = steps.pointName(reserve.result.outOfMemoryEvent.value_or(-1));
    }
    return reserves;
}

std::string withExpandableSegments(std::string_view allocConf)
{
    return std::string(allocConf) + (allocConf.empty() ? "" : ",") + "expandable_segments:True";
}

std::vector<std::string> withOwnConfiguration(const Plan &plan, std::vector<std::string> usual)
{
    const std::string own = plan.overheads.allocConf.value_or("");
    if (own.empty())
        return usual;
    std::erase(usual, own);
    usual.insert(usual.begin(), own);
    return usual;
}

std::optional<double> expandableFactor(const Plan &plan)
{
    const std::string own = plan.overheads.allocConf.value_or("");
    if (holdsEverywhere(plan) || expandsSegments(own) ||
        measuredExpandable(plan, resolve(plan).settings))
        return {};
    const PlannedSteps steps(plan);
    if (steps.empty())
        return {};
    const std::string expandable = withExpandableSegments(own);
    const std::array settings{configuredSettings(expandable).settings, steps.known()};
    const std::vector<SimulationResult> results = steps.simulated(settings, kUnknownCapacity);
    return steps.factor(expandable, results.front(), results.back());
}

std::optional<double> PlanReserves::share(const PlannedReserve &reserve) const
{
    if (capacity.value_or(0) <= 0)
        return {};
    return static_cast<double>(reserve.result.figures.peakReserved) /
           static_cast<double>(*capacity);
}

PlanReserves planReserves(const Plan &plan, const Estimate &figures, const std::string &own,
                          const Progress &progress)
{
    constexpr int kPyTorchMinor = 10; // a plan states none; later ones read the settings alike
    PlanReserves found;
    found.capacity = allocatorCapacity(figures);
    const std::vector<std::string> all = withOwnConfiguration(
        plan, usualConfigurations(found.capacity.has_value(), kPyTorchMinor, own));
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (progress && !progress(static_cast<double>(at) / static_cast<double>(all.size())))
            return found;
        for (PlannedReserve &reserve : plannedReserves(plan, std::span(&all[at], 1)))
            found.reserves.push_back(std::move(reserve));
    }
    std::vector<SimulationResult> results;
    for (const PlannedReserve &reserve : found.reserves) {
        results.push_back(reserve.result);
        std::optional<std::int32_t> &runsOut = results.back().outOfMemoryEvent;
        runsOut.reset(); // the verdict goes before what is simulated
        if (reserve.verdict == Verdict::DoesNotFit)
            runsOut = 0;
    }
    if (!results.empty())
        found.best = recommended(results.front(), results);
    return found;
}

std::string reserveRemark(const Plan &plan)
{
    if (holdsEverywhere(plan))
        return "This plan states its reserved factor, so that holds under every setting.";
    if (expandsSegments(plan.overheads.allocConf.value_or("")) && !plan.overheads.reservedFactor)
        return "The factor of a plan with expandable segments was read off runs that had them on, "
               "so no other setting with them is said to need less.";
    if (measuredExpandable(plan, resolve(plan).settings))
        return "With FSDP2 the factor was read off runs that had expandable segments on, so no "
               "setting is said to need less.";
    return {};
}

std::string whyNothingReserved(const Estimate &figures, std::span<const PlannedReserve> reserves)
{
    if (!figures.computed)
        return whyNotComputed(figures);
    if (reserves.empty())
        return "Only the steps of a training plan are simulated, and this plan is for serving. "
               "Engines take their memory once and divide it themselves.";
    return {};
}

} // namespace vramscope
