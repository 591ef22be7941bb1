// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/problem_text.h"

#include "core/base/counted.h"
#include "core/base/format.h"

namespace vramscope {

std::string problemText(const Problem &problem)
{
    std::string text = printable(problem.kind);
    std::string where = problem.count > 1 ? counted(problem.count, "time") : std::string();
    if (problem.firstOffset >= 0)
        where +=
            (where.empty() ? "at byte " : ", first at byte ") + formatCount(problem.firstOffset);
    return where.empty() ? text : text + " (" + where + ")";
}

} // namespace vramscope
