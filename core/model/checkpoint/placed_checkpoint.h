// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/catalog/architecture.h"
#include "core/checkpoint/checkpoint_table.h"
#include "core/model/checkpoint/tensor_names.h"
#include "core/plan/plan.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// Tensors of a checkpoint whose layers are of one kind, with their use in the model.
struct PlacedTensors
{
    TensorGroup group; ///< those of them in layers of this kind
    TensorMeaning meaning;
    BlockKind kind;
    Exact elements; ///< of one tensor of the model, unpacked; 0 for scales

    [[nodiscard]] Exact allElements() const { return elements * group.tensors(); }
};

inline constexpr std::size_t kModelPartCount = static_cast<std::size_t>(ModelPart::Other) + 1;

/// A checkpoint mapped to the model of a plan: the result of resolve() for `model.checkpoint`, once
/// for all estimates of the same model.
struct PlacedCheckpoint
{
    CheckpointTable table;
    std::vector<PlacedTensors> tensors;
    bool gguf = false;     ///< files of llama.cpp, by the names of their tensors
    bool tiedHead = false; ///< a stored head repeats the embedding
    /// The scales of quantised weights are quantised themselves (bitsandbytes).
    bool nested = false;
    bool quantised = false; ///< matrices of the model are stored quantised
    /// GPTQ with zero points in the middle (quantization_config.sym), which Marlin drops.
    bool symmetric = false;
    std::array<Exact, kModelPartCount> elements; ///< in each part, as far as names were understood

    [[nodiscard]] Bytes bytesOf(StoredUse use) const;
    /// The first group of a use, or nullptr.
    [[nodiscard]] const PlacedTensors *first(StoredUse use) const;
};

/// The error says what is wrong with the table.
[[nodiscard]] Result<std::shared_ptr<const PlacedCheckpoint>>
placeCheckpoint(const PlanModel &model, const Architecture &architecture);

} // namespace vramscope
