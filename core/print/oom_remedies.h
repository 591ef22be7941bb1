// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/base/format.h"

#include <string>
#include <vector>

namespace vramscope {

/// A remedy in words.
struct RemedyText
{
    std::string title;   ///< "Activation checkpointing"
    std::string gives;   ///< "up to 13.2 GiB", "about 9.2 GiB"
    std::string verdict; ///< whether that is enough, and for what: "this request only"
    std::string text;    ///< why, and what it rests on: sentences
};

/// What would help against a failure, by cause.
[[nodiscard]] std::vector<RemedyText> remedyTexts(const OutOfMemoryReport &failure,
                                                  const OutOfMemoryAdvice &advice, ByteUnit unit);

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
