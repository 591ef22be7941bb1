// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/format.h"
#include "core/reconcile/recorded_step.h"
#include "core/report/report.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// Something about a recording that its reader should know first.
struct RecordedFinding
{
    std::string text;        ///< a few words
    std::string explanation; ///< what it means and what to do
    bool isBad = false;
};

/// One device of a recording with all that was found out about it, as a section of a report.
struct TraceSubject : RecordedDevice
{
    const DeviceSummary &summary;
    const AddressSpace &space;
    const Leaks &leaks;
    std::span<const OutOfMemoryReport> failures;
    AllocatorRules rules;
    std::vector<RecordedFinding> findings;
    std::string file;       ///< as it is shown
    std::size_t number = 1; ///< of the section, which its pictures are known by
};

/// What happened in one sentence, the findings, pictures ("active", "bands", "stacks", "state"),
/// the figures, why memory ran out and what would have helped, what stands at the peak by place and
/// by category, what reserved memory consisted of, steps, what grows, and the settings.
void addTraceSection(Report &report, const TraceSubject &subject, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
