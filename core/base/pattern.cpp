// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pattern.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

namespace vramscope {

namespace {

// Libraries other than GNU's recurse one frame per character: longer texts would exhaust the stack.
constexpr std::size_t kLongestMatched = 1000;

// GNU's library backtracks without bound ("(a+)+$" takes twice as long for every further character)
// unless it follows all ways at once, which back-references do not allow.
#ifdef __GLIBCXX__
constexpr auto kRegexOptions =
    std::regex::ECMAScript | std::regex::optimize | std::regex_constants::__polynomial;
#else
constexpr auto kRegexOptions = std::regex::ECMAScript | std::regex::optimize;
#endif

// The library parses groups and follows ways through a pattern by recursion: patterns that are
// longer than a bookmark's limit, nested deeper or, with the repetitions of "{…}" expanded, larger
// would exhaust the stack. With the address sanitizer, which needs most of it, 2,000 nested groups
// and 2,000 optional ones are still fine, 5,000 are not.
constexpr std::size_t kLongestPattern = 1000;
constexpr std::size_t kDeepestGroups = 50;
constexpr std::size_t kLargestWrittenOut = 2000;

/// The larger number in "{3,5}" at `at`, with `at` moved to the closing brace; 1 if it is not a
/// repetition.
std::size_t repeats(std::string_view pattern, std::size_t &at)
{
    const std::size_t end = pattern.find('}', at);
    if (end == pattern.npos)
        return 1;
    std::size_t most = 1;
    std::size_t number = 0;
    for (++at; at < end; ++at) {
        const bool digit = pattern[at] >= '0' && pattern[at] <= '9';
        number = digit ? std::min(number * 10 + static_cast<std::size_t>(pattern[at] - '0'),
                                  kLargestWrittenOut + 1)
                       : 0;
        most = std::max(most, number);
    }
    return most;
}

/// The end of the class "[…]" that begins at `at`.
std::size_t endOfClass(std::string_view pattern, std::size_t at)
{
    for (++at; at < pattern.size() && pattern[at] != ']'; ++at)
        at += pattern[at] == '\\' ? 1U : 0U;
    return at;
}

/// The size of a pattern, or why the library must not get it.
Result<std::size_t> writtenOut(std::string_view pattern)
{
    if (pattern.size() > kLongestPattern)
        return invalid("is longer than 1,000 bytes; give a shorter one");
    std::vector<std::size_t> sizes{0}; // of the open groups, expanded
    std::size_t last = 0;              // of the part that a brace would repeat
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c == '{') {
            const std::size_t more = last * (repeats(pattern, at) - 1);
            sizes.back() += more;
            last += more;
        } else if (c == '(') {
            sizes.push_back(1);
        } else if (c == ')' && sizes.size() > 1) {
            last = sizes.back();
            sizes.pop_back();
            sizes.back() += last;
        } else {
            at = c == '\\' ? at + 1 : c == '[' ? endOfClass(pattern, at) : at;
            last = 1;
            ++sizes.back();
        }
        if (sizes.size() > kDeepestGroups + 1)
            return invalid("nests groups deeper than 50 levels; write it with fewer");
        if (sizes.back() > kLargestWrittenOut)
            return invalid(
                "repeats too much in braces; write fewer than 2,000 characters with them");
    }
    return sizes.front();
}

} // namespace

struct Pattern::Compiled
{
    explicit Compiled(std::regex of)
        : regex(std::move(of))
    {
    }
    std::regex regex;
};

Result<Pattern> Pattern::of(std::string_view text)
{
    const Result<std::size_t> size = writtenOut(text);
    if (!size)
        return size.error();
    const Error none = invalid("is no regular expression (back-references are not supported)");
    try {
        // Compiled separately, or its parentheses might close those around it.
        static_cast<void>(std::regex(std::string(text), kRegexOptions));
        // One match of a whole text tries all starts at once; a search restarts at each.
        return Pattern(std::make_shared<const Compiled>(std::regex(
                           "[\\s\\S]*(?:" + std::string(text) + ")[\\s\\S]*", kRegexOptions)),
                       *size);
    } catch (const std::regex_error &) {
        return none;
    }
}

bool Pattern::isIn(std::string_view text) const
{
    const std::string_view head = text.substr(0, kLongestMatched);
    try {
        return std::regex_match(head.begin(), head.end(), m_compiled->regex);
    } catch (const std::regex_error &) { // too complex
        return false;
    }
}

} // namespace vramscope
