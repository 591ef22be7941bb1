// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import.h"
#include "ui/document/document.h"

namespace vramscope {

/// A plan as a tab shows it: a document of ours, or one made of another tool's file.
[[nodiscard]] DocumentPointer planDocument(Plan plan);
[[nodiscard]] DocumentPointer planDocument(Imported imported);

/// The lines of a plan's file that redaction changes.
[[nodiscard]] std::vector<Replaced> changedLines(const Plan &plan, const Redaction &redaction);

} // namespace vramscope
