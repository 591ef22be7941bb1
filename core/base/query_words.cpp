// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/query_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::string_view kQueryBlanks = " \t\r\n";

bool isQueryBlank(char c)
{
    return kQueryBlanks.find(c) != kQueryBlanks.npos;
}

// The end of the quoted text or regular expression that begins at `at`; npos if it has no end. A
// path begins with a slash too; a regular expression ends with one and a blank, and a slash after a
// blank begins another word. A backslash before a slash there makes it a part of the text.
std::size_t closingMark(std::string_view query, std::size_t at)
{
    const char mark = query[at];
    if (mark == '"')
        return query.find(mark, at + 1);
    for (std::size_t end = at + 1; mark == '/' && end < query.size(); ++end) {
        if (query[end] == '\\')
            ++end;
        else if (query[end] == '/' && (end + 1 == query.size() || isQueryBlank(query[end + 1])))
            return end;
        else if (query[end] == '/' && isQueryBlank(query[end - 1]))
            return query.npos;
    }
    return query.npos;
}

struct SizeUnit
{
    std::string_view name;
    double bytes;
};
constexpr std::array<SizeUnit, 10> kSizeUnits{{{"", 1},
                                               {"B", 1},
                                               {"KiB", 1024},
                                               {"MiB", 1048576},
                                               {"GiB", 1073741824},
                                               {"TiB", 1099511627776},
                                               {"KB", 1e3},
                                               {"MB", 1e6},
                                               {"GB", 1e9},
                                               {"TB", 1e12}}};

} // namespace

std::vector<std::string> queryWords(std::string_view query)
{
    std::vector<std::string> result;
    std::size_t at = 0;
    while (at < query.size()) {
        if (isQueryBlank(query[at])) {
            ++at;
            continue;
        }
        if (const std::size_t end = closingMark(query, at); end != query.npos) {
            result.emplace_back(query[at] == '"' ? query.substr(at + 1, end - at - 1)
                                                 : query.substr(at, end - at + 1));
            at = end + 1;
            continue;
        }
        const std::size_t end = std::min(query.find_first_of(kQueryBlanks, at), query.size());
        result.emplace_back(query.substr(at, end - at));
        at = end;
    }
    return result;
}

std::optional<Bytes> queriedSize(std::string_view text)
{
    constexpr double kMost = 9e18;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0)
        return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const SizeUnit &each : kSizeUnits) {
        const double result = std::round(value * each.bytes);
        if (each.name == unit && result < kMost)
            return static_cast<Bytes>(result);
    }
    return std::nullopt;
}

void QueriedRange::narrow(std::string_view relation, std::int64_t value)
{
    const bool equal = relation == "=" || relation == "==";
    if (equal || relation == ">=")
        least = std::max(least, value);
    if (equal || relation == "<=")
        most = std::min(most, value);
    if (relation == ">")
        least = std::max(least, value + 1);
    if (relation == "<")
        most = std::min(most, value - 1);
}

std::string_view relationOf(std::string_view text)
{
    for (const std::string_view relation : {"<=", ">=", "==", "<", ">", "="}) {
        if (text.starts_with(relation))
            return relation;
    }
    return {};
}

} // namespace vramscope
