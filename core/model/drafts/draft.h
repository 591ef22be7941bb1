// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <cstdint>

namespace vramscope {

/// What an engine loads beside a model to draft tokens for it: blocks that attend and keep a cache
/// of their own, and what stands beside these.
struct Draft
{
    Architecture architecture;   ///< its blocks are the draft's
    bool whole = true;           ///< a model of its own, which shares nothing
    bool ownEmbedding = false;   ///< of a head: else it reads the model's
    std::int64_t headRows = 0;   ///< of a head: rows of an output matrix of its own; 0: the model's
    std::int64_t replicated = 0; ///< of a head: parameters beside its blocks, whole on every rank
    std::int64_t divided = 0;    ///< and those that tensor-parallel ranks divide
    bool readsTwoStreams = false; ///< queries, keys and values read token and hidden state together
    std::int64_t missingNorms = 0; ///< vectors that its first block has fewer than others
    std::int64_t keptStates = 0;   ///< hidden states of each token that it takes from the model
    std::int64_t tableRows = 0;    ///< of a table, which token each of its vocabulary stands for
};

} // namespace vramscope
