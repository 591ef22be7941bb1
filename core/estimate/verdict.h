// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// How a plan compares with its GPU, the same three words in the window, in reports and on the
/// command line: the whole band of the device level is within the capacity; the band crosses it; or
/// even its lower end, which is never below allocated memory, is beyond it.
enum class Verdict { Fits, Tight, DoesNotFit };

/// "Fits", "Tight", "Does not fit"
[[nodiscard]] std::string_view verdictName(Verdict verdict);
/// In documents, "fits", "tight", "does_not_fit"; with blanks, inside a sentence.
[[nodiscard]] std::string_view verdictKey(Verdict verdict);
[[nodiscard]] std::string_view verdictWord(Verdict verdict);

/// Whether the load fits vLLM's pool at the upper end of the pool's range and not at the lower.
[[nodiscard]] bool cacheDecides(const Estimate &estimate);

/// Nothing without figures or capacity. A plan whose cache is too small for its load does not fit,
/// whatever the headroom.
[[nodiscard]] std::optional<Verdict> verdictOf(const Estimate &estimate);

} // namespace vramscope
