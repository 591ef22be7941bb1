// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/table/text_table.h"

namespace vramscope {

// The figures of an estimate as rows of text, without headings: for a terminal and for documents.

/// "Parameters: 8,030,261,248, … active, … on one GPU before sharding".
[[nodiscard]] std::string parametersText(const Estimate &estimate);
/// Name, size and note of the three levels, of the first step, at rest, on the host; then shares.
[[nodiscard]] TextTable levelsTable(const Estimate &estimate, ByteUnit unit);
/// Category, part, size, share and formula at the peak; then the levels that they add up to.
[[nodiscard]] TextTable componentsTable(const Estimate &estimate, ByteUnit unit);
/// Name and allocated bytes of each moment, and which is the peak.
[[nodiscard]] TextTable momentsTable(const Estimate &estimate, ByteUnit unit);
/// Of reinforcement learning: phase, the trainer's bytes, the engine's, the device's, when.
[[nodiscard]] TextTable phasesTable(const Estimate &estimate, ByteUnit unit);
/// Peak of each stage of a pipeline, and which one the figures are of.
[[nodiscard]] TextTable stagesTable(const Estimate &estimate, ByteUnit unit);
/// What serving engines print of themselves.
[[nodiscard]] TextTable inferenceTable(const Estimate &estimate, ByteUnit unit);

} // namespace vramscope
