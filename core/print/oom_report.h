// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/base/format.h"

#include <span>
#include <string>

namespace vramscope {

/// A program that tries again after each failure makes thousands; the first ones tell why.
inline constexpr std::size_t kMostExplained = 20;

/// What `vramscope-cli oom` says of one device.
struct OutOfMemoryFindings
{
    const Trace &trace;
    const DeviceTrace &device;
    const Allocations &allocations;
    const AddressSpace &space;
    /// The first kMostExplained failures in the order of events; device.outOfMemory has them all.
    std::span<const OutOfMemoryReport> failures;
};

/// One failure as a paragraph that a person can follow: what was asked, what was free and where,
/// why it could not serve the request.
[[nodiscard]] std::string outOfMemoryParagraph(const OutOfMemoryFindings &findings,
                                               const OutOfMemoryReport &failure,
                                               ByteUnit unit = ByteUnit::Binary);

/// All failures with what the step still needed, what would help, what filled the memory and who
/// held free memory fast, each in at most `most` rows (0: all); says so where there was no failure.
[[nodiscard]] std::string outOfMemoryText(const OutOfMemoryFindings &findings,
                                          const std::string &file, std::size_t most,
                                          ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON:
/// {"file","device","failed","failures":[{"event","time_us","requested",
/// "needed","device_free","shortage","cause","bands":{…},"free_for_it","largest_hole_for_it",
/// "last_release":{…},"in_use":[{"category","bytes"}],"rest_of_step":{…},"remedies":[…],"live":[…],
/// "domains":[…],"pins":[…]}]}. A remedy is {"change","bytes","at_most","enough",
/// "enough_for_step","title","text"}; what is not known is null.
[[nodiscard]] std::string outOfMemoryJson(const OutOfMemoryFindings &findings,
                                          const std::string &file);

} // namespace vramscope
