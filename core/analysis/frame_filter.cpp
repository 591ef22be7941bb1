// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/frame_filter.h"

#include "core/analysis/frame_text.h"

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

constexpr std::array<std::pair<std::string_view, FrameOrigin>, 4> kOrigins{{
    {"@user", FrameOrigin::User},
    {"@library", FrameOrigin::Library},
    {"@framework", FrameOrigin::Framework},
    {"@plumbing", FrameOrigin::Plumbing},
}};

std::optional<std::regex> compiled(const std::string &pattern)
{
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
        const auto lower = [](char letter) {
            return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        };
        const auto alike = [&lower](char a, char b) { return lower(a) == lower(b); };
        return m_rule.pattern.empty() ||
               std::search(text.begin(), text.end(), m_rule.pattern.begin(), m_rule.pattern.end(),
                           alike) != text.end();
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
        if (!compiled(pattern))
            return Error{ErrorCode::Invalid,
                         "\"" + std::string(text) +
                             "\" is no regular expression (back-references are not supported)"};
        return FrameRule{.hide = hide,
                         .origin = std::nullopt,
                         .match = FrameRule::Match::Regex,
                         .pattern = std::move(pattern)};
    }
    if (text.empty() || text.starts_with('@'))
        return Error{ErrorCode::Invalid,
                     "\"" + std::string(text) +
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
