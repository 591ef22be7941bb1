// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_model.h"

#include <functional>
#include <memory>
#include <span>

namespace vramscope {

enum class LlamaSplitMode { None, Layer, Row };

/// An override by -ot, --cpu-moe, --n-cpu-moe or --fit that moves tensors off a layer's device.
struct LlamaOverride
{
    std::string text; ///< in the notation of -ot: "blk\.3\.ffn_down.*=CPU"
    std::function<bool(const LlamaTensor &)> matches;
    std::int64_t device = -1; ///< -1: the host
};

/// Flags of llama.cpp (common/arg.cpp). A flag that is not given has its default.
struct LlamaSettings
{
    std::int64_t gpuLayers = -1; ///< -ngl; -1: all
    bool gpuLayersStated = false;
    std::vector<float> tensorSplit;                   ///< -ts; empty: by free memory
    LlamaSplitMode splitMode = LlamaSplitMode::Layer; ///< -sm
    std::int64_t mainGpu = 0;                         ///< -mg
    std::vector<LlamaOverride> overrides;             ///< the first that matches a tensor counts
    TensorType keyType;                               ///< -ctk; f16
    TensorType valueType;                             ///< -ctv; f16
    std::int64_t context = 0;                         ///< -c; 0: the training context
    std::int64_t microBatch = 512;                    ///< -ub
    std::int64_t sequences = 1;                       ///< -np
    bool unified = false;                             ///< --kv-unified: one cache for all sequences
    bool offloadCache = true;                         ///< not --no-kv-offload
    bool wholeWindow = false;                         ///< --swa-full
    bool flashAttention = true;                       ///< not -fa off
    Bytes projector = 0;                              ///< tensors of --mmproj
    std::shared_ptr<const LlamaModel> draft;          ///< -md, all of it on the devices

    LlamaSettings();
};

/// The assumed memory of a device beyond the counted parts: the CUDA context and the pool of
/// cuBLAS, 300 to 700 MiB in logs.
inline constexpr Bytes kBesideLlama = Bytes(600) << 20;

struct LlamaDevice
{
    std::string name;
    Bytes free = 0; ///< when the model is loaded
};

/// A part of a compute buffer, with its formula.
struct LlamaTerm
{
    std::string name;
    Bytes bytes = 0;
    std::string formula;
};

/// The memory of one device, or of the host.
struct LlamaShare
{
    std::string name;
    Bytes model = 0;   ///< exact, each tensor padded as its buffer pads it
    Bytes cache = 0;   ///< exact: keys, values and states
    Bytes compute = 0; ///< an estimate: the larger of its terms if they take turns
    Bytes output = 0;
    Bytes projector = 0;
    Bytes draft = 0;              ///< its model, cache and compute
    std::vector<LlamaTerm> terms; ///< of compute

    [[nodiscard]] Bytes total() const
    {
        return model + cache + compute + output + projector + draft;
    }
};

struct LlamaSplit
{
    std::vector<LlamaShare> devices;
    LlamaShare host;
    /// The device of each layer, and last that of the output; -1: the host.
    std::vector<std::int64_t> layerDevice;
    std::int64_t context = 0;     ///< cells of the cache in total, padded
    std::int64_t windowCells = 0; ///< per sequence, or of all if unified; 0: no such cache
    std::vector<std::string> notes;
};

/// The device of each layer and of the output, in the way of load_tensors() in src/llama-model.cpp,
/// in float32: layers below n_layer + 1 - ngl stay on the host (-1), the others go to the first
/// device whose cumulative share is above their position. `shares` are -ts, or free bytes.
[[nodiscard]] std::vector<std::int64_t> devicesOfLayers(std::int64_t layers, std::int64_t gpuLayers,
                                                        std::span<const float> shares);

/// Bytes of a tensor in a buffer of CUDA: rows of quantised tensors are padded to 512 elements, the
/// whole tensor to 128 bytes (ggml-cuda.cu, ggml_backend_cuda_buffer_type_get_alloc_size).
[[nodiscard]] Bytes cudaBytes(const StoredTensor &tensor);

/// Bytes of a model on devices and host. Model and cache are counted as llama.cpp allocates them;
/// compute buffers, which only its graph allocator knows, are an estimate. Sums beyond any machine
/// stop at the largest number.
[[nodiscard]] LlamaSplit splitModel(const LlamaModel &model, const LlamaSettings &settings,
                                    std::span<const LlamaDevice> devices);

} // namespace vramscope
