// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/allocation_filter.h"

#include "core/base/query_words.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace vramscope {

namespace {

using Int64 = std::int64_t;

Error wrong(std::string_view word, const std::string &why)
{
    return Error{ErrorCode::Invalid, "\"" + excerpt(word, 60) + "\": " + why};
}

struct Scale
{
    std::string_view unit;
    double factor;
};

constexpr std::array<Scale, 6> kTimes{
    {{"us", 1}, {"µs", 1}, {"ms", 1e3}, {"s", 1e6}, {"min", 60e6}, {"h", 3600e6}}};

// "1.5GiB" in the units of a table; nothing if it is not a number, is too large, or has an unknown
// unit.
template<std::size_t Count>
std::optional<Int64> scaled(std::string_view text, const std::array<Scale, Count> &scales)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0)
        return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const Scale &scale : scales) {
        const double result = std::round(value * scale.factor);
        if (scale.unit == unit && result < 9e18)
            return static_cast<Int64>(result);
    }
    return std::nullopt;
}

std::optional<Error> addRange(AllocationFilter &filter, std::string_view word, std::string_view key,
                              std::string_view rest)
{
    const std::string_view relation = rest.substr(0, rest.size() > 1 && rest[1] == '=' ? 2 : 1);
    const std::string_view number = rest.substr(relation.size());
    if (key == "size") {
        const auto bytes = queriedSize(number);
        if (!bytes)
            return wrong(word, "give a size such as size>10MiB");
        filter.size.narrow(relation, *bytes);
        return std::nullopt;
    }
    constexpr std::array<Scale, 1> kEvents{{{"ev", 1}}};
    if (const auto events = scaled(number, kEvents))
        filter.events.narrow(relation, *events);
    else if (const auto time = scaled(number, kTimes))
        filter.microseconds.narrow(relation, *time);
    else
        return wrong(word,
                     "give a time such as life>2ms, or a number of events such as life>100ev");
    return std::nullopt;
}

// The names used in a query: one word each.
std::string categoryNames()
{
    std::string names;
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at)
        names += (at ? ", " : "") + std::string(categoryWord(static_cast<Category>(at)));
    std::string result;
    for (std::size_t at = 0; at < names.size(); ++at) // the blanks inside a name
        result += names[at] == ' ' && names[at - 1] != ',' ? '-' : names[at];
    return result;
}

std::optional<Error> addChoice(AllocationFilter &filter, std::string_view word,
                               std::string_view key, std::string_view value)
{
    Int64 number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool isNumber = error == std::errc() && end == value.data() + value.size();
    if (key == "stream") {
        if (!isNumber)
            return wrong(word, "give the stream as the file does, such as stream:0");
        filter.stream = number;
    } else if (key == "stack") {
        if (!isNumber || number < 0 || number > std::numeric_limits<std::int32_t>::max())
            return wrong(word, "give the number of a stack, such as stack:12");
        filter.stack = static_cast<StackId>(number);
    } else if (key == "alive") {
        if (!isNumber || number < -1 || number >= AllocationFilter::kAtCursor)
            return wrong(word, "give the number of an event, such as alive:1234");
        filter.aliveAfter = static_cast<EventIndex>(number);
    } else if (key == "pool") {
        if (value != "private" && value != "default")
            return wrong(word, "pools are pool:default and pool:private");
        filter.privatePool = value == "private";
    } else {
        std::string name(value);
        std::ranges::replace(name, '-', ' ');
        filter.category = categoryOfWord(name);
        if (!filter.category)
            return wrong(word, "the categories are " + categoryNames());
    }
    return std::nullopt;
}

std::optional<Error> addWord(AllocationFilter &filter, const std::string &text)
{
    const std::string_view word = text;
    if (word == "alive") {
        filter.aliveAfter = AllocationFilter::kAtCursor;
        return std::nullopt;
    }
    if (word == "freed" || word == "unfreed") {
        filter.freed = word == "freed";
        return std::nullopt;
    }
    for (const std::string_view key : {"size", "life"}) {
        if (word.starts_with(key) && word.size() > key.size() &&
            std::string_view("<>=").find(word[key.size()]) != std::string_view::npos)
            return addRange(filter, word, key, word.substr(key.size()));
    }
    for (const std::string_view key : {"size", "life"}) { // not text from a name
        const std::string_view rest = word.substr(std::min(key.size(), word.size()));
        if (word.starts_with(key) && rest.size() > 1 &&
            (rest.starts_with("!=") || (rest[0] == ':' && rest[1] >= '0' && rest[1] <= '9')))
            return wrong(word, "give a relation: <, <=, =, >= or >, such as " + std::string(key) +
                                   (key == "size" ? ">10MiB" : ">2ms"));
    }
    for (const std::string_view key : {"stack", "stream", "alive", "pool", "category"}) {
        if (word.starts_with(key) && word.size() > key.size() && word[key.size()] == ':')
            return addChoice(filter, word, key, word.substr(key.size() + 1));
    }
    if (word.size() > 2 && word.starts_with('/') && word.ends_with('/')) {
        auto rule = parseFrameRule(word, false);
        if (!rule)
            return rule.error();
        filter.frames.push_back(std::move(rule).value());
        return std::nullopt;
    }
    filter.frames.push_back(
        {.hide = false, .origin = std::nullopt, .pattern = text, .ignoreCase = true});
    return std::nullopt;
}

} // namespace

Result<AllocationFilter> parseAllocationFilter(std::string_view query)
{
    AllocationFilter filter;
    for (const std::string &word : queryWords(query)) {
        if (word.empty())
            continue;
        if (auto error = addWord(filter, word))
            return *std::move(error);
    }
    return filter;
}

} // namespace vramscope
