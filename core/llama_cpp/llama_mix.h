// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_model.h"

#include <span>
#include <string_view>

namespace vramscope {

/// What of a model, beside the names and shapes of its tensors, decides their types in a mix.
struct MixedModel
{
    std::int64_t layers = 0;
    std::int64_t headsPerKey = 1; ///< n_gqa: query heads that share a key
    std::int64_t experts = 0;
    bool is70B = false; ///< LLM_TYPE_70B: 80 layers of Llama 2, Qwen 2 and their like
};

/// Gives each tensor the type, and the bytes, that llama-quantize gives it with an importance
/// matrix, as published files are made. `mix` is a name of kWeightStorages: a mix ("q4_k_m"),
/// "bf16", "fp16" or "fp32", or "mxfp4", which converting a model published in it leaves beside 16
/// bit. Vectors, norms and routers stay in F32. Tensors stand in the order of their layers; their
/// names are llama.cpp's. Rules of llama_tensor_get_type_impl() and tensor_type_fallback(),
/// src/llama-quant.cpp.
void mixTensors(std::string_view mix, const MixedModel &model, std::span<LlamaTensor> tensors);

} // namespace vramscope
