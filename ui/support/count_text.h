// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace vramscope {

/// A count of parameters for a narrow place, with three digits: "70.6B", "355M", "512". Show the
/// exact count with it.
[[nodiscard]] QString shortCountText(std::int64_t count);

/// A part of a whole: "70.0 %", "6.5 %", "<0.1 %"; empty where the whole is nothing.
[[nodiscard]] QString shareText(std::int64_t part, std::int64_t whole);

} // namespace vramscope
