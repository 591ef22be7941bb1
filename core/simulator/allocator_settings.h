// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_rules.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What is wrong with the value of an option, as the end of a sentence ("must be …"); or nothing.
using Trouble = std::optional<std::string>;

/// The number that is all of `text`.
template<class Number>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

[[nodiscard]] inline bool isPowerOfTwo(std::int64_t value)
{
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

/// Reads roundup_power2_divisions into `divisions`, which an error leaves unchanged: "4" for every
/// size, or "[256:1,512:2,>:8]": numbers of divisions from given MiB on, where the first value also
/// serves smaller sizes and the one of '>' those above the last.
[[nodiscard]] Trouble readDivisions(std::string_view value,
                                    decltype(AllocatorRules::roundupDivisions) &divisions);

/// Everything in a PYTORCH_CUDA_ALLOC_CONF string that affects how the caching allocator uses
/// device memory; options for only host memory or locks are read but ignored. The defaults are
/// PyTorch's own.
struct AllocatorSettings
{
    static constexpr double kMostReservedShare = 1.125;
    static constexpr Bytes kMostCapacity = Bytes(1) << 44; ///< of a device; limits larger ones

    AllocatorRules rules;
    double garbageCollectionThreshold = 0; ///< garbage_collection_threshold; 0: off
    /// per_process_memory_fraction, or the argument of set_per_process_memory_fraction(): the share
    /// of the device that may be reserved. Nothing: no limit but the device.
    std::optional<double> memoryFraction;
    /// throw_on_cudamalloc_oom, from PyTorch 2.12 on: a request beyond the fraction fails at once.
    bool failsBeforeDriver = false;
    /// Addresses that one expandable segment may grow to: expandable_segments_reserve, from PyTorch
    /// 2.14 on, in bytes (0: not given in bytes) or as a share of the device.
    Bytes reservedAddresses = 0;
    double reservedShare = kMostReservedShare;
    /// Before PyTorch 2.7 private pools (CUDA graphs, MemPool) never used expandable segments.
    bool privatePoolsExpand = true;
    /// Among expandable blocks PyTorch takes the one that can grow least; copies of its allocator
    /// may not.
    bool prefersLeastGrowth = true;

    /// The bytes that may be reserved on a device of that capacity; nothing: all of it.
    [[nodiscard]] std::optional<Bytes> limit(Bytes capacity) const;
    /// The addresses of a new expandable segment on a device of that capacity, whole pages.
    [[nodiscard]] Bytes reservation(Bytes capacity, bool large) const;
    /// Whether memory of this pool comes in expandable segments.
    [[nodiscard]] bool expands(bool privatePool) const
    {
        return rules.expandable && (!privatePool || privatePoolsExpand);
    }
};

/// A part of a configuration string that PyTorch refuses or that has no effect here.
struct SettingIssue
{
    enum class Kind {
        Unknown,      ///< no known version of PyTorch has the key
        BadValue,     ///< PyTorch would refuse to start; the option is left at its default
        Contradicts,  ///< the options contradict each other
        NotSimulated, ///< understood, but its effect is not modelled
        TooNew,       ///< a later version of PyTorch than the program's reads it
    };
    Kind kind = Kind::Unknown;
    std::string key;
    std::string text; ///< a sentence that names the key
};

struct ConfiguredSettings
{
    AllocatorSettings settings;
    std::vector<SettingIssue> issues; ///< in the order of the string
};

/// Options of a configuration string that PyTorch 2.`minor` does not read yet.
[[nodiscard]] std::vector<SettingIssue> tooNewFor(int minor, std::string_view configuration);

/// `base` changed by the options of a PYTORCH_CUDA_ALLOC_CONF string as PyTorch 1.10 to 2.14 reads
/// it (c10/core/AllocatorConfig.cpp, c10/cuda/CUDAAllocatorConfig.cpp). PyTorch refuses the whole
/// string for one bad option; here that option is reported and the others count.
[[nodiscard]] ConfiguredSettings configuredSettings(std::string_view configuration,
                                                    AllocatorSettings base = {});

} // namespace vramscope
