// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// How a plan stands against its card, the same three words in the window, in reports and on the
/// command line: the whole band of the device level is within the capacity; the band crosses it; or
/// even its lower end, which is never below what is allocated, is beyond it.
enum class Verdict { Fits, Tight, DoesNotFit };

/// "Fits", "Tight", "Does not fit"
[[nodiscard]] std::string_view verdictName(Verdict verdict);
/// In documents, "fits", "tight", "does_not_fit"; with blanks, inside a sentence.
[[nodiscard]] std::string_view verdictKey(Verdict verdict);
[[nodiscard]] std::string_view verdictWord(Verdict verdict);

/// Whether the load fits vLLM's pool at the upper end of the pool's range and not at the lower.
[[nodiscard]] bool cacheDecides(const Estimate &estimate);

/// Nothing where there are no figures or no capacity. A plan whose cache is too small for what it
/// is to serve does not fit, however much is to spare.
[[nodiscard]] std::optional<Verdict> verdictOf(const Estimate &estimate);

} // namespace vramscope
