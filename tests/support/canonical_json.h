// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope::test {

/// A JSON text with the keys of each object in order and no blanks, fractions as texts of six
/// digits: equal for equal values. Empty where the text is no JSON.
[[nodiscard]] std::string canonicalJson(std::string_view text);

/// Where two JSON texts first differ, and the two values; empty where they are equal.
[[nodiscard]] std::string firstDifference(std::string_view a, std::string_view b);

/// The member of a JSON object as JSON text; empty where there is none.
[[nodiscard]] std::string memberText(std::string_view object, const std::string &key);

/// A JSON value without the members of this name, of whatever object in it.
[[nodiscard]] std::string withoutMember(std::string_view text, const std::string &key);

/// A JSON object with the first `most` rows of its "kernels" and "operators" alone.
[[nodiscard]] std::string withFirstRows(std::string_view object, std::size_t most);

} // namespace vramscope::test
