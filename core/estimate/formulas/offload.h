// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/training.h"

namespace vramscope {

/// Host memory that offloading uses for one GPU, and the traffic of their link in a step. Of what
/// is on NVMe drives the host has the buffers through which it comes, and the parameters of
/// max_in_cpu (DeepSpeed runtime/swap_tensor/optimizer_utils.py, partitioned_param_swapper.py).
struct Offload
{
    Exact hostBytes;
    Exact driveBytes;
    Exact toHost;
    Exact toDevice;
};

/// Moments that the optimizer keeps for a rank's parameters: elements, not bytes.
[[nodiscard]] Exact momentsOf(const Training &training);

/// Optimizer offload moves gradients down and weights up, the states stay (DeepSpeed ZeRO-Offload,
/// docs, memory requirements); FSDP's offload brings every shard up for each gather and its
/// gradient down, ZeRO-3's of parameters (offload_param) the former; activation offload moves block
/// inputs down in forward and up in backward.
[[nodiscard]] Offload offloadOf(const Training &training);

} // namespace vramscope
