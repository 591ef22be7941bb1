// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/issue.h"

#include "core/plan/field_path.h"

namespace vramscope {

Issue issueOf(FieldPath field, Issue::Severity severity, std::string text)
{
    return {severity, std::string(field), std::move(text)};
}

std::string placed(const Issue &issue)
{
    const bool named = issue.field.empty() || issue.text.starts_with(issue.field);
    return named ? issue.text : issue.field + ": " + issue.text;
}

} // namespace vramscope
