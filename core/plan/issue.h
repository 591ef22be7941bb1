// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vramscope {

class FieldPath;

/// Something to tell the user about a plan. `field` is a path of the document, or empty.
struct Issue
{
    enum class Severity {
        Note,    ///< an assumption worth knowing
        Warning, ///< probably not what was meant
        Blocking ///< the plan contradicts itself: no figures
    };
    Severity severity = Severity::Note;
    std::string field;
    std::string text;
    bool operator==(const Issue &) const = default;
};

/// An issue of one field; others are of a group, "parallel", or of a place in model.config.
[[nodiscard]] Issue issueOf(FieldPath field, Issue::Severity severity, std::string text);

/// The text of an issue with its field in front, where it does not begin with it.
[[nodiscard]] std::string placed(const Issue &issue);

} // namespace vramscope
