// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/study/study.h"
#include "core/plan/plan.h"

#include <map>
#include <string>
#include <vector>

namespace vramscope {

/// The tensors of a recording that may be parameters: how many there are of each size.
using SizeCounts = std::map<Bytes, std::int64_t>;

/// Those that the program's code made as parameters, and those that were there before the recording
/// and stayed to its end: parameters, perhaps with their gradients and states.
[[nodiscard]] SizeCounts residentTensors(const Study &recorded);

/// A model whose parameters, tensor by tensor, are those that a recording holds.
struct RecoveredModel
{
    PlanModel model;
    std::string title;            ///< "Llama 3 8B"; empty where it is no published one
    Bytes largest = 0;            ///< tensor on the rank
    std::int64_t ranks = 1;       ///< over which each tensor is divided along its rows
    std::int64_t weightBytes = 4; ///< of one element
    std::int64_t tensors = 0;     ///< parameters of the model
    std::int64_t copies = 1;      ///< of them found: with gradients and states there are more
    Bytes bytes = 0;              ///< of one copy on the rank
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t vocab = 0;
    std::int64_t feedForward = 0;
    bool headsKnown = true; ///< whether the widths of the tensors leave one number of heads

    [[nodiscard]] bool published() const { return !title.empty(); }
};

/// The models of the catalogue, and what the sizes themselves say of a dense model with a gated
/// feed-forward, compared with the sizes: a model is accepted where every tensor of it is there, in
/// the same number of copies, and at most one byte in fifty is left over. There may be several:
/// models of the same widths, and half as many ranks with elements half as wide.
[[nodiscard]] std::vector<RecoveredModel> recoveredModels(const SizeCounts &sizes);

} // namespace vramscope
