// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace vramscope {

/// A yes or no, a number or a text of a parsed JSON document as a field's value, whole numbers
/// beyond 64 bits as the nearest double; empty for anything else.
template<class Json>
[[nodiscard]] std::optional<FieldValue> scalarOf(const Json &json)
{
    if (json.is_boolean())
        return json.template get<bool>();
    if (json.is_number_unsigned() && json.template get<std::uint64_t>() >
                                         std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        return json.template get<double>();
    if (json.is_number_integer())
        return json.template get<std::int64_t>();
    if (json.is_number())
        return json.template get<double>();
    if (json.is_string())
        return json.template get<std::string>();
    return std::nullopt;
}

} // namespace vramscope
