// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/fit.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A line of what was found.
struct FitLine
{
    std::string answer; ///< what matters most, before the text; empty in most lines
    std::string text;
};

/// Settings in the words of whoever shows them: "Tensor parallel 4, Pipeline 2".
using SettingsWords = std::function<std::string(std::span<const FieldSetting>)>;

/// What was found, in sentences: the answer with its figures, and the step that does not fit any
/// more. Nothing of ways to fit.
[[nodiscard]] std::vector<FitLine> fitLines(const Fit &fit, const SettingsWords &words,
                                            ByteUnit unit);

} // namespace vramscope
