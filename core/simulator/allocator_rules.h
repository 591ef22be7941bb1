// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// How PyTorch's caching allocator sizes blocks and segments (c10/cuda/CUDACachingAllocator.cpp and
/// CUDAAllocatorConfig), under the settings of one run. The defaults are PyTorch's own.
struct AllocatorRules
{
    static constexpr Bytes kSmallestBlock = 512;
    static constexpr Bytes kLargestSmall = kMiB; ///< the limit of the small pool, rounded
    static constexpr Bytes kSmallSegment = 2 * kMiB;
    static constexpr Bytes kLeastOwnSegment = 10 * kMiB; ///< from here on requests get a segment
    static constexpr Bytes kSegmentGrain = 2 * kMiB;
    static constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max();
    static constexpr std::size_t kRoundupBuckets = 16;
    static constexpr std::int64_t kMostDivisions = 1 << 20; ///< more would be finer than any block

    Bytes maxSplit = kUnlimited;           ///< max_split_size_mb
    Bytes largeSegment = 20 * kMiB;        ///< large_segment_size_mb, from PyTorch 2.11 on
    Bytes maxNonSplitRounding = 20 * kMiB; ///< max_non_split_rounding_mb, from PyTorch 2.6 on
    /// roundup_power2_divisions for sizes from 1 MiB, 2 MiB, … 32 GiB on; 0 or 1: off.
    std::array<std::int64_t, kRoundupBuckets> roundupDivisions{};
    Bytes requestPadding = 0; ///< added to a request before rounding; not by PyTorch itself
    bool expandable = false;

    /// The index in roundupDivisions for a size in MiB.
    [[nodiscard]] static std::size_t bucketOf(std::int64_t mebibytes);
    /// The size of a request's block, before any remainder that cannot be split off.
    [[nodiscard]] Bytes rounded(Bytes requested) const;
    /// Which pool serves a request of that rounded size.
    [[nodiscard]] static bool isLarge(Bytes rounded) { return rounded > kLargestSmall; }
    /// Whether `remaining` bytes of a free block become a separate block when its front serves a
    /// request of `rounded` bytes.
    [[nodiscard]] bool splits(Bytes rounded, Bytes remaining, bool large, bool inExpandable) const;
    /// The bytes requested from the driver when no free block serves a request; an expandable
    /// segment maps this many bytes as whole pages.
    [[nodiscard]] Bytes segmentSize(Bytes rounded) const;
    /// The mapping unit of an expandable segment.
    [[nodiscard]] Bytes pageSize(bool large) const { return large ? largeSegment : kSmallSegment; }
};

/// One "key:value" of a PYTORCH_CUDA_ALLOC_CONF string.
struct AllocatorOption
{
    std::string_view key;
    std::string_view value; ///< a list with its brackets
};

/// The options of "a:1,b:[c:2,d:3]" in order. A part without a colon is skipped.
[[nodiscard]] std::vector<AllocatorOption> allocatorOptions(std::string_view configuration);

} // namespace vramscope
