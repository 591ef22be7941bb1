// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vramscope {

// Converts settings of foreign files to one type: command lines have numbers and switches as text.

[[nodiscard]] std::optional<double> asNumber(const FieldValue &value);
/// Accepts "5e8" and 5e8 too, within the exact range of a double.
[[nodiscard]] std::optional<std::int64_t> asCount(const FieldValue &value);
/// true, "True", "1" and their opposites.
[[nodiscard]] std::optional<bool> asFlag(const FieldValue &value);
/// In the form used in messages.
[[nodiscard]] std::string shownSetting(const FieldValue &value);
/// The shortest text that reads back as the same number: "0.92".
[[nodiscard]] std::string shortestNumber(double value);

} // namespace vramscope
