// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/report/report.h"

#include <string>

namespace vramscope {

/// A plan with what it needs, as one section of a report.
struct PlanSubject
{
    const Plan &plan;
    const Estimate &estimate;
    std::string file;       ///< as it is shown
    std::size_t number = 1; ///< of the section, which its pictures are known by
};

/// The plan's name, or else that of its file.
[[nodiscard]] std::string planTitle(const PlanSubject &subject);

/// The answer, every issue that is more than an assumption, pictures ("bars", "step"), the levels,
/// parts, moments, ways to fit, assumptions with every setting in force, formulas with their
/// sources, and the document; the plan travels with the report. Some milliseconds, for the ways.
void addPlanSection(Report &report, const PlanSubject &subject, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
