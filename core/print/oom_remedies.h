// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/base/finding.h"
#include "core/base/format.h"

#include <cstddef>
#include <string>
#include <vector>

namespace vramscope {

/// A remedy in words.
struct RemedyText
{
    std::string title;   ///< "Half the micro-batch, or half the sequence"
    std::string name;    ///< its first choice alone: "Half the micro-batch"
    std::string means;   ///< the others, or what it does: "or half the sequence"
    std::string gives;   ///< "up to 13.2 GiB", "about 9.2 GiB"
    std::string verdict; ///< whether that is enough, and for what: "may be enough for the step"
    std::string brief;   ///< the same in few words: "may be enough"
    Tone tone;           ///< of the verdict
    std::string text;    ///< why, and what it rests on: sentences
};

/// What would help against a failure, by cause.
[[nodiscard]] std::vector<RemedyText> remedyTexts(const OutOfMemoryReport &failure,
                                                  const OutOfMemoryAdvice &advice, ByteUnit unit);

/// What would make a peak smaller, in the order of adviseOnPeak(); the verdicts mean nothing.
[[nodiscard]] std::vector<RemedyText> peakRemedyTexts(const OutOfMemoryAdvice &advice,
                                                      ByteUnit unit);

/// The order in which a page or a slide lists remedies: those that are sure to be enough first;
/// another device, which is not up to the program, after the likely ones. Indices of `texts`.
[[nodiscard]] std::vector<std::size_t> surestFirst(const OutOfMemoryAdvice &advice,
                                                   const std::vector<RemedyText> &texts);

/// Why the request failed, who made it and what was missing: one sentence.
[[nodiscard]] std::string outOfMemorySentence(const Study &study, const OutOfMemoryReport &failure,
                                              ByteUnit unit);

/// What is live at the failure by kind: "13.2 GiB of activations (61 %), …"; empty where nothing
/// is.
[[nodiscard]] std::string filledText(const OutOfMemoryAdvice &advice, ByteUnit unit);

/// What the step would have needed beyond the request, or that nobody can tell: the recording does
/// not have it. Sentences.
[[nodiscard]] std::string restText(const RestOfStep &rest, ByteUnit unit);

/// The same with what that means for the device.
[[nodiscard]] std::string stepText(const OutOfMemoryReport &failure,
                                   const OutOfMemoryAdvice &advice, ByteUnit unit);

/// All of it as text that a person can paste: what filled the memory, the step, the remedies.
[[nodiscard]] std::string adviceText(const OutOfMemoryReport &failure,
                                     const OutOfMemoryAdvice &advice, ByteUnit unit);

} // namespace vramscope
