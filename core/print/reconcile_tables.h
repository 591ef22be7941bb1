// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconciliation.h"
#include "core/table/text_table.h"

#include <vector>

namespace vramscope {

// A plan compared with a recording as rows of text: for a terminal and for documents.

/// Headings, then mark, moment, predicted, recorded, difference and place of each moment.
[[nodiscard]] TextTable matchedMomentsTable(const Reconciliation &it, ByteUnit unit);
/// Headings, then part, predicted, recorded and difference at a moment.
[[nodiscard]] TextTable matchedPartsTable(const MatchedMoment &moment, ByteUnit unit);
/// Bytes and text: predicted, each reason, unexplained, recorded.
[[nodiscard]] TextTable reasonsTable(const Reconciliation &it, ByteUnit unit);
/// Bytes and text of the candidates of a kind.
[[nodiscard]] TextTable candidatesTable(const std::vector<Reason> &candidates, Reason::Kind kind,
                                        ByteUnit unit);
/// Headings, then level, predicted, recorded and where that is from.
[[nodiscard]] TextTable levelPairsTable(const std::vector<LevelPair> &levels, ByteUnit unit);
/// Headings, then field, planned, recorded and where that is from.
[[nodiscard]] TextTable calibrationsTable(const std::vector<Calibration> &constants, ByteUnit unit);

} // namespace vramscope
