// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vramscope {

// The most entries of a document.
inline constexpr std::size_t kMostShown = 600;
inline constexpr std::size_t kLongestItem = 300; ///< bytes of UTF-8

/// One entry in the running order of a presentation: an item that can be shown, whether it is, and
/// a note to it. Items that no longer exist are skipped.
struct OrderEntry
{
    std::string item; ///< "answer", "peak", "bookmark:the leak"
    bool shown = true;
    std::string note; ///< empty: the item's own

    bool operator==(const OrderEntry &) const = default;
};

using RunningOrder = std::vector<OrderEntry>;

} // namespace vramscope
