// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/validation/measured.h"

#include <QString>

namespace vramscope {

// What the page about measured figures says, as pure functions of them.

/// "+0.35 %", "−12.5 %"; signed.
[[nodiscard]] QString errorText(double percent);
/// The same without a sign.
[[nodiscard]] QString absoluteErrorText(double percent);

/// A row of a rich text's table; nothing of an empty text.
[[nodiscard]] QString factLine(const QString &name, const QString &text);

/// A measured or predicted value of a row's figure: a size, or a plain number where the figure is
/// not in bytes.
[[nodiscard]] QString valueText(const MeasuredRow &row, double value, ByteUnit unit);

/// All that is known of a row, as the rich text of a tooltip.
[[nodiscard]] QString rowToolTip(const ComparedFigure &row, ByteUnit unit);
/// One line: what was measured and what the plan says.
[[nodiscard]] QString rowSentence(const ComparedFigure &row, ByteUnit unit);

/// How many figures there are and how well they are met, first of all.
[[nodiscard]] QString headlineText(const Validation &validation);
/// Whose figures these are, which families are met worst, and what the words of the columns mean.
[[nodiscard]] QString explanationText(const Validation &validation);
/// "24 of 339 rows: half within 0.4 %, 95 % within 4.1 %".
[[nodiscard]] QString shownText(std::span<const ComparedFigure> shown, std::size_t all);

} // namespace vramscope
