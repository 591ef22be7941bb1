// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <cstdint>

namespace vramscope {

/// The model that an engine loads to draft tokens: blocks that attend and keep a cache of their
/// own, and its other parameters.
struct Draft
{
    Architecture architecture;   ///< its blocks are the draft's
    bool whole = true;           ///< a model of its own, which shares nothing
    bool ownEmbedding = false;   ///< for a head: else it reads the model's
    std::int64_t headRows = 0;   ///< for a head: rows of an output matrix of its own; 0: the
                                 ///< model's
    std::int64_t replicated = 0; ///< for a head: parameters outside its blocks, whole on every rank
    std::int64_t divided = 0;    ///< and those that tensor-parallel ranks divide
    bool readsTwoStreams = false; ///< queries, keys and values read token and hidden state together
    std::int64_t missingNorms = 0; ///< vectors that its first block lacks
    std::int64_t keptStates = 0;   ///< hidden states of each token that it takes from the model
    std::int64_t tableRows = 0;    ///< rows of a table from its own vocabulary to the model's
};

} // namespace vramscope
