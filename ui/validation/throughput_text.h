// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"
#include "ui/support/fact_table.h"

#include <QString>

#include <vector>

namespace vramscope {

// What the page about published training speeds says, as pure functions of them.

/// One line: what was published and what is projected.
[[nodiscard]] QString speedSentence(const ComparedSpeed &row);
/// What the run is and rests on, and its source, as rich text.
[[nodiscard]] QString speedFacts(const ComparedSpeed &row);
/// The parts of the projected step, each with its rate, and as a tip the source of that.
[[nodiscard]] std::vector<FactRow> termRows(const ComparedSpeed &row);

/// How many runs there are and how well they are met, first of all.
[[nodiscard]] QString speedHeadline(const SpeedValidation &speeds);
/// What is compared, and what the words mean.
[[nodiscard]] QString speedExplanation(const SpeedValidation &speeds);

} // namespace vramscope
