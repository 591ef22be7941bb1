// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace vramscope::fuzz {

/// Ends the program where a text for people is empty, is no UTF-8, or holds a character that a
/// terminal would act on, line ends aside.
void checkText(std::string_view text);

/// Ends the program where a document is no JSON, or no text that a terminal may show.
void checkJsonText(std::string_view json);

/// What `write` gives, where it gives the same a second time.
[[nodiscard]] std::string twice(const std::function<std::string()> &write);

} // namespace vramscope::fuzz
