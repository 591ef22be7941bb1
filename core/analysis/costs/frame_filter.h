// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/frame_rules.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// Hides or shows the frames that meet all of its conditions.
struct FrameRule
{
    enum class Match { Text, Regex };

    bool hide = true;
    std::optional<FrameOrigin> origin; ///< frames of this origin
    Match match = Match::Text;
    std::string pattern;     ///< in "name" or in the file's path; empty matches all
    bool ignoreCase = false; ///< for Text: ignores the case of ASCII letters
    bool operator==(const FrameRule &) const = default;
};

/// Which frames of a stack a call tree shows. The first matching rule decides; a frame without a
/// matching rule is shown.
struct FrameFilter
{
    std::vector<FrameRule> rules;
    bool foldRecursion = true; ///< a function that calls itself becomes one frame
};

/// Hides the plumbing: unwinder, interpreter, dispatcher.
[[nodiscard]] FrameFilter defaultFrameFilter();

/// A rule from "text", "/regex/" (ECMAScript without back-references) or "@user", "@library",
/// "@framework", "@plumbing". Fails with the reason if the text is empty, the regular expression is
/// wrong, or the set does not exist.
[[nodiscard]] Result<FrameRule> parseFrameRule(std::string_view text, bool hide);

/// Which frames of `trace` are shown, by FrameId. Linear in the frames; regular expressions match
/// only the first 1,000 characters of a name or path. A wrong one matches nothing.
[[nodiscard]] std::vector<bool> shownFrames(const Trace &trace, const FrameFilter &filter);

} // namespace vramscope
