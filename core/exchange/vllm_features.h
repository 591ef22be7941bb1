// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"
#include "core/exchange/translation.h"

namespace vramscope {

/// --quantization, and the same of a draft.
inline constexpr WordPair kVllmQuantizations[] = {{"awq", "awq-int4-g128"},
                                                  {"awq_marlin", "awq-int4-g128"},
                                                  {"gptq", "gptq-int4-g128"},
                                                  {"gptq_marlin", "gptq-int4-g128"},
                                                  {"fp8", "fp8"},
                                                  {"mxfp4", "mxfp4"},
                                                  {"nvfp4", "nvfp4"},
                                                  {"modelopt_fp4", "nvfp4"},
                                                  {"bitsandbytes", "nf4"}};

/// Speculative decoding, multimodal limits, sleep mode and compilation of a vLLM command line: what
/// a plan has of them becomes its fields, the rest a note of what it changes.
void importVllmFeatures(Translation &translation);
/// Multimodal limits and speculative decoding as options.
void writeVllmFeatures(Outline &outline);

} // namespace vramscope
