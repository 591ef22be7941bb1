// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"

#include <string>
#include <vector>

namespace vramscope {

/// The memory that a layer keeps while llama.cpp serves, in elements.
struct LlamaLayer
{
    std::int64_t keyWidth = 0;   ///< of a cell; 0: no keys
    std::int64_t valueWidth = 0; ///< per cell; 0 for latent attention, whose values are its keys
    bool window = false;         ///< in the cache of the sliding window
    std::int64_t state = 0;      ///< of a sequence, in fp32 (R and S)
};

/// Where llama.cpp puts a tensor (LLM_TENSOR_INFOS, src/llama-arch.cpp).
enum class LlamaPlace {
    Input,  ///< on the host
    Layer,  ///< with its layer
    Output, ///< with the output, as if that were the layer after the last
    Every,  ///< tables of positions: once wherever there are layers
    Skipped ///< modules for multi-token prediction, which a plain run does not load
};

/// Matrices of the feed-forward that -ot, --cpu-moe and --fit move.
enum class LlamaFfn { None, Up, Gate, GateUp, Down };

struct LlamaTensor
{
    StoredTensor stored;
    LlamaPlace place = LlamaPlace::Output;
    std::int64_t layer = -1; ///< of LlamaPlace::Layer
    LlamaFfn ffn = LlamaFfn::None;
    bool routed = false; ///< of all experts: ffn_…_exps, ffn_…_chexps
};

/// A model in llama.cpp's layout, from the keys and tensors of its GGUF files. Formulas of
/// ggml-org/llama.cpp: src/llama-hparams.cpp, src/llama-model.cpp, src/models.
struct LlamaModel
{
    std::string architecture;
    std::vector<LlamaLayer> layers; ///< all of block_count, including prediction layers
    std::vector<LlamaTensor> tensors;
    std::int64_t trainedContext = 0;
    std::int64_t width = 0;
    std::int64_t heads = 0; ///< the most of any layer
    std::int64_t feedForward = 0;
    std::int64_t experts = 0;
    std::int64_t expertsUsed = 0;
    std::int64_t expertFeedForward = 0;
    std::int64_t vocabulary = 0;
    std::int64_t window = 0;        ///< tokens; 0: no layer slides
    bool tied = false;              ///< the embedding also serves as the output
    std::vector<std::string> notes; ///< its unknown properties, in sentences
};

/// A tensor at the place that its name gives, among `layers` layers of which the last ones predict.
[[nodiscard]] LlamaTensor placedTensor(StoredTensor tensor, std::int64_t layers,
                                       std::int64_t prediction);

/// The error names the missing key. A projector or a vocabulary is not a model.
[[nodiscard]] Result<LlamaModel> llamaModel(const Checkpoint &checkpoint);

} // namespace vramscope
