// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A frame as every node of a run has it, wherever its environment is unpacked.
struct SiteFrame
{
    std::string name;
    std::string file; ///< from its package on, as siteFile() gives it
    std::int32_t line = 0;
    bool operator==(const SiteFrame &) const = default;
};

/// A stack beyond these bounds keeps its innermost frames, and the beginnings of names: it has to
/// fit into a record, and one that deep recurses.
inline constexpr std::size_t kMostSiteFrames = 256;
inline constexpr std::size_t kLongestSiteText = 512; ///< bytes of a name or a file

/// A path without what differs between nodes: from "site-packages/" on (or what stands for it), of
/// the language's own library from "lib/python/", of the framework's sources from their folder on,
/// of all else the last two parts. Names that a compiler makes up for each run are cut out.
[[nodiscard]] std::string siteFile(std::string_view file);
/// A function's name without addresses and numbers that are made up for each run.
[[nodiscard]] std::string siteName(std::string_view name);

/// Frames innermost first; none for StackId::None.
[[nodiscard]] std::vector<SiteFrame> siteFrames(const Trace &trace, StackId stack);

/// A place in the code by the content of its stack: 128-bit FNV-1a over the texts of the frames
/// from the allocation outward (name, file, the line as a decimal number), each after its length as
/// eight bytes, the least significant first. Equal on every node, and in every version of this
/// program that makes SiteFrames alike.
struct SiteId
{
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in a defaulted comparison
    auto operator<=>(const SiteId &) const = default;

    /// 32 hexadecimal digits.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] static std::optional<SiteId> fromText(std::string_view text);
};

[[nodiscard]] SiteId siteIdOf(std::span<const SiteFrame> frames);

} // namespace vramscope

template<>
struct std::hash<vramscope::SiteId>
{
    std::size_t operator()(const vramscope::SiteId &site) const noexcept
    {
        return static_cast<std::size_t>(site.low);
    }
};
