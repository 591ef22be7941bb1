// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/simulator/simulation.h"

namespace vramscope {

/// What a recorded program asked of the allocator, without what the allocator made of it. The
/// numbers of allocations are those of `allocations`; those of failed requests follow. What a
/// program held before the recording comes first, in the order of its addresses, where `earlier`
/// asks for it: allocated from nothing, as far as the file tells. Addresses run as the recorded
/// driver's did.
[[nodiscard]] RequestStream recordedRequests(const Trace &trace, const DeviceTrace &device,
                                             const Allocations &allocations, bool earlier);

/// Whether recorded segments came at rising addresses or at falling ones: rising where most of them
/// lie above all before them. What tells neither counts as falling, as on Linux.
[[nodiscard]] AddressOrder recordedOrder(const DeviceTrace &device);

} // namespace vramscope
