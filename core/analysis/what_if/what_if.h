// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/base/progress.h"
#include "core/simulator/allocator_settings.h"
#include "core/simulator/simulation.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A recorded program under one configuration of the allocator.
struct WhatIf
{
    std::string configuration; ///< a PYTORCH_CUDA_ALLOC_CONF string
    std::vector<SettingIssue> issues;
    bool simulated = true; ///< false for another backend
    SimulationResult result;
};

/// The last request of a recording that failed. What the program would have asked for next is not
/// recorded, so that a configuration which serves it may fail soon after.
struct LastFailure
{
    Bytes requested = 0;
    RestOfStep rest;
};

/// A recorded program under other configurations. Every simulation begins with an empty allocator:
/// what the program held before the recording is allocated first, by address.
struct WhatIfs
{
    Bytes capacity = kUnknownCapacity; ///< of the device for the allocator
    WhatIf recorded;                   ///< under the recorded settings, likewise from nothing
    std::vector<WhatIf> others;        ///< in the order that was asked
    /// Of the driver's addresses, in every row.
    AddressOrder addresses = AddressOrder::Falling;
    /// The most that the recorded settings would reserve at addresses in the other order; none
    /// where memory runs out in either.
    std::optional<Bytes> peakInOtherOrder;
    std::optional<std::size_t> best; ///< the one of `others` to use, where one is worth it
    std::optional<LastFailure> lastFailure;

    /// What a configuration would have left at the end of the recording after serving the last
    /// request that failed, all in one piece; none where that cannot be told.
    [[nodiscard]] std::optional<Bytes> leftAfterFailure(const WhatIf &asked) const;
};

/// Simulates a device's requests under each of `configurations` on all threads. `capacity`: what
/// the device has for the allocator, -1: what Study::replay() found, if anything. Nothing when
/// `progress` cancels.
[[nodiscard]] std::optional<WhatIfs> whatIf(const Study &study,
                                            std::span<const std::string> configurations,
                                            Bytes capacity = -1, const Progress &progress = {});

} // namespace vramscope
