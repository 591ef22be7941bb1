// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"

#include "core/base/format.h"

namespace vramscope {

std::string counted(std::int64_t count, std::string_view one)
{
    return countedAs(formatCount(count), one);
}

std::string countedAs(std::string_view number, std::string_view one)
{
    std::string text = std::string(number) + ' ' + std::string(one);
    if (number == "1")
        return text;
    constexpr std::string_view kVowels = "aeiou";
    const bool isHissing =
        one.ends_with("ch") || one.ends_with("sh") || one.ends_with('x') || one.ends_with("ss");
    const bool changesY =
        one.size() > 1 && one.ends_with('y') && kVowels.find(one[one.size() - 2]) == kVowels.npos;
    if (changesY)
        text.pop_back();
    return text + (changesY ? "ies" : isHissing ? "es" : "s");
}

} // namespace vramscope
