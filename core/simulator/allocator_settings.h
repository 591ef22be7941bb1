// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_rules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// Everything that a PYTORCH_CUDA_ALLOC_CONF string decides of how the caching allocator uses
/// device memory; what only concerns host memory or locks is read and has no part here. The
/// defaults are PyTorch's own.
struct AllocatorSettings
{
    static constexpr double kMostReservedShare = 1.125;
    static constexpr Bytes kMostCapacity = Bytes(1) << 44; ///< of a device; more counts as this

    AllocatorRules rules;
    double garbageCollectionThreshold = 0; ///< garbage_collection_threshold; 0: off
    /// per_process_memory_fraction, or what set_per_process_memory_fraction() was given: the share
    /// of the device that may be reserved. None: no limit but the device.
    std::optional<double> memoryFraction;
    /// throw_on_cudamalloc_oom, from PyTorch 2.12 on: a request beyond the fraction fails at once.
    bool failsBeforeDriver = false;
    /// Addresses that one expandable segment may grow to: expandable_segments_reserve, from PyTorch
    /// 2.14 on, in bytes (0: not given so) or as a share of the device.
    Bytes reservedAddresses = 0;
    double reservedShare = kMostReservedShare;
    /// Before PyTorch 2.7 private pools (CUDA graphs, MemPool) never used expandable segments.
    bool privatePoolsExpand = true;
    /// Of expandable blocks PyTorch takes the one that can grow least; copies of its allocator may
    /// not.
    bool prefersLeastGrowth = true;

    /// The bytes that may be reserved on a device of that capacity; none: what it has.
    [[nodiscard]] std::optional<Bytes> limit(Bytes capacity) const;
    /// The addresses of a new expandable segment on a device of that capacity, whole pages.
    [[nodiscard]] Bytes reservation(Bytes capacity, bool large) const;
    /// Whether memory of this pool comes as expandable segments.
    [[nodiscard]] bool expands(bool privatePool) const
    {
        return rules.expandable && (!privatePool || privatePoolsExpand);
    }
};

/// Something in a configuration string that PyTorch refuses or that has no effect here.
struct SettingIssue
{
    enum class Kind {
        Unknown,      ///< no version of PyTorch that is known here has the key
        BadValue,     ///< PyTorch would refuse to start; the option is left at its default
        Contradicts,  ///< the options do not go together
        NotSimulated, ///< understood, but what it changes is not modelled
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
/// string for one bad option; here that option is named and the others count.
[[nodiscard]] ConfiguredSettings configuredSettings(std::string_view configuration,
                                                    AllocatorSettings base = {});

} // namespace vramscope
