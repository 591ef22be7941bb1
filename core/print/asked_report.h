// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"
#include "core/solver/answer_sought.h"

#include <string>

namespace vramscope {

/// "Understood: …", "Assumed: …" and "Without: …", each in one line, above the answer.
[[nodiscard]] std::string askedText(const Asked &asked);

/// "Assumed: micro-batch 1, …"; empty where nothing is.
[[nodiscard]] std::string askedAssumptions(const Asked &asked);

/// Each word that the plan is without, with the reason and what is near; empty where there is none.
[[nodiscard]] std::string askedPassedOver(const Asked &asked);

/// Why there is no answer: what contradicts itself, or that several models may be meant; then what
/// is not understood.
[[nodiscard]] std::string askedRefusal(const Asked &asked);

/// Answers what was asked for; the words must have a plan and seek something.
[[nodiscard]] Result<SoughtAnswer> soughtOf(const Asked &asked, const Progress &progress = {});

/// "Otherwise: LoRA fits; full training does not fit."; empty where the words mean one thing.
[[nodiscard]] std::string askedVersions(const Asked &asked);

/// Of a plan whose GPU nobody named: the smallest of the catalogue that hold it, in a sentence;
/// empty where a GPU or a capacity is stated, or there are no figures on any.
[[nodiscard]] std::string smallestGpusSentence(const Plan &plan);

/// The JSON object of an answer with a member "sought" of what was asked for: the field, its value
/// (null where nothing fits) and the sentence.
[[nodiscard]] std::string withSought(const std::string &json, const SoughtAnswer &answer);

/// The JSON object of an answer with a member "asked" behind its others.
[[nodiscard]] std::string withAsked(const std::string &json, const Asked &asked);

} // namespace vramscope
