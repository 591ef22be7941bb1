// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"

#include "core/base/format.h"

namespace vramscope {

std::string counted(std::int64_t count, std::string_view one)
{
    std::string text = formatCount(count) + ' ' + std::string(one);
    if (count == 1)
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
