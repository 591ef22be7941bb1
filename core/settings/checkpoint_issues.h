// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace vramscope {

struct PlacedTensors;
struct ResolvedPlan;
struct Settings;

/// Whether the weights of a served model are counted by the plan's checkpoint. They are not by
/// engines that read other files, nor where 16-bit files are quantised while they load.
[[nodiscard]] bool countsByCheckpoint(const Settings &settings);

/// Whether what the engine takes for a moment while it loads a checkpoint was looked at.
[[nodiscard]] bool isLoaderKnown(const Settings &settings);

/// Whether vLLM multiplies by weights of 4 bits with Machete, its first choice on Hopper alone
/// (vllm/model_executor/kernels/linear); elsewhere, and for experts, with Marlin.
[[nodiscard]] bool usesMachete(const Settings &settings);

/// Whether the engine holds such tensors when it has loaded; not what it passes over or drops,
/// which leftOut() lists.
[[nodiscard]] bool isHeld(const Settings &settings, const PlacedTensors &tensors);

/// Bytes of one tensor as the engine holds it, undivided: numbers that a model computes in are cast
/// to its type (vllm/model_executor/model_loader/weight_utils.py, default_weight_loader;
/// transformers core_model_loading.py, spawn_materialize).
[[nodiscard]] std::int64_t heldBytes(const Settings &settings, const PlacedTensors &tensors);

/// Bytes of tensors that the loader has mapped on the host and not yet copied to the device, at
/// once: four of the largest by transformers, which copies from as many threads
/// (core_model_loading.py, GLOBAL_WORKERS), one by vLLM (model_loader/weight_utils.py,
/// safetensors_weights_iterator). 0 where the weights are not the checkpoint's, or nobody knows who
/// loads them.
[[nodiscard]] std::int64_t mappedWhileLoading(const Settings &settings);

/// What the files hold and the engine does not, with why: for the checkpoint's card and the notes
/// of an import.
struct LeftOut
{
    std::string words;  ///< "multi-token prediction"
    std::string source; ///< where the engine passes over it
    std::int64_t bytes = 0;
    std::int64_t tensors = 0;
};
[[nodiscard]] std::vector<LeftOut> leftOut(const Settings &settings);

/// The first part of the model whose elements in the files differ from those of its config, as a
/// sentence; empty where all agree.
[[nodiscard]] std::string firstDifference(const Settings &settings);

/// What a plan with a checkpoint should say: how far it is counted by, what is not loaded, names
/// that say nothing, what contradicts the model.
void noteCheckpoint(ResolvedPlan &resolved);

} // namespace vramscope
