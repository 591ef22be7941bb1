// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// One value of a JSON document, and its path: "zero_optimization.stage".
struct FlatValue
{
    std::string path;
    FieldValue value; ///< null is monostate; a list is its elements as text
};

/// The values of a JSON object in their order, objects within it opened up to four levels. An
/// object deeper than that is the text "{…}", one within a list its own JSON. Empty where the text
/// is no object.
[[nodiscard]] std::optional<std::vector<FlatValue>> flattened(std::string_view json);

} // namespace vramscope
