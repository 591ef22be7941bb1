// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"
#include "ui/charts/segment_bars.h"

#include <QString>

#include <vector>

namespace vramscope {

/// What took the memory, as parts that add up to the whole of a device as far as the log tells.
/// vLLM and SGLang: of one rank; llama.cpp and ollama: of each device. Empty where the log states
/// no parts.
[[nodiscard]] std::vector<SegmentBar> budgetBars(const ServingLog &log, ByteUnit unit);
/// What a bar is of, in a sentence: what its end stands for, and what it leaves out.
[[nodiscard]] QString budgetNote(const ServingLog &log);

} // namespace vramscope
