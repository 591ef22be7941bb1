// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>

namespace vramscope {

/// What one GPU computes and moves in a training step, or in a decoding step of all sequences that
/// are served at once: quantities, from which rates make a time (core/projection).
struct StepWork
{
    double flops = 0;         ///< recomputation included
    Bytes shardBytes = 0;     ///< sent for gathers and reductions, beside the computing
    Bytes blockBytes = 0;     ///< sent between GPUs that share the blocks' work, which waits
    Bytes hostLinkBytes = 0;  ///< over the link to the host, both ways
    Bytes hostStateBytes = 0; ///< read and written by an optimizer step on the host
    Bytes memoryBytes = 0;    ///< read and written on the device beside the products: the optimizer
                              ///< step; of serving the weights and the cache
    double shardCalls = 0;    ///< collectives that send shardBytes
    double blockCalls = 0;    ///< collectives that send blockBytes
    double tokens = 0;        ///< of the whole job; 0: there is nothing to project
    double bubbleShare = 0;   ///< of the step's time
};

} // namespace vramscope
