// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope::chrome {

/// The keys of an event's arguments that are used, by length. PyTorch 1.8 writes "external id" and
/// "Input dims".
inline constexpr std::array<std::string_view, 35> kArguments{"Seq",
                                                             "Addr",
                                                             "name",
                                                             "grid",
                                                             "Bytes",
                                                             "block",
                                                             "bytes",
                                                             "dtype",
                                                             "device",
                                                             "stream",
                                                             "Ev Idx",
                                                             "Device Id",
                                                             "Input Dims",
                                                             "Input dims",
                                                             "Input type",
                                                             "Call stack",
                                                             "Group size",
                                                             "correlation",
                                                             "External id",
                                                             "external id",
                                                             "Device Type",
                                                             "In split size",
                                                             "In msg nelems",
                                                             "Fwd thread id",
                                                             "shared memory",
                                                             "Out msg nelems",
                                                             "Total Reserved",
                                                             "Total Allocated",
                                                             "Sequence number",
                                                             "Collective name",
                                                             "Module Hierarchy",
                                                             "Process Group Name",
                                                             "Process Group Ranks",
                                                             "registers per thread",
                                                             "est. achieved occupancy %"};

/// A place in kArguments.
enum class Argument : std::uint8_t { None = kArguments.size() };

/// "Ev Idx"_arg; a key missing from kArguments does not compile.
[[nodiscard]] consteval Argument operator""_arg(const char *letters, std::size_t size)
{
    std::size_t at = 0;
    while (kArguments[at] != std::string_view(letters, size)) // past the end: no constant
        ++at;
    return static_cast<Argument>(at);
}

/// Where the keys of each length begin in kArguments; the last is longest.
inline constexpr auto kArgumentsByLength = [] {
    std::array<std::uint8_t, kArguments.back().size() + 2> first{};
    for (const std::string_view key : kArguments) {
        for (std::size_t length = key.size() + 1; length < first.size(); ++length)
            ++first[length];
    }
    return first;
}();
static_assert(std::ranges::is_sorted(kArguments, {},
                                     [](std::string_view key) { return key.size(); }));

[[nodiscard]] inline Argument argumentOf(std::string_view key)
{
    if (key.size() > kArguments.back().size())
        return Argument::None;
    const std::size_t last = kArgumentsByLength[key.size() + 1];
    for (std::size_t at = kArgumentsByLength[key.size()]; at < last; ++at) {
        if (kArguments[at] == key)
            return static_cast<Argument>(at);
    }
    return Argument::None;
}

/// What the category of an event means.
struct Category
{
    ProfileEventKind kind = ProfileEventKind::Other;
    WorkKind work = WorkKind::Kernel;
    RangeKind range = RangeKind::User;
};

/// Covers the names of PyTorch 1.8 to 1.11 and later ones, of every vendor.
[[nodiscard]] Category categoryOf(std::string_view category);

/// A JSON value in the format of Python's json.dumps(): one space after commas and colons, and
/// non-ASCII characters escaped. `value` is JSON already; numbers with a fraction stay unchanged.
[[nodiscard]] std::string asPythonWrites(std::string_view value);

} // namespace vramscope::chrome
