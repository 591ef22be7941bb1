// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>

namespace vramscope {

/// Bytes that one GPU sends to others, and how often they go around the ring: an all-gather or a
/// reduce-scatter once, an all-reduce twice.
struct Traffic
{
    Bytes bytes = 0;
    double passes = 0;
};

/// Work and traffic of one GPU in a training step, or in a decoding step of all sequences that are
/// served at once: quantities, from which rates make a time (core/projection).
struct StepWork
{
    double flops = 0;          ///< recomputation included
    double attentionFlops = 0; ///< of them those of scores and of their products with the values
    double expertFlops = 0;    ///< those of routed experts
    double headFlops = 0;      ///< and those of the output head
    double elementBytes = 0;   ///< read and written by the kernels between the products
    double adapterBytes = 0;   ///< by those around adapters
    double widenedBytes = 0;   ///< to widen a base in 4 bits for the products
    Traffic shards;            ///< gathers and reductions of the sharding group, during computation
    Traffic replicas;          ///< reductions between such groups of a hybrid, during computation
    Traffic blocks;            ///< between GPUs that share the blocks' work, which waits
    Traffic experts;           ///< to the GPUs that keep the experts and back, which waits
    Bytes hostLinkBytes = 0;   ///< over the link to the host, both ways
    Bytes hostStateBytes = 0;  ///< read and written by an optimizer step on the host
    Bytes memoryBytes = 0;     ///< read and written on the device outside the products: by the
                               ///< optimizer step; in serving the weights and the cache
    double tokens = 0;         ///< of the whole job; 0: there is nothing to project
    double bubbleShare = 0;    ///< of the step's time
};

} // namespace vramscope
