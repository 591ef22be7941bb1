// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

/// A size in common notation: "72GiB", "80 GB", "512"; binary and decimal units in either case.
/// Nothing if it is not a size, or needs more than 64 bits.
[[nodiscard]] std::optional<Bytes> writtenBytes(std::string_view text);

/// A count in common notation: "8192", "8k" (8,192), "1.5k", "1m" (1,048,576). Nothing for other
/// text.
[[nodiscard]] std::optional<std::int64_t> writtenCount(std::string_view text);

/// A large count in units of a thousand: "20B" (20 × 10⁹), "300k", "1.5T". Nothing for other text.
[[nodiscard]] std::optional<std::int64_t> writtenAmount(std::string_view text);

} // namespace vramscope
