// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/translation.h"

#include <array>

namespace vramscope {

/// --quantization, and the same of a draft.
inline constexpr std::array<WordPair, 9> kVllmQuantizations = {{{"awq", "awq-int4-g128"},
                                                                {"awq_marlin", "awq-int4-g128"},
                                                                {"gptq", "gptq-int4-g128"},
                                                                {"gptq_marlin", "gptq-int4-g128"},
                                                                {"fp8", "fp8"},
                                                                {"mxfp4", "mxfp4"},
                                                                {"nvfp4", "nvfp4"},
                                                                {"modelopt_fp4", "nvfp4"},
                                                                {"bitsandbytes", "nf4"}}};

/// Speculative decoding, sleep mode and compilation of a vLLM command line: what a plan can say of
/// them becomes its fields, the rest a note of what it changes.
void importVllmFeatures(Translation &translation);

} // namespace vramscope
