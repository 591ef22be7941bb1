// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vramscope {

// A setting of a foreign file as one type: command lines hold numbers and switches as text.

[[nodiscard]] std::optional<double> asNumber(const FieldValue &value);
/// Also of "5e8" and 5e8, as far as a double is exact.
[[nodiscard]] std::optional<std::int64_t> asCount(const FieldValue &value);
/// true, "True", "1" and their opposites.
[[nodiscard]] std::optional<bool> asFlag(const FieldValue &value);
/// As a message shows it.
[[nodiscard]] std::string shownSetting(const FieldValue &value);
/// The shortest text that reads back as the same number: "0.92".
[[nodiscard]] std::string shortestNumber(double value);

} // namespace vramscope
