// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/profile/work_rules.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// Rows of Profile::work(), ascending: all of it, or that of a step.
using WorkRows = std::span<const std::uint32_t>;

/// Every row.
[[nodiscard]] std::vector<std::uint32_t> everyWork(const Profile &profile);
/// What was called between two times of the host, the second excluded, whenever it ran.
[[nodiscard]] std::vector<std::uint32_t> workCalledWithin(const Profile &profile, std::int64_t from,
                                                          std::int64_t to);
/// What started between two times of the device, the second excluded.
[[nodiscard]] std::vector<std::uint32_t> workStartedWithin(const Profile &profile,
                                                           std::int64_t from, std::int64_t to);
/// What was called within any of the steps that have this name.
[[nodiscard]] std::vector<std::uint32_t> workOfStep(const Profile &profile, std::string_view step);
/// What was called within any of the steps, by Profile::steps(): without what the recording caught
/// before the first and after the last.
[[nodiscard]] std::vector<std::uint32_t> workOfAllSteps(const Profile &profile);

/// Where the time of a set of work went, in nanoseconds. Each class is the length of the union of
/// its work over all streams, so what ran at once counts once, and
/// compute + exposed communication + exposed copies + idle = span, exactly.
struct TimeBreakdown
{
    std::int64_t start = 0; ///< the first start
    std::int64_t span = 0;  ///< from there to the last end
    std::int64_t compute = 0;
    std::int64_t communication = 0;
    std::int64_t memory = 0;                  ///< copies and fills
    std::int64_t busy = 0;                    ///< any of the three
    std::int64_t idle = 0;                    ///< span − busy
    std::int64_t overlappedCommunication = 0; ///< while something computed
    std::int64_t exposedCommunication = 0;    ///< while nothing did
    std::int64_t exposedCopy = 0;             ///< memory, while nothing computed or communicated
    std::array<std::int64_t, kWorkClassCount> counts{}; ///< pieces of work, by WorkClass
    bool operator==(const TimeBreakdown &) const = default;

    [[nodiscard]] std::int64_t count() const;
    /// The hidden part of communication, 0 to 1; none without communication.
    [[nodiscard]] std::optional<double> overlap() const;
    /// Compute over span; none without a span.
    [[nodiscard]] std::optional<double> computeEfficiency() const;
};

/// Adds up a breakdown of work that comes by start, in one pass and no memory.
class BreakdownSweep
{
public:
    void add(std::int64_t start, std::int64_t end, WorkClass workClass);
    [[nodiscard]] bool isEmpty() const { return m_every.count == 0; }
    [[nodiscard]] TimeBreakdown finish() const;

private:
    struct Union
    {
        std::int64_t first = 0;
        std::int64_t end = 0;
        std::int64_t length = 0;
        std::int64_t count = 0;
        void add(std::int64_t start, std::int64_t until);
    };
    Union m_compute;
    Union m_communication;
    Union m_memory;
    Union m_both; ///< compute or communication
    Union m_every;
    std::array<std::int64_t, kWorkClassCount> m_counts{};
};

/// Of work on whatever device; none of no work.
[[nodiscard]] std::optional<TimeBreakdown> breakdown(const Profile &profile,
                                                     const WorkClasses &classes, WorkRows rows);

struct DeviceBreakdown
{
    std::int64_t device = -1;
    TimeBreakdown times;
};
/// Of each device that did any of the work, by number; devices are never merged.
[[nodiscard]] std::vector<DeviceBreakdown>
breakdownByDevice(const Profile &profile, const WorkClasses &classes, WorkRows rows);

struct LaneBreakdown
{
    std::uint32_t lane = 0; ///< of Profile::lanes()
    TimeBreakdown times;
};
/// Of each stream that did any of the work.
[[nodiscard]] std::vector<LaneBreakdown> breakdownByLane(const Profile &profile,
                                                         const WorkClasses &classes, WorkRows rows);

/// The time of each piece of work, in nanoseconds, in which nothing on its device hid it:
/// communication while nothing computed, copies and fills while nothing computed or communicated,
/// compute always. Work that runs at once counts each, so sums may exceed those of a breakdown.
[[nodiscard]] std::vector<std::int64_t> exposedTimes(const Profile &profile,
                                                     const WorkClasses &classes);

/// A breakdown as HolisticTraceAnalysis gives it, for people who compare with it. Its quirks are
/// kept: whatever states a stream counts, a wait or a compiled operator of the host included; its
/// own list of names decides what communicates; with several steps only what was called before the
/// last one begins; where times have fractions of microseconds, starts are rounded up and ends
/// down, so that idle time grows and nonCompute may be negative.
struct HtaBreakdown
{
    std::int64_t kernelTime = 0; ///< the span, idle included, as HTA calls it
    std::int64_t idle = 0;
    std::int64_t compute = 0;
    std::int64_t nonCompute = 0; ///< kernelTime − idle − compute: communication and copies
    std::int64_t communication = 0;
    std::int64_t overlapped = 0; ///< communication while something computed
};

/// None where nothing counts.
[[nodiscard]] std::optional<HtaBreakdown> asHta(const Profile &profile);

} // namespace vramscope
