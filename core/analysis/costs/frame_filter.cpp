// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_filter.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/pattern.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::size_t kLongestQuoted = 60; // of a pattern in an error

constexpr std::array<std::pair<std::string_view, FrameOrigin>, 4> kOrigins{{
    {"@user", FrameOrigin::User},
    {"@library", FrameOrigin::Library},
    {"@framework", FrameOrigin::Framework},
    {"@plumbing", FrameOrigin::Plumbing},
}};

// Searches texts of a trace for the pattern of a rule; each text is searched once.
class Searcher
{
public:
    Searcher(const FrameRule &rule, const Trace &trace)
        : m_rule(rule)
        , m_trace(trace)
    {
        if (rule.match != FrameRule::Match::Regex)
            return;
        if (Result<Pattern> pattern = Pattern::of(rule.pattern); pattern)
            m_regex = std::move(*pattern);
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
            known->second = m_rule.match == FrameRule::Match::Regex ? m_regex && m_regex->isIn(text)
                                                                    : isIn(text);
        }
        return known->second;
    }

    const FrameRule &m_rule;
    const Trace &m_trace;
    std::optional<Pattern> m_regex;
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
        if (const Result<Pattern> known = Pattern::of(pattern); !known)
            return invalid("the pattern \"" + excerpt(text, kLongestQuoted) + "\" " +
                           known.error().detail);
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
