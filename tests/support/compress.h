// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope::test {

/// `bytes` as one gzip member.
[[nodiscard]] std::string gzipped(std::string_view bytes);
/// `bytes` as one Zstandard frame.
[[nodiscard]] std::string zstandard(std::string_view bytes);

} // namespace vramscope::test
