// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/simulator/simulation.h"

namespace vramscope {

/// A recorded program's requests to the allocator, without the allocator's actions. The numbers of
/// allocations are those of `allocations`; those of failed requests follow. With `earlier`, memory
/// from before the recording comes first, in the order of its addresses: allocated from nothing, as
/// far as the file shows. Addresses run as the recorded driver's did.
[[nodiscard]] RequestStream recordedRequests(const Trace &trace, const DeviceTrace &device,
                                             const Allocations &allocations, bool earlier);

/// Whether recorded segments came at rising addresses or at falling ones: rising if most of them
/// are above all before them. An undecided order counts as falling, as on Linux.
[[nodiscard]] AddressOrder recordedOrder(const DeviceTrace &device);

} // namespace vramscope
