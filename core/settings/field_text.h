// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/field.h"

#include <string>
#include <string_view>

namespace vramscope {

struct Plan;

/// A value written as text, in the type of the field: "8k" and "8192" of a count, "20B" of the
/// tokens of a run, "72GiB" of a size, "on" of a switch, "q,k" of a list. What is none of these
/// stays a text, which setField() refuses with what the field may be.
[[nodiscard]] FieldValue writtenValue(const Field &field, std::string_view text);

/// Sets what "batch.micro_batch=4" says. On error nothing changes, and the text names the field and
/// what it may be, or the nearest field where there is none of that name.
[[nodiscard]] Result<void> setWritten(Plan &plan, std::string_view assignment);

/// The label of a field as a word of a sentence: "sequence length", but "GPUs".
[[nodiscard]] std::string labelInSentence(const Field &field);

/// What people read for a choice of a field: "FSDP mixed bf16" for "fsdp-mixed-bf16".
[[nodiscard]] std::string choiceTitle(const Field &field, std::string_view choice);

/// A value in a few words: "8,192", "full", "all-linear"; empty where there is none.
[[nodiscard]] std::string fieldWords(const FieldValue &value);

} // namespace vramscope
