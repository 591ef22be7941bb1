// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_values.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

std::string_view optionValue(std::string_view options, std::string_view name)
{
    for (std::size_t at = options.find(name); at != options.npos; at = options.find(name, at + 1)) {
        const char before = at > 0 ? options[at - 1] : ' ';
        if (before != ' ' && before != '\'' && before != '"' && before != '(' && before != ',' &&
            before != '{')
            continue;
        std::string_view rest = options.substr(at + name.size());
        if (rest.starts_with('='))
            rest.remove_prefix(1);
        else if (rest.starts_with("': ") || rest.starts_with("\": "))
            rest.remove_prefix(3);
        else
            continue;
        if (rest.starts_with('\'') || rest.starts_with('"'))
            return rest.substr(1, std::min(rest.find(rest.front(), 1), rest.size()) - 1);
        return rest.substr(0, std::min(rest.find_first_of(",)} "), rest.size()));
    }
    return {};
}

std::optional<LogUnit> unitOfText(std::string_view text)
{
    constexpr std::array kReadUnits = {LogUnit::Byte, LogUnit::KiB, LogUnit::MiB,
                                       LogUnit::GiB,  LogUnit::TiB, LogUnit::KB,
                                       LogUnit::MB,   LogUnit::GB,  LogUnit::TB};
    constexpr std::array<std::pair<std::string_view, LogUnit>, 7> kOtherForms = {
        {{"bytes", LogUnit::Byte},
         {"byte", LogUnit::Byte},
         {"Bytes", LogUnit::Byte},
         {"K", LogUnit::KiB},
         {"M", LogUnit::MiB},
         {"G", LogUnit::GiB},
         {"T", LogUnit::TiB}}};
    const auto *const unit = std::ranges::find(kReadUnits, text, logUnitName);
    if (unit != kReadUnits.end())
        return *unit;
    const auto *const form =
        std::ranges::find(kOtherForms, text, &std::pair<std::string_view, LogUnit>::first);
    return form != kOtherForms.end() ? std::optional(form->second) : std::nullopt;
}

std::string_view commandValue(std::string_view command, std::string_view option)
{
    for (std::size_t at = command.find(option); at != command.npos;
         at = command.find(option, at + 1)) {
        const std::size_t end = at + option.size();
        if ((at > 0 && command[at - 1] != ' ') || end >= command.size() ||
            (command[end] != ' ' && command[end] != '='))
            continue;
        std::string_view value = command.substr(end + 1);
        value = value.substr(0, std::min(value.find_first_of(" \t\\'\","), value.size()));
        if (!value.empty() && value.front() != '-')
            return value;
    }
    return {};
}

bool goesOnWithSentence(std::string_view line)
{
    const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
    const char first = word.empty() ? '\0' : word.front();
    const bool isInner = (first >= 'a' && first <= 'z') || isDigit(first) || first == '(' ||
                         first == '-' || first == '`';
    return isInner && word.find_first_of(":=|/[") == word.npos;
}

} // namespace vramscope
