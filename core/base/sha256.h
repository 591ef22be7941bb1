// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// The 32 bytes of SHA-256 (FIPS 180-4), by which a page names the one script that it runs.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace vramscope
