// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/allocation_lanes.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/replayed/fragmentation.h"
#include "core/analysis/replayed/segment_lives.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/steps/step_fold.h"
#include "core/analysis/what_if/replay.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace vramscope {

namespace {

using Part = Study::Part;

constexpr unsigned bit(Part part)
{
    return 1U << static_cast<unsigned>(part);
}

template<class... Parts>
constexpr unsigned needs(Parts... parts)
{
    return (0U | ... | bit(parts));
}

/// How a part is made.
struct Recipe
{
    double work = 1;    ///< how long it takes, relative to the others
    unsigned needs = 0; ///< the parts that it depends on
};

constexpr std::array<Recipe, Study::kPartCount> kRecipes{{
    {16, 0},                                                                  // Allocations
    {2, needs(Part::Allocations)},                                            // Curve
    {0.5, needs(Part::Curve)},                                                // Summary
    {0.1, 0},                                                                 // Times
    {0.1, 0},                                                                 // Annotations
    {0.3, needs(Part::Allocations)},                                          // Segments
    {1.2, needs(Part::Allocations)},                                          // Lanes
    {1, needs(Part::Curve)},                                                  // Steps
    {0.5, needs(Part::Curve, Part::Times, Part::Steps)},                      // StepFolds
    {0.5, needs(Part::Curve, Part::Steps)},                                   // Leaks
    {1, needs(Part::Allocations)},                                            // Categories
    {0.3, needs(Part::Curve, Part::Steps, Part::Categories)},                 // Peak
    {0.5, needs(Part::Allocations)},                                          // Failures
    {15, needs(Part::Allocations)},                                           // Replay
    {1.5, needs(Part::Curve, Part::Steps, Part::Categories, Part::Failures)}, // Advice
    {0.3, needs(Part::Curve, Part::Categories, Part::Peak)},                  // PeakAdvice
}};

std::vector<std::int64_t> ascendingTimes(const std::vector<std::int64_t> &recorded)
{
    if (std::ranges::is_sorted(recorded))
        return {};
    std::vector<std::int64_t> ascending = recorded;
    for (std::size_t at = 1; at < ascending.size(); ++at)
        ascending[at] = std::max(ascending[at], ascending[at - 1]);
    return ascending;
}

/// Whether an evaluation keeps its graph: a hole would have served the request and no more, because
/// what fills the device stays.
bool keepsFilling(const Study &study, const OutOfMemoryReport &report)
{
    const auto found = circumstancesOf(study.trace(), study.device(), study.allocations(),
                                       study.categories(), report);
    return std::ranges::find(found, Remedy::Kind::NoGrad, &Remedy::kind) != found.end();
}

std::vector<OutOfMemoryReport> explained(const Study &study, const Progress &progress)
{
    const std::size_t failed = study.device().outOfMemory.size();
    const std::size_t count = std::min(failed, kMostExplained);
    const AllocatorRules rules = allocatorRules(study.trace());
    std::vector<OutOfMemoryReport> failures;
    for (std::size_t at = 0; at < count; ++at) {
        if (progress && !progress(static_cast<double>(at) / static_cast<double>(count)))
            break;
        failures.push_back(
            explainOutOfMemory(study.device(), at, study.allocations(), study.space(), rules));
        OutOfMemoryReport &report = failures.back();
        if (report.cause == OutOfMemoryCause::Fragmented && keepsFilling(study, report))
            report.cause = OutOfMemoryCause::Full;
    }
    return failures;
}

} // namespace

/// A part that this thread is making: the result is kept, unless the work was asked to stop and is
/// incomplete. However the work ends, others that wait for the part go on.
class Study::Work
{
public:
    Work(const Study &study, Part part, const Progress &progress)
        : m_study(study)
        , m_part(part)
    {
        if (progress)
            m_progress = [this, &progress](double share) {
                m_stopped = m_stopped || !progress(share);
                return !m_stopped;
            };
    }
    ~Work()
    {
        {
            const std::lock_guard lock(m_study.m_mutex);
            m_study.stateOf(m_part) = m_kept ? State::Made : State::None;
        }
        m_study.m_changed.notify_all();
    }
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;

    /// For the code that makes the part.
    [[nodiscard]] const Progress &progress() const { return m_progress; }
    [[nodiscard]] bool isKept() const { return m_kept; }

    template<class T>
    void keep(std::unique_ptr<const T> &part, std::unique_ptr<const T> made)
    {
        if (m_stopped)
            return;
        part = std::move(made);
        m_kept = true;
    }
    template<class T>
    void keep(std::unique_ptr<const T> &part, T &&made)
    {
        keep(part, std::make_unique<const T>(std::forward<T>(made)));
    }

private:
    const Study &m_study;
    Part m_part;
    Progress m_progress;
    bool m_stopped = false;
    bool m_kept = false;
};

Study::Study(std::shared_ptr<const Trace> trace, const DeviceTrace &device, BandsKept kept,
             Rules rules)
    : m_trace(std::move(trace))
    , m_device(device)
    , m_kept(kept)
    , m_rules(std::move(rules))
{
}

Study::~Study() = default;

/// The allocations, and with them m_space. Null if `progress` asked to stop.
std::unique_ptr<const Allocations> Study::replayed(const Progress &progress) const
{
    constexpr double kLives = 0.4;
    auto lives = std::make_unique<Allocations>(m_device, partOf(progress, 0, kLives));
    m_space = AddressSpace::replay(m_device, *lives, allocatorRules(*m_trace),
                                   partOf(progress, kLives, 1), m_kept);
    if (!m_space)
        return nullptr;
    lives->setBlockSizes(m_space->blockSizes(m_device));
    return lives;
}

void Study::build(Part part, Work &work) const
{
    const Trace &trace = *m_trace;
    const Progress &progress = work.progress();
    switch (part) {
    case Part::Allocations:
        return work.keep(m_allocations, replayed(progress));
    case Part::Curve:
        return work.keep(m_curve,
                         std::make_unique<const UsageCurve>(m_device, allocations(), progress));
    case Part::Summary:
        return work.keep(m_summary, summarize(trace, m_device, allocations(), curve()));
    case Part::Times:
        return work.keep(m_times, ascendingTimes(m_device.events.time));
    case Part::Annotations:
        return work.keep(m_annotations, annotationRanges(trace, m_device));
    case Part::Segments:
        return work.keep(m_segments, std::make_unique<const SegmentHistory>(space().segments(),
                                                                            m_device.events));
    case Part::Lanes:
        return work.keep(m_lanes, allocationLanes(allocations(), m_device.events.count()));
    case Part::Steps:
        return work.keep(m_steps, findSteps(trace, m_device, allocations(), curve(), progress));
    case Part::StepFolds:
        return work.keep(m_stepFolds,
                         StepFolds{foldSteps(steps().steps, curve().active(), {}),
                                   foldSteps(steps().steps, curve().active(), times())});
    case Part::Leaks:
        return work.keep(m_leaks, findLeaks(allocations(), curve(), steps()));
    case Part::Categories:
        return work.keep(m_categories,
                         categorize(trace, m_device, allocations(),
                                    m_rules ? *m_rules : defaultCategoryRules(), progress));
    case Part::Peak:
        return work.keep(m_peak, findPeak(*this));
    case Part::Failures:
        return work.keep(m_failures, explained(*this, progress));
    case Part::Replay:
        if (auto made = vramscope::replay(trace, m_device, allocations(), space(), progress))
            work.keep(m_replay, std::move(*made));
        return;
    case Part::Advice:
        return work.keep(m_advice, adviseOutOfMemory(*this, progress));
    case Part::PeakAdvice:
        return work.keep(m_peakAdvice, adviseOnPeak(allocations(), curve(), categories(), leaks(),
                                                    peak(), progress));
    }
}

/// Waits for another thread that is making the part. True if this thread is to make it now.
bool Study::claim(Part part, const Progress &progress) const
{
    constexpr auto kPatience = std::chrono::milliseconds(20); // between two calls of progress
    std::unique_lock lock(m_mutex);
    while (stateOf(part) == State::InWork) {
        m_changed.wait_for(lock, kPatience);
        lock.unlock();
        if (progress && !progress(0))
            return false;
        lock.lock();
    }
    if (stateOf(part) == State::Made)
        return false;
    stateOf(part) = State::InWork;
    return true;
}

bool Study::makeOne(Part part, const Progress &progress) const
{
    if (!claim(part, progress))
        return isMade(part);
    Work work(*this, part, progress);
    build(part, work);
    return work.isKept();
}

bool Study::make(std::span<const Part> parts, const Progress &progress) const
{
    unsigned missing = 0;
    for (const Part part : parts)
        missing |= bit(part);
    double all = 0;
    for (std::size_t at = kPartCount; at-- > 0;) { // the dependencies of a part come before it
        const auto part = static_cast<Part>(at);
        if ((missing & bit(part)) == 0)
            continue;
        if (isMade(part)) {
            missing &= ~bit(part);
            continue;
        }
        missing |= kRecipes[at].needs;
        all += kRecipes[at].work;
    }
    double done = 0;
    for (std::size_t at = 0; at < kPartCount; ++at) {
        const auto part = static_cast<Part>(at);
        if ((missing & bit(part)) == 0)
            continue;
        if (progress && !progress(done / all))
            return false;
        const double begun = done;
        done += kRecipes[at].work;
        if (!makeOne(part, partOf(progress, begun / all, done / all)))
            return false;
    }
    if (progress)
        progress(1); // too late to stop: everything is ready
    return true;
}

bool Study::areMade(std::span<const Part> parts) const
{
    return std::ranges::all_of(parts, [this](Part part) { return isMade(part); });
}

std::span<const std::int64_t> Study::times() const
{
    const std::vector<std::int64_t> &ascending = have(Part::Times, m_times);
    return ascending.empty() ? m_device.events.time : ascending;
}

std::int64_t Study::timeOf(EventIndex event) const
{
    const std::span<const std::int64_t> all = times();
    const auto last = static_cast<EventIndex>(all.size()) - 1;
    const auto at = static_cast<std::size_t>(std::clamp(event, EventIndex(0), last));
    return all[at] - all.front();
}

std::vector<std::shared_ptr<const Study>> studiesOf(const std::shared_ptr<const Trace> &trace,
                                                    BandsKept kept, const Study::Rules &rules)
{
    std::vector<std::shared_ptr<const Study>> studies;
    for (const DeviceTrace &device : trace->devices())
        studies.push_back(std::make_shared<const Study>(trace, device, kept, rules));
    return studies;
}

std::size_t mainDevice(std::span<const std::shared_ptr<const Study>> studies)
{
    const auto main = std::ranges::max_element(studies, {}, [](const auto &study) {
        const DeviceSummary &summary = study->summary();
        return std::tuple(!study->device().host, !summary.outOfMemory.empty(), summary.events,
                          summary.reservedEnd);
    });
    return main == studies.end() ? 0 : static_cast<std::size_t>(main - studies.begin());
}

} // namespace vramscope
