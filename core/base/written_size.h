// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

/// A size as people write it: "72GiB", "80 GB", "512"; units of two and of ten, whatever their
/// case. Nothing where it is none, or more than 64 bits hold.
[[nodiscard]] std::optional<Bytes> writtenBytes(std::string_view text);

/// A count as people write it: "8192", "8k" (8,192), "1.5k", "1m" (1,048,576). Nothing where it is
/// none.
[[nodiscard]] std::optional<std::int64_t> writtenCount(std::string_view text);

/// A large count in units of a thousand: "20B" (20 × 10⁹), "300k", "1.5T". Nothing where it is
/// none.
[[nodiscard]] std::optional<std::int64_t> writtenAmount(std::string_view text);

} // namespace vramscope
