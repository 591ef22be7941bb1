// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace vramscope {

/// The longest document that is read as JSON: far above any plan with a config.json inside.
inline constexpr std::size_t kLongestDocument = std::size_t(1) << 20;

/// Checks that a text is one JSON value without duplicate keys, not too deep and of at most
/// `longest` bytes, so that building it is cheap and loses nothing. The error gives the place.
[[nodiscard]] Result<void> checkJson(std::string_view text, std::size_t longest = kLongestDocument);

/// The value of a JSON text; a discarded one for other text. Declared here because the parser takes
/// seconds to compile wherever it is used.
[[nodiscard]] nlohmann::ordered_json parsedJson(std::string_view text);

/// A value as JSON, on one line unless `indent` is given. Invalid UTF-8 becomes U+FFFD, and
/// characters that a terminal would act on are escaped: the same value, and safe to display.
[[nodiscard]] std::string jsonText(const nlohmann::ordered_json &json, int indent = -1);

/// A JSON object without white space, with keys in their order; an error for other text.
[[nodiscard]] Result<std::string> compactObject(std::string_view text);

} // namespace vramscope
