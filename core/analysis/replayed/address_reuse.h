// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"

namespace vramscope {

/// Allocations that used bytes of an allocation's place before and after it; kNoAllocation if none
/// was recorded.
struct AddressReuse
{
    AllocationIndex before = kNoAllocation; ///< the last one born before it
    AllocationIndex after = kNoAllocation;  ///< the first one born after it
};

/// The allocations that share a byte of address space with `allocation` and are its nearest in
/// order of birth. An allocation of no bytes shares its address. Fast if the place was reused soon,
/// linear in the allocations if it never was.
[[nodiscard]] AddressReuse addressReuse(const Allocations &allocations, AllocationIndex allocation);

} // namespace vramscope
