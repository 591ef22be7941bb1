// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/base/progress.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

__extension__ using Wide = __int128; ///< exact where 64 bits are not: bytes × time
__extension__ using UnsignedWide = unsigned __int128;

/// Bytes of blocks and the allocations that they belong to. Sums wrap around.
struct Tally
{
    Bytes bytes = 0;
    std::int64_t count = 0;

    Tally &operator+=(const Tally &other);
    Tally &operator-=(const Tally &other);
    bool operator==(const Tally &) const = default;
};

/// The measures of an allocation, of a group of them or of the difference of two groups.
enum class Cost {
    Live,       ///< alive at a chosen event
    Peak,       ///< alive at the peak
    ByteTime,   ///< bytes × time alive
    Total,      ///< allocated in the recording
    Temporary,  ///< allocated and freed in the recording
    NeverFreed, ///< alive at the end, including those from before the recording
};
inline constexpr std::size_t kCostCount = 6;

/// "live", "peak", "byte-time", "total", "temporary", "never-freed".
[[nodiscard]] std::string_view costName(Cost cost);
/// The cost of that name; nothing for other names.
[[nodiscard]] std::optional<Cost> costNamed(std::string_view name);

/// All costs as one value: groups add up, and the difference of two recordings is a subtraction.
struct Costs
{
    Tally live;
    Tally peak;
    Tally total;
    Tally temporary;
    Tally neverFreed;
    std::int64_t allocations = 0; ///< all of them
    UnsignedWide byteTime = 0;    ///< bytes × µs, or × events without timestamps; wraps

    Costs &operator+=(const Costs &other);
    Costs &operator-=(const Costs &other);
    friend Costs operator+(Costs a, const Costs &b) { return a += b; }
    friend Costs operator-(Costs a, const Costs &b) { return a -= b; }
    bool operator==(const Costs &) const = default;

    /// Bytes, or bytes × time; negative in differences.
    [[nodiscard]] Wide amount(Cost cost) const;
    /// The number of allocations; for ByteTime all.
    [[nodiscard]] std::int64_t count(Cost cost) const;
};

/// Computes the costs of single allocations, in constant time each. Its arguments must outlive it.
class CostMeter
{
public:
    /// `live` is the event (-1: before the first) for Cost::Live, `peak` that of the highest usage.
    CostMeter(const DeviceTrace &device, const Allocations &allocations, EventIndex live,
              EventIndex peak);

    [[nodiscard]] Costs of(AllocationIndex index) const;
    /// Whether byteTime counts microseconds; else events.
    [[nodiscard]] bool isTimed() const { return !m_device.events.time.empty(); }
    [[nodiscard]] const Allocations &allocations() const { return m_allocations; }

private:
    [[nodiscard]] std::int64_t position(EventIndex event) const;

    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    EventIndex m_live;
    EventIndex m_peak;
};

/// Allocations made at the same place.
struct LiveGroup
{
    StackId stack = StackId::None;
    Bytes bytes = 0; ///< of their blocks
    std::int64_t count = 0;
    AllocationIndex first = kNoAllocation; ///< the earliest of them
    /// The stack that freed memory from before the recording; `stack` is then None.
    StackId freedIn = StackId::None;
};

/// `chosen`, for example from liveAfter(), grouped by stack, the most bytes first, equals in order
/// of birth. The groups add up to the chosen; there are no groups once `progress` asks to stop.
/// Takes time linear in the chosen, except for sorting the groups.
[[nodiscard]] std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                                  std::span<const AllocationIndex> chosen,
                                                  const Progress &progress = {});
/// The same, with those from before the recording that are freed in it grouped by the stack of the
/// free.
[[nodiscard]] std::vector<LiveGroup> groupBySite(const Allocations &allocations,
                                                 std::span<const AllocationIndex> chosen,
                                                 const Progress &progress = {});
/// The bytes of all groups.
[[nodiscard]] Bytes totalBytes(std::span<const LiveGroup> groups);

} // namespace vramscope
