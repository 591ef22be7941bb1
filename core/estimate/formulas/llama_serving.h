// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/kv_cache.h"
#include "core/llama_cpp/llama_split.h"

namespace vramscope {

/// The model of a plan as llama.cpp has it in a GGUF file: its layers, and its tensors by
/// llama.cpp's names in the types of the plan's mix, with those of embedding and head. States of
/// recurrent layers are left to the planner's cache.
[[nodiscard]] LlamaModel llamaModelOf(const Settings &settings);

/// Whether llama.cpp stores weights in this format: in a mix, in 16 or 32 bit, or experts in MXFP4
/// as published.
[[nodiscard]] bool isLlamaFormat(const Settings &settings);

/// A plan that llama.cpp serves on `parallel.tensor` × `parallel.pipeline` GPUs. Its layers are
/// divided over them however the plan splits that number (-sm layer, the default): evenly, or on
/// several kinds by free memory.
class LlamaServing
{
public:
    /// The device of a pipeline stage that uses the most memory.
    LlamaServing(const Settings &settings, std::int64_t stage);

    /// Memory of the device, with weights.
    [[nodiscard]] const LlamaShare &share() const { return m_share; }
    /// Weights that stay in the host's memory: the embedding, and experts where the plan has them
    /// there.
    [[nodiscard]] Bytes hostModel() const { return m_hostModel; }
    /// The same without weights, for a context of this many tokens.
    [[nodiscard]] LlamaShare shareAt(std::int64_t context) const;

private:
    void moveLayers();

    LlamaModel m_model; ///< without tensors, once the device is known
    LlamaSettings m_settings;
    std::vector<LlamaDevice> m_devices;
    std::size_t m_device = 0;
    LlamaShare m_share;
    Bytes m_hostModel = 0;
};

} // namespace vramscope
