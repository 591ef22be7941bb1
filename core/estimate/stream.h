// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace vramscope {

/// The CUDA stream on which a tensor is taken. A freed block stays with its stream: the allocator
/// gives it to no other (c10/cuda/CUDACachingAllocator.cpp, BlockComparatorSize).
enum class Stream : std::uint8_t {
    Compute,
    Gather, ///< FSDP's all-gathers
    Reduce  ///< results of its reduce-scatters: gradients
};
inline constexpr std::size_t kStreams = 3;

} // namespace vramscope
