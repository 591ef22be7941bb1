// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace vramscope {

using TextList = std::vector<std::string>;
using CountList = std::vector<std::int64_t>;

/// The value of a field as the document holds it; monostate where the document does not state it.
/// Choices are their text. A model.config is its JSON text.
using FieldValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, TextList, CountList>;

[[nodiscard]] inline bool isStated(const FieldValue &value)
{
    return !std::holds_alternative<std::monostate>(value);
}

} // namespace vramscope
