// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// Bytes as the text of RFC 4648, padded.
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace vramscope
