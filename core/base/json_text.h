// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace vramscope {

/// Longest document that is read as JSON: far above any plan with a config.json inside.
inline constexpr std::size_t kLongestDocument = std::size_t(1) << 20;

/// Checks that a text is one JSON value without duplicate keys, not too deep and of at most
/// `longest` bytes, so that building it is cheap and loses nothing. The error says where it is not.
[[nodiscard]] Result<void> checkJson(std::string_view text, std::size_t longest = kLongestDocument);

/// The value of a JSON text; a discarded one where it is none. Here, because the parser takes
/// seconds to compile wherever it is used.
[[nodiscard]] nlohmann::ordered_json parsedJson(std::string_view text);

/// A value as JSON, on one line unless `indent` is given. What is no UTF-8 becomes U+FFFD, and what
/// a terminal would act on is escaped: the same value, and safe to look at.
[[nodiscard]] std::string jsonText(const nlohmann::ordered_json &json, int indent = -1);

/// A JSON object without white space, keys in their order; an error where it is none.
[[nodiscard]] Result<std::string> compactObject(std::string_view text);

} // namespace vramscope
