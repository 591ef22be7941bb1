// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/validation/measured.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

// Sentences about the measured figures.

namespace vramscope {

/// A measured or predicted value of a row's figure: a size, or a plain number where the figure is
/// not in bytes.
[[nodiscard]] std::string measuredText(const MeasuredRow &row, double value, ByteUnit unit);
/// All that is known of a row: what each is, and its text, which may be empty.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
measuredFacts(const ComparedFigure &compared, ByteUnit unit);
/// One line: what was measured and what the plan says.
[[nodiscard]] std::string measuredSentence(const ComparedFigure &compared, ByteUnit unit);

/// How many figures there are and how well they are met, first of all.
[[nodiscard]] std::string validationAnswer(const Validation &validation);
/// Whose figures these are, which families are met worst, and what the words of the columns mean.
[[nodiscard]] std::string validationExplanation(const Validation &validation);
/// "24 of 339 rows: median error 0.4 %, 95 % within 4.1 %".
[[nodiscard]] std::string shownErrors(std::span<const ComparedFigure> shown, std::size_t all);

} // namespace vramscope
