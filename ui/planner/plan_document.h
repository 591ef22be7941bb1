// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/exchange/import.h"
#include "ui/document/document.h"
#include "ui/export/table.h"

namespace vramscope {

/// A plan as a tab shows it: a document of ours, or one made of another tool's file.
[[nodiscard]] DocumentPointer planDocument(Plan plan);
[[nodiscard]] DocumentPointer planDocument(Imported imported);

/// The lines of a plan's file that redaction changes.
[[nodiscard]] std::vector<Replaced> changedLines(const Plan &plan, const Redaction &redaction);

class PlanPage;

/// The figures of the view that is in front in the lower card, or, where that has none, the parts
/// of the plan at its peak.
[[nodiscard]] Table planTable(const PlanPage &page);

/// The parts of a plan at its peak, with what lies outside them.
[[nodiscard]] Table breakdownTable(const Estimate &estimate, ByteUnit unit);

} // namespace vramscope
