// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "core/report/report.h"

#include <memory>
#include <string>

namespace vramscope {

/// One device of a recording as a section of a report.
struct ReportedTrace
{
    std::shared_ptr<const Study> study;
    std::string file;       ///< as it is shown
    std::size_t number = 1; ///< of the section, which its pictures are known by
};

/// What happened in one sentence, the findings, pictures ("active", "bands", "stacks", "state"),
/// the figures, why memory ran out and what would have helped, what is live at the peak by place
/// and by category, what reserved memory consisted of, steps, what grows, and the settings.
void addTraceSection(Report &report, const ReportedTrace &trace, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
