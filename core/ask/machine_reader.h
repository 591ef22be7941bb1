// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/reading.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace vramscope {

// One naming of GPUs in a sentence: "2 nodes of 8 H200", "24 GB card", "2x RTX 3060 12GB".

inline constexpr std::array<std::string_view, 7> kJoining = {"+",  "and", "und", "plus",
                                                             "et", "y",   "和"};
inline constexpr auto kOr =
    std::to_array<std::string_view>({"or", "vs", "versus", "oder", "还是", "或"});
inline constexpr auto kHostWords = std::to_array<std::string_view>(
    {"ram", "host", "system", "cpu", "dram", "ddr4", "ddr5", "内存", "arbeitsspeicher", "sysram"});
inline constexpr auto kDeviceWords = std::to_array<std::string_view>(
    {"vram", "card", "cards", "gpu", "gpus", "unified", "显存", "gpu-ram", "gcds", "dies"});

[[nodiscard]] bool isAnyWord(const Reading &reading, std::size_t at,
                             std::span<const std::string_view> names);

/// "a", which begins no name: "a 16 GB card" is no A16.
[[nodiscard]] bool isArticle(const Reading &reading, std::size_t at);

/// A size of memory as written, with the words that it takes.
struct WrittenSize
{
    std::int64_t gigabytes = 0; ///< rounded; 0: there is none
    std::size_t words = 0;
    double exact = 0; ///< gigabytes as written
};
[[nodiscard]] WrittenSize sizeAt(const Reading &reading, std::size_t at);

/// Whether a size whose words end before `after` is that of the host's memory.
[[nodiscard]] bool isOfHost(const Reading &reading, std::size_t first, std::size_t after);

/// Takes the GPUs that are named from `begin` on into Reading::machines; false where none are.
bool takeMachine(Reading &reading, std::size_t begin);

} // namespace vramscope
