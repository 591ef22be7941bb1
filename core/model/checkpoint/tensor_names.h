// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/block_kinds.h"
#include "core/model/model_parts.h"

#include <string_view>

namespace vramscope {

/// Uses of stored tensors.
enum class StoredUse {
    Model,      ///< the text model, `part` of it
    Tower,      ///< a vision or audio tower, with its projection to the text
    Prediction, ///< multi-token prediction modules after the model
    Rotary,     ///< tables of rotary positions
    Mask,       ///< causal masks, positions in a row: buffers in old files
    Order,      ///< GPTQ's order of the columns
    Text,       ///< a description of the quantisation
    Unknown     ///< an unrecognised name
};

/// A tensor's role in its module.
enum class TensorRole {
    Weight,
    Packed, ///< several elements of the weight in one stored one
    Bias,
    Scale ///< scales, zero points and tables of quantised weights
};

/// How tensor-parallel ranks divide a module.
enum class Division {
    Whole,
    Output,     ///< its output, so that scales and biases of rows go with it
    Input,      ///< its input: one value a row is whole
    KeyValue,   ///< by key-value heads, which some ranks repeat
    FusedHeads, ///< queries, keys and values in one
    HeadNorm,   ///< whole, unless one norm goes over all heads
    Vocabulary,
    Expert, ///< routed experts, with their own degrees
    Mixer   ///< as the mixer that keeps a state is divided
};

/// The meaning of a tensor group's name (core/checkpoint/checkpoint_table.h).
struct TensorMeaning
{
    StoredUse use = StoredUse::Unknown;
    ModelPart part = ModelPart::Other;
    TensorRole role = TensorRole::Weight;
    Division division = Division::Whole;
    bool inLayer = false;    ///< its first number counts the model's layers
    bool keepsType = false;  ///< engines keep it in the type of the file
    bool isBuffer = false;   ///< stored, but none of the model's parameters
    bool isKey = false;      ///< keys, without the values
    bool isGateOrUp = false; ///< stored by a fused feed-forward in one tensor
};

/// `kind` is that of the layer, where the name has one. Names are those of transformers' classes,
/// of the files that Mistral and Meta publish, of the tensors that GPTQ, AWQ, bitsandbytes, fp8 and
/// compressed-tensors store next to a weight, and llama.cpp's (isGgufName()).
[[nodiscard]] TensorMeaning meaningOf(std::string_view name, const BlockKind &kind);

/// Whether a name is one of llama.cpp's own (src/llama-arch.cpp), which GGUF files have.
[[nodiscard]] bool isGgufName(std::string_view name);

} // namespace vramscope
