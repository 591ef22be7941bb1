// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"
#include "ui/support/fact_table.h"

#include <QString>

#include <vector>

namespace vramscope {

// What the page about published training speeds says, as pure functions of them.

/// Tokens a second and GPU: "1,035", "64.5".
[[nodiscard]] QString tokensText(double tokens);
/// "4,638 to 9,646": what the catalogue's rates alone predict.
[[nodiscard]] QString catalogueText(const ComparedSpeed &row);
/// "calibrated on mpt-003", "calibrates its family", …
[[nodiscard]] QString basisText(const ComparedSpeed &row);
/// How the prediction fares: "within 5 %", "beyond 10 %", "in the range", "outside the range";
/// "not a prediction" of a run that calibrates.
[[nodiscard]] QString outcomeText(const ComparedSpeed &row, const SpeedValidation &speeds);
/// Whether a prediction lies beyond the target of its family, or outside its range.
[[nodiscard]] bool isMissed(const ComparedSpeed &row, const SpeedValidation &speeds);
/// "512 × H100 SXM5 80 GB"; nothing where the run has no plan.
[[nodiscard]] QString devicesText(const ComparedSpeed &row);

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
