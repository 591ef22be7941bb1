// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vramscope {

/// The figures by which ranks are compared: bytes of a snapshot, then nanoseconds of a profiler
/// trace.
enum class RankFigure : std::uint8_t {
    PeakActive,
    PeakReserved,
    Unused,   ///< the peak of reserved memory less that of active
    Growth,   ///< active memory at the end of the last complete step, less that at the begin of the
              ///< second one: what the recorded steps left behind
    StepTime, ///< the median, each from the start of a step to that of the next
    Compute,  ///< as RankComparison::times
    ExposedCommunication, ///< communication while nothing computed
    ExposedCopy,          ///< copies while nothing computed or communicated
    Idle,
    Wait, ///< in collectives that all ranks wait for, for the last of them
};
inline constexpr std::size_t kRankFigureCount = 10;

[[nodiscard]] constexpr bool isOfMemory(RankFigure figure)
{
    return figure <= RankFigure::Growth;
}

struct RankFigureName
{
    const char *key; ///< in documents
    const char *title;
};
inline constexpr std::array<RankFigureName, kRankFigureCount> kRankFigureNames{{
    {"peak_active", "peak active"},
    {"peak_reserved", "peak reserved"},
    {"unused", "reserved but unused"},
    {"growth", "growth over the steps"},
    {"median_step", "median step"},
    {"compute", "compute"},
    {"exposed_communication", "exposed communication"},
    {"exposed_copy", "exposed copies"},
    {"idle", "idle time"},
    {"wait", "waiting"},
}};
[[nodiscard]] constexpr const RankFigureName &nameOf(RankFigure figure)
{
    return kRankFigureNames[static_cast<std::size_t>(figure)];
}

/// A rank whose figure lies far from the median of the ranks that it is compared with.
struct RankOutlier
{
    std::size_t rank = 0;
    RankFigure figure = RankFigure::PeakActive;
    std::int64_t value = 0;
    std::int64_t median = 0;
    std::size_t group = 0; ///< of memory: index into the groups

    [[nodiscard]] std::int64_t difference() const { return wrappingDifference(value, median); }
};

} // namespace vramscope
