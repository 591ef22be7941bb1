// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

/// What each fuzzer defines: one run, and inputs to begin with.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
[[nodiscard]] std::vector<std::string> fuzzSeeds();

namespace vramscope::fuzz {

/// Ends the program where a law is broken; any build must notice.
inline void check(bool holds)
{
    if (!holds)
        std::abort();
}

[[nodiscard]] inline std::span<const std::byte> bytesOf(const std::string &text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// The files of a folder of the project whose names end so, as inputs.
[[nodiscard]] std::vector<std::string> filesOf(const std::string &folder,
                                               const std::string &ending);

} // namespace vramscope::fuzz
