// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vramscope {

// A document holds no more than this.
inline constexpr std::size_t kMostShown = 600;
inline constexpr std::size_t kLongestItem = 300; ///< bytes of UTF-8

/// One place of the running order of a presentation: which of the things that can be shown, whether
/// it is, and what is to be said about it. Things that are not there any more are passed over.
struct OrderEntry
{
    std::string item; ///< "answer", "peak", "bookmark:the leak"
    bool shown = true;
    std::string note; ///< empty: the thing's own

    bool operator==(const OrderEntry &) const = default;
};

using RunningOrder = std::vector<OrderEntry>;

} // namespace vramscope
