// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace vramscope {

/// The order in which a driver gives addresses to segments: on Linux mostly falling, on Windows
/// rising. Among free blocks of one size the allocator takes the lowest, so the order decides which
/// stay whole, and thus how much is reserved.
enum class AddressOrder : std::uint8_t { Falling, Rising };

/// Free ranges of addresses.
class AddressRanges
{
public:
    using Address = std::uint64_t;
    using Length = std::uint64_t;

    /// Adds a range and joins it with adjacent ones from `low` on and below `high`.
    void add(Address address, Length length, Address low, Address high);
    /// Takes the first `length` out of the lowest range that is long enough.
    std::optional<Address> takeLowest(Length length);
    /// Takes the last `length` out of the highest range that has at least `least`.
    std::optional<Address> takeHighest(Length length, Length least);
    /// Takes the range that begins there; returns its length, or 0.
    Length takeAt(Address address);

private:
    void insert(Address address, Length length);
    void erase(std::map<Address, Length>::iterator range);

    std::map<Address, Length> m_ranges;
    std::map<Length, std::set<Address>> m_byLength;
};

/// The addresses that cudaMalloc gives to segments. Falling, as measured on an H100 under Linux
/// (driver 580, CUDA 13; tests/measure/README.md): the driver has ranges of whole 32 MiB. A request
/// gets the lowest addresses left in any of them; else a new range, at the end of the highest gap
/// that is 32 MiB longer than the range, or below all others. An unused range becomes a gap. Not
/// modelled: the up to 400 MiB of addresses that loading kernels may leave to the first segments,
/// which then rise. Rising: no address is used again.
class DriverAddresses
{
public:
    explicit DriverAddresses(AddressOrder order)
        : m_order(order)
    {
    }

    /// The address of `size` bytes, whole multiples of 2 MiB; nothing if no addresses are left.
    [[nodiscard]] std::optional<std::uint64_t> take(Bytes size);
    /// Frees `size` bytes from take(). Other addresses are ignored.
    void giveBack(std::uint64_t address, Bytes size);

private:
    struct Range
    {
        std::uint64_t length = 0;
        std::uint64_t used = 0;
    };

    std::optional<std::uint64_t> newRange(std::uint64_t length);

    static constexpr std::uint64_t kFirst = std::uint64_t(1) << 62U; // room on both sides

    AddressOrder m_order;
    std::uint64_t m_next = kFirst; // falling: the lowest in a range; rising: the next
    std::map<std::uint64_t, Range> m_ranges;
    AddressRanges m_left; // of ranges
    AddressRanges m_gaps; // between them
};

} // namespace vramscope
