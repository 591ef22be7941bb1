// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/finding.h"
#include "core/analysis/replayed/rehearsal.h"
#include "core/base/format.h"

#include <string>

namespace vramscope {

/// A finding of the study in a few words: "Leak suspected: 4.00 KiB a step".
[[nodiscard]] std::string findingText(const Study &study, const Finding &finding,
                                      ByteUnit unit = ByteUnit::Binary);

/// What it means and what to do: sentences, on one line but for a list of anomalies. Why memory
/// ran out is told where Study::failures() is made.
[[nodiscard]] std::string findingExplanation(const Study &study, const Finding &finding,
                                             ByteUnit unit = ByteUnit::Binary);

/// What a rehearsed recording is, and what is missing and assumed in it: sentences, on one line.
[[nodiscard]] std::string rehearsalText(const Rehearsal &rehearsal,
                                        ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
