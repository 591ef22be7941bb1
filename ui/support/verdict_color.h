// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"
#include "ui/support/theme.h"

#include <QString>

namespace vramscope {

/// The colour of a verdict, the same in every view.
[[nodiscard]] inline QColor verdictColor(Verdict verdict, const Theme &theme)
{
    return verdict == Verdict::Fits    ? theme.good
           : verdict == Verdict::Tight ? theme.warn
                                       : theme.bad;
}

/// The colour of `otherwise` if there is no verdict.
[[nodiscard]] inline QColor verdictColor(const std::optional<Verdict> &verdict, const Theme &theme,
                                         const QColor &otherwise)
{
    return verdict ? verdictColor(*verdict, theme) : otherwise;
}

/// "fits", "tight", "does not fit": inside a sentence.
[[nodiscard]] inline QString verdictText(Verdict verdict)
{
    return QString::fromUtf8(verdictWord(verdict).data(), qsizetype(verdictWord(verdict).size()));
}

} // namespace vramscope
