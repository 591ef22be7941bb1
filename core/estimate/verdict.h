// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// How a plan compares with its GPU, the same three words in the window, in reports and on the
/// command line: the whole band of the device level is within the capacity; the best estimate is,
/// but not the upper end of the band; or the best estimate is beyond it. Public runs whose best
/// estimate was beyond the card while their tensors fit ended out of memory.
enum class Verdict { Fits, Tight, DoesNotFit };

/// In documents, "fits", "tight", "does_not_fit"; with blanks, inside a sentence.
[[nodiscard]] std::string_view verdictKey(Verdict verdict);
[[nodiscard]] std::string_view verdictWord(Verdict verdict);

/// Whether the load fits vLLM's pool at the upper end of the pool's range and not at the lower.
[[nodiscard]] bool cacheDecides(const Estimate &estimate);

/// Nothing without figures or capacity. A plan whose cache is too small for its load does not fit,
/// whatever the headroom.
[[nodiscard]] std::optional<Verdict> verdictOf(const Estimate &estimate);

/// Whether a plan whose best estimate is beyond the capacity may still fit: the band reaches below.
[[nodiscard]] bool mayStillFit(const Estimate &estimate);

/// The word of its verdict inside a sentence, "probably does not fit" where it may still fit; empty
/// without a verdict.
[[nodiscard]] std::string verdictWord(const Estimate &estimate);

} // namespace vramscope
