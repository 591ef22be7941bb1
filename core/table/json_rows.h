// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>

namespace vramscope {

/// A fraction as documents have it, rounded to six digits as "%.6g" does; null of nothing.
[[nodiscard]] nlohmann::ordered_json rateJson(std::optional<double> value);

/// The rows as an array of objects with exact values, `most` of them (0: all): columns in the order
/// of `keys`, null where a value is not known. A key with a dot, "counters.launches", nests.
[[nodiscard]] nlohmann::ordered_json rowsJson(const DataTable &table,
                                              std::initializer_list<std::string_view> keys,
                                              std::size_t most = 0);

} // namespace vramscope
