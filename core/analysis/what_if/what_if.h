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

/// The last request of a recording that failed. The program's next requests are not recorded, so a
/// configuration that serves it may fail soon after.
struct LastFailure
{
    Bytes requested = 0;
    RestOfStep rest;
};

/// A recorded program under other configurations. Every simulation begins with an empty allocator:
/// memory from before the recording is allocated first, by address.
struct WhatIfs
{
    Bytes capacity = kUnknownCapacity; ///< of the device for the allocator
    WhatIf recorded;                   ///< under the recorded settings, also starting empty
    std::vector<WhatIf> others;        ///< in the requested order
    /// The order of the driver's addresses, in every row.
    AddressOrder addresses = AddressOrder::Falling;
    /// The peak of reserved bytes under the recorded settings with addresses in the other order;
    /// nothing if memory runs out in either.
    std::optional<Bytes> peakInOtherOrder;
    std::optional<std::size_t> best; ///< the best of `others`, if one is worth using
    std::optional<LastFailure> lastFailure;

    /// The memory that a configuration would have left, in one piece, at the end of the recording
    /// after serving the last failed request; nothing if unknown.
    [[nodiscard]] std::optional<Bytes> leftAfterFailure(const WhatIf &asked) const;
};

/// Simulates a device's requests under each of `configurations` on all threads. `capacity`: the
/// allocator's share of the device, -1: from Study::replay(), if known. Nothing if `progress`
/// cancels.
[[nodiscard]] std::optional<WhatIfs> whatIf(const Study &study,
                                            std::span<const std::string> configurations,
                                            Bytes capacity = -1, const Progress &progress = {});

} // namespace vramscope
