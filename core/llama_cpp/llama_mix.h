// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_model.h"

#include <span>
#include <string_view>

namespace vramscope {

/// The properties of a model, apart from the names and shapes of its tensors, that decide their
/// types in a mix.
struct MixedModel
{
    std::int64_t layers = 0;
    std::int64_t headsPerKey = 1; ///< n_gqa: query heads that share a key
    std::int64_t experts = 0;
    bool is70B = false; ///< LLM_TYPE_70B: 80 layers of Llama 2, Qwen 2 and similar models
};

/// Gives each tensor its type and bytes from llama-quantize with an importance matrix, as in
/// published files. `mix` is a name of weightStorages(): a mix ("q4_k_m"), "bf16", "fp16" or
/// "fp32", or "mxfp4", which the conversion of a model published in it keeps along with 16 bit.
/// Vectors, norms and routers stay in F32. Tensors are in the order of their layers; their names
/// are llama.cpp's. Rules of llama_tensor_get_type_impl() and tensor_type_fallback(),
/// src/llama-quant.cpp.
void mixTensors(std::string_view mix, const MixedModel &model, std::span<LlamaTensor> tensors);

} // namespace vramscope
