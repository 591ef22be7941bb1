// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "core/base/format.h"

#include <charconv>
#include <iostream>

namespace vramscope::cli {

void complain(std::string_view subject, std::string_view text)
{
    std::cerr << "vramscope-cli: " << printable(subject) << ": " << printable(text) << '\n';
}

Result<int> wholeNumber(std::string_view text, int least)
{
    int number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size() || number < least)
        return Error{ErrorCode::Invalid, "\"" + std::string(text) +
                                             "\" is not a whole number of at least " +
                                             std::to_string(least)};
    return number;
}

} // namespace vramscope::cli
