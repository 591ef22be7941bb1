// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_reuse.h"

#include <algorithm>

namespace vramscope {

namespace {

// Sizes in a damaged file are arbitrary; no block ends before its address.
std::uint64_t bytesAt(const Allocations &allocations, AllocationIndex at)
{
    return static_cast<std::uint64_t>(std::max<Bytes>(allocations.size[at], 1));
}

} // namespace

AddressReuse addressReuse(const Allocations &allocations, AllocationIndex allocation)
{
    const std::uint64_t address = allocations.address[allocation];
    const std::uint64_t bytes = bytesAt(allocations, allocation);
    // Differences instead of ends, which could pass the end of the address space.
    const auto shares = [&](AllocationIndex at) {
        const std::uint64_t other = allocations.address[at];
        return other >= address ? other - address < bytes
                                : address - other < bytesAt(allocations, at);
    };
    AddressReuse reuse;
    for (AllocationIndex at = allocation; at-- > 0;) {
        if (shares(at)) {
            reuse.before = at;
            break;
        }
    }
    for (AllocationIndex at = allocation + 1; at < allocations.count(); ++at) {
        if (shares(at)) {
            reuse.after = at;
            break;
        }
    }
    return reuse;
}

} // namespace vramscope
