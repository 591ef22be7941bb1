// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/validation/measured.h"

#include <QString>

namespace vramscope {

/// "+0.35 %", "−12.5 %"; signed.
[[nodiscard]] QString errorText(double percent);
/// The same without a sign.
[[nodiscard]] QString absoluteErrorText(double percent);

/// A row of a rich text's table; nothing of an empty text.
[[nodiscard]] QString factLine(const QString &name, const QString &text);

/// All that is known of a row, as the rich text of a tooltip.
[[nodiscard]] QString rowToolTip(const ComparedFigure &row, ByteUnit unit);

} // namespace vramscope
