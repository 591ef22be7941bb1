// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace vramscope {

class AddressSpace;
enum class BandsKept; // {}: None
class Allocations;
class Categories;
class UsageCurve;
struct AllocationLane;
struct AnnotationRange;
struct CategoryRule;
struct DeviceSummary;
struct Leaks;
struct OutOfMemoryAdvice;
struct OutOfMemoryReport;
struct Peak;
struct Replay;
struct SegmentHistory;
struct StepFolds;
struct Steps;

/// One device of a recording with everything derived from it. Each part is made once, on its first
/// use, and then kept for the life of the study; code that needs several parts takes a Study.
///
/// Any number of threads may ask at once: the first makes the part, the others wait for it. A part
/// is either complete or missing: if the maker's progress asks to stop, or memory runs out (the
/// only thing thrown), the unfinished part is dropped, finished parts stay, and the next request
/// makes the part again. A reference stays valid as long as the study.
class Study
{
public:
    /// Each depends only on earlier ones.
    enum class Part {
        Allocations, ///< with the address space, which knows the sizes of their blocks
        Curve,
        Summary,
        Times,
        Annotations,
        Segments,
        Lanes,
        Steps,
        StepFolds,
        Leaks,
        Categories,
        Peak,
        Failures,
        Replay,
        Advice,
        PeakAdvice,
    };
    static constexpr std::size_t kPartCount = 16;

    using Rules = std::shared_ptr<const std::vector<CategoryRule>>;

    /// `device` is one of `trace`; `kept` are the bands of space(); `rules` those of categories(),
    /// null for the built-in ones.
    Study(std::shared_ptr<const Trace> trace, const DeviceTrace &device, BandsKept kept = {},
          Rules rules = {});
    ~Study();
    Study(const Study &) = delete;
    Study &operator=(const Study &) = delete;

    [[nodiscard]] const Trace &trace() const { return *m_trace; }
    [[nodiscard]] const DeviceTrace &device() const { return m_device; }

    /// Whether there is a history to draw. A recording of only the state has one last event.
    [[nodiscard]] bool hasHistory() const { return m_device.events.count() > 1; }
    [[nodiscard]] bool hasTimes() const { return !m_device.events.time.empty(); }

    // Each part; made now, completely, if it does not exist yet.
    [[nodiscard]] const Allocations &allocations() const
    {
        return have(Part::Allocations, m_allocations);
    }
    [[nodiscard]] const UsageCurve &curve() const { return have(Part::Curve, m_curve); }
    [[nodiscard]] const DeviceSummary &summary() const { return have(Part::Summary, m_summary); }
    /// µs of each event, never going back (threads that record at once may swap); may be empty.
    [[nodiscard]] std::span<const std::int64_t> times() const;
    /// µs from the first event to `event`; 0 before the first. Needs times.
    [[nodiscard]] std::int64_t timeOf(EventIndex event) const;
    [[nodiscard]] const std::vector<AnnotationRange> &annotations() const
    {
        return have(Part::Annotations, m_annotations);
    }
    [[nodiscard]] const AddressSpace &space() const { return have(Part::Allocations, m_space); }
    [[nodiscard]] const SegmentHistory &segments() const
    {
        return have(Part::Segments, m_segments);
    }
    /// If there are several pools or streams.
    [[nodiscard]] const std::vector<AllocationLane> &lanes() const
    {
        return have(Part::Lanes, m_lanes);
    }
    [[nodiscard]] const Steps &steps() const { return have(Part::Steps, m_steps); }
    [[nodiscard]] const StepFolds &stepFolds() const { return have(Part::StepFolds, m_stepFolds); }
    [[nodiscard]] const Leaks &leaks() const { return have(Part::Leaks, m_leaks); }
    [[nodiscard]] const Categories &categories() const
    {
        return have(Part::Categories, m_categories);
    }
    [[nodiscard]] const Peak &peak() const { return have(Part::Peak, m_peak); }
    /// The first kMostExplained failures in the order of events; device().outOfMemory has them all.
    [[nodiscard]] const std::vector<OutOfMemoryReport> &failures() const
    {
        return have(Part::Failures, m_failures);
    }
    /// The recorded requests on the simulated allocator.
    [[nodiscard]] const Replay &replay() const { return have(Part::Replay, m_replay); }
    /// What would have helped against each of failures(). May take as long as whatIf().
    [[nodiscard]] const std::vector<OutOfMemoryAdvice> &advice() const
    {
        return have(Part::Advice, m_advice);
    }

    /// What would make the peak smaller.
    [[nodiscard]] const OutOfMemoryAdvice &peakAdvice() const
    {
        return have(Part::PeakAdvice, m_peakAdvice);
    }

    [[nodiscard]] bool isMade(Part part) const { return stateOf(part) == State::Made; }
    [[nodiscard]] bool areMade(std::span<const Part> parts) const;
    /// Makes the missing ones of `parts`, with their dependencies. False if `progress` asked to
    /// stop before all were ready. While another thread makes one of them, `progress` is asked too.
    bool make(std::span<const Part> parts, const Progress &progress = {}) const;
    bool make(std::initializer_list<Part> parts, const Progress &progress = {}) const
    {
        return make(std::span(parts.begin(), parts.size()), progress);
    }

private:
    enum class State : std::uint8_t { None, InWork, Made };
    class Work;

    [[nodiscard]] std::atomic<State> &stateOf(Part part) const
    {
        return m_states[static_cast<std::size_t>(part)];
    }
    bool claim(Part part, const Progress &progress) const;
    bool makeOne(Part part, const Progress &progress) const;
    void build(Part part, Work &work) const;
    std::unique_ptr<const Allocations> replayed(const Progress &progress) const;
    template<class T>
    const T &have(Part part, const std::unique_ptr<const T> &value) const
    {
        if (!isMade(part))
            make({part});
        return *value;
    }

    std::shared_ptr<const Trace> m_trace;
    const DeviceTrace &m_device;
    BandsKept m_kept;
    Rules m_rules;

    mutable std::mutex m_mutex; ///< for changes of m_states, not the work itself
    mutable std::condition_variable m_changed;
    mutable std::array<std::atomic<State>, kPartCount> m_states{};

    // A part is written by the thread that makes it, and read by all once it is ready.
    mutable std::unique_ptr<const Allocations> m_allocations;
    mutable std::unique_ptr<const UsageCurve> m_curve;
    mutable std::unique_ptr<const DeviceSummary> m_summary;
    mutable std::unique_ptr<const std::vector<std::int64_t>> m_times; ///< empty: as recorded
    mutable std::unique_ptr<const std::vector<AnnotationRange>> m_annotations;
    mutable std::unique_ptr<const AddressSpace> m_space; ///< with m_allocations
    mutable std::unique_ptr<const SegmentHistory> m_segments;
    mutable std::unique_ptr<const std::vector<AllocationLane>> m_lanes;
    mutable std::unique_ptr<const Steps> m_steps;
    mutable std::unique_ptr<const StepFolds> m_stepFolds;
    mutable std::unique_ptr<const Leaks> m_leaks;
    mutable std::unique_ptr<const Categories> m_categories;
    mutable std::unique_ptr<const Peak> m_peak;
    mutable std::unique_ptr<const std::vector<OutOfMemoryReport>> m_failures;
    mutable std::unique_ptr<const Replay> m_replay;
    mutable std::unique_ptr<const std::vector<OutOfMemoryAdvice>> m_advice;
    mutable std::unique_ptr<const OutOfMemoryAdvice> m_peakAdvice;
};

/// A study of each device, as in Trace::devices(); nothing is made yet.
[[nodiscard]] std::vector<std::shared_ptr<const Study>>
studiesOf(const std::shared_ptr<const Trace> &trace, BandsKept kept = {},
          const Study::Rules &rules = {});

/// Index of the device to show first: one that ran out of memory, else the one with most events,
/// else with most bytes; the host only if it is alone. 0 without devices.
[[nodiscard]] std::size_t mainDevice(std::span<const std::shared_ptr<const Study>> studies);

} // namespace vramscope
