// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/driver.h"

#include <cstdint>

namespace vramscope {

using BlockId = std::uint32_t;
inline constexpr BlockId kNoBlock = 0xffffffffU;
inline constexpr std::uint32_t kNoReservation = 0xffffffffU;

enum class SimulatedState : std::uint8_t {
    Free,
    Allocated,
    Pending,  ///< freed, but another stream still uses it
    Unmapped, ///< addresses of an expandable segment without memory
};

/// Restricts the use of memory, which never moves between domains.
struct MemoryDomain
{
    std::uint16_t pool = 0; ///< 0: the default one
    std::uint16_t stream = 0;
    bool large = false;
    bool operator==(const MemoryDomain &) const = default;
};

/// A range of addresses. Neighbours belong to the same cudaMalloc or expandable segment.
struct Block
{
    std::uint64_t address = 0;
    Bytes size = 0;
    Bytes requested = 0; ///< of the last allocation that used it
    BlockId previous = kNoBlock;
    BlockId next = kNoBlock;
    std::uint32_t domain = 0;
    std::uint32_t reservation = kNoReservation; ///< of an expandable segment
    AllocationId allocation = kNobody;
    std::uint32_t freedAt = 0; ///< searches of its pool until then
    SimulatedState state = SimulatedState::Free;

    [[nodiscard]] bool isSplit() const { return previous != kNoBlock || next != kNoBlock; }
    [[nodiscard]] bool isExpandable() const { return reservation != kNoReservation; }
};

/// The addresses of an expandable segment.
struct Reservation
{
    std::uint64_t address = 0;
    Bytes page = 0;
};

struct AddressRange
{
    std::uint64_t address = 0;
    Bytes size = 0;
};

/// A block in the list at the end.
struct PlacedBlock
{
    std::uint64_t address = 0;
    Bytes size = 0;
    Bytes requested = 0; ///< 0 if it is not in use
    MemoryDomain domain{};
    AllocationId allocation = kNobody;
    SimulatedState state = SimulatedState::Free;
    bool expandable = false;
    bool operator==(const PlacedBlock &) const = default;
};

} // namespace vramscope
