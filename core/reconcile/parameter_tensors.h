// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// A tensor of weights as one rank has it: whole after tensor and expert parallelism, and the part
/// of it that the rank keeps between uses. Where an engine keeps weights in flat buffers, one such
/// buffer: then it has one column.
struct ParameterTensor
{
    std::string name;         ///< "block 3: gate", "head", "unit of block 3"
    std::int64_t count = 1;   ///< the experts of a layer count as one tensor of so many
    std::int64_t rows = 0;    ///< of each; FSDP2 divides them over the ranks
    std::int64_t columns = 1; ///< of each
    bool expert = false;      ///< of routed experts, which have a degree of their own
    bool trained = true;      ///< has a gradient and states of the optimizer
    std::int64_t shard = 0;   ///< elements that the rank keeps

    [[nodiscard]] Exact elements() const { return Exact(count) * rows * columns; }
};

/// The parameters of one block without its number, in the order of its modules, adapters included.
/// Matrices as the model's code has them: Megatron and vLLM join queries, keys and values, and gate
/// and up.
[[nodiscard]] std::vector<ParameterTensor> blockTensors(const Training &training,
                                                        const RankGroup &group);
/// What stands before the blocks (embedding, positions) and behind them (final norm, head).
[[nodiscard]] std::vector<ParameterTensor> tensorsBefore(const Training &training);
[[nodiscard]] std::vector<ParameterTensor> tensorsBehind(const Training &training);

/// All parameters of the rank that the plan's figures are of, as it keeps them: tensor by tensor;
/// under FSDP1 unit by unit; under ZeRO and Megatron's distributed optimizer in one flat buffer.
/// Llama 3 8B has 291 of them. Whole elements, in no format. Empty where the plan has no figures,
/// or is of a diffusion pipeline.
[[nodiscard]] std::vector<ParameterTensor> parameterTensors(const Plan &plan);

} // namespace vramscope
