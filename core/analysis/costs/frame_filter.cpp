// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_filter.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <regex>
#include <unordered_map>

namespace vramscope {

namespace {

// Matching takes time in the square of the length, and libraries other than GNU's recurse a frame
// a character: longer texts would take long, or exhaust the stack.
constexpr std::size_t kLongestMatched = 1000;

// GNU's library backtracks without bound ("(a+)+$" takes twice as long for every character more)
// unless it is told to follow all ways at once, which back-references do not allow.
#ifdef __GLIBCXX__
constexpr auto kRegexOptions =
    std::regex::ECMAScript | std::regex::optimize | std::regex_constants::__polynomial;
#else
constexpr auto kRegexOptions = std::regex::ECMAScript | std::regex::optimize;
#endif

constexpr std::size_t kLongestQuoted = 60; // of a pattern in an error

constexpr std::array<std::pair<std::string_view, FrameOrigin>, 4> kOrigins{{
    {"@user", FrameOrigin::User},
    {"@library", FrameOrigin::Library},
    {"@framework", FrameOrigin::Framework},
    {"@plumbing", FrameOrigin::Plumbing},
}};

// The library parses groups and follows ways through a pattern by recursion: patterns that are
// longer than a bookmark holds, nested deeper or, with what "{…}" repeats written out, larger would
// exhaust the stack. With the address sanitizer, which needs most of it, 2,000 nested groups and
// 2,000 optional ones are still fine, 5,000 are not.
constexpr std::size_t kLongestPattern = 1000;
constexpr std::size_t kDeepestGroups = 50;
constexpr std::size_t kLargestWrittenOut = 2000;

/// The larger number in "{3,5}" at `at`, and moves `at` to the closing brace; 1 where it is none.
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

/// Where the class "[…]" ends that begins at `at`.
std::size_t endOfClass(std::string_view pattern, std::size_t at)
{
    for (++at; at < pattern.size() && pattern[at] != ']'; ++at)
        at += pattern[at] == '\\' ? 1U : 0U;
    return at;
}

/// Why a pattern is not given to the library; empty where it is.
std::string whyNot(std::string_view pattern)
{
    if (pattern.size() > kLongestPattern)
        return "is longer than 1,000 bytes; give a shorter one";
    std::vector<std::size_t> sizes{0}; // of the open groups, written out
    std::size_t last = 0;              // of what a brace would repeat
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
            return "nests groups deeper than 50 levels; write it with fewer";
        if (sizes.back() > kLargestWrittenOut)
            return "repeats too much in braces; write fewer than 2,000 characters with them";
    }
    return {};
}

std::optional<std::regex> compiled(const std::string &pattern)
{
    if (!whyNot(pattern).empty())
        return std::nullopt;
    try {
        return std::regex(pattern, kRegexOptions);
    } catch (const std::regex_error &) {
        return std::nullopt;
    }
}

bool found(const std::optional<std::regex> &regex, std::string_view text)
{
    if (!regex)
        return false;
    const std::string_view head = text.substr(0, kLongestMatched);
    try {
        return std::regex_search(head.begin(), head.end(), *regex);
    } catch (const std::regex_error &) { // too complex
        return false;
    }
}

// Tells whether the pattern of a rule is in texts of a trace; each text is searched once.
class Searcher
{
public:
    Searcher(const FrameRule &rule, const Trace &trace)
        : m_rule(rule)
        , m_trace(trace)
        , m_regex(rule.match == FrameRule::Match::Regex ? compiled(rule.pattern) : std::nullopt)
    {
    }

    bool holds(const Frame &frame)
    {
        return m_rule.pattern.empty() || isIn(frame.name) || isIn(frame.file);
    }

private:
    bool isIn(std::string_view text) const
    {
        if (!m_rule.ignoreCase)
            return text.find(m_rule.pattern) != text.npos;
        return lowered(text).find(lowered(m_rule.pattern)) != text.npos;
    }

    bool isIn(StringId id)
    {
        const auto [known, isNew] = m_known.try_emplace(id, false);
        if (isNew) {
            const std::string_view text = m_trace.text(id);
            known->second =
                m_rule.match == FrameRule::Match::Regex ? found(m_regex, text) : isIn(text);
        }
        return known->second;
    }

    const FrameRule &m_rule;
    const Trace &m_trace;
    std::optional<std::regex> m_regex;
    std::unordered_map<StringId, bool> m_known;
};

} // namespace

FrameFilter defaultFrameFilter()
{
    return {{{.hide = true, .origin = FrameOrigin::Plumbing, .pattern = {}}}, true};
}

Result<FrameRule> parseFrameRule(std::string_view text, bool hide)
{
    const auto origin =
        std::ranges::find(kOrigins, text, [](const auto &row) { return row.first; });
    if (origin != kOrigins.end())
        return FrameRule{.hide = hide, .origin = origin->second, .pattern = {}};
    if (text.size() > 2 && text.starts_with('/') && text.ends_with('/')) {
        std::string pattern(text.substr(1, text.size() - 2));
        if (const std::string reason = whyNot(pattern); !reason.empty())
            return Error{ErrorCode::Invalid,
                         "the pattern \"" + excerpt(text, kLongestQuoted) + "\" " + reason};
        if (!compiled(pattern))
            return Error{ErrorCode::Invalid,
                         "\"" + excerpt(text, kLongestQuoted) +
                             "\" is no regular expression (back-references are not supported)"};
        return FrameRule{.hide = hide,
                         .origin = std::nullopt,
                         .match = FrameRule::Match::Regex,
                         .pattern = std::move(pattern)};
    }
    if (text.empty() || text.starts_with('@'))
        return Error{ErrorCode::Invalid,
                     "\"" + excerpt(text, kLongestQuoted) +
                         "\" names no frames; give a text, /a regular expression/ "
                         "or @user, @library, @framework, @plumbing"};
    return FrameRule{.hide = hide, .origin = std::nullopt, .pattern = std::string(text)};
}

std::vector<bool> shownFrames(const Trace &trace, const FrameFilter &filter)
{
    std::vector<Searcher> searchers;
    for (const FrameRule &rule : filter.rules)
        searchers.emplace_back(rule, trace);
    FrameOrigins origins(trace);
    std::vector<bool> shown(trace.frameCount(), true);
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const auto id = static_cast<FrameId>(at);
        for (std::size_t rule = 0; rule < filter.rules.size(); ++rule) {
            const FrameRule &each = filter.rules[rule];
            if ((each.origin && origins.of(id) != *each.origin) ||
                !searchers[rule].holds(trace.frame(id)))
                continue;
            shown[at] = !each.hide;
            break;
        }
    }
    return shown;
}

} // namespace vramscope
