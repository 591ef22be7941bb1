// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

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

/// A caller's number of one allocation; each is allocated once.
using AllocationId = std::uint32_t;
inline constexpr AllocationId kNobody = 0xffffffffU;

/// The caching allocator's source of memory and addresses: the CUDA driver, a model of it, or a
/// recording of one.
class Driver
{
public:
    Driver() = default;
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;
    virtual ~Driver() = default;

    /// cudaMalloc: the address of `size` bytes; nothing if the device is full.
    [[nodiscard]] virtual std::optional<std::uint64_t> allocate(Bytes size) = 0;
    /// Reserves addresses for an expandable segment, without memory yet.
    [[nodiscard]] virtual std::optional<std::uint64_t> reserve(Bytes size) = 0;
    /// Maps memory for reserved addresses; false if the device is full.
    [[nodiscard]] virtual bool map(std::uint64_t address, Bytes size) = 0;
    /// cudaFree of `size` bytes from allocate() or adopt().
    virtual void free(std::uint64_t address, Bytes size) = 0;
    /// Returns the memory of `size` bytes of reserved addresses.
    virtual void unmap(Bytes size) = 0;
    /// Adds `size` bytes of memory that were allocated before the first request.
    virtual void adopt(Bytes size) = 0;
    /// Whether garbage is collected now, starting with the segment at `first`: only a recording
    /// knows if the limit is unknown. Nothing: the settings decide.
    [[nodiscard]] virtual std::optional<bool> collects(std::uint64_t first)
    {
        (void)first;
        return {};
    }
    /// All frees that wait for other streams, in the order of the requests, are awaited: sorts them
    /// in the order in which they complete.
    virtual void order(std::vector<AllocationId> &waiting) { (void)waiting; }
};

/// A device with this many bytes for the allocator, without the context and other processes, and
/// addresses as its driver would give them.
class ModelDriver : public Driver
{
public:
    explicit ModelDriver(Bytes capacity, AddressOrder order = AddressOrder::Falling)
        : m_left(capacity)
        , m_addresses(order)
    {
    }

    std::optional<std::uint64_t> allocate(Bytes size) override
    {
        if (size > m_left)
            return {};
        const std::optional<std::uint64_t> address = reserve(size);
        if (address)
            m_left -= size;
        return address;
    }
    std::optional<std::uint64_t> reserve(Bytes size) override { return m_addresses.take(size); }
    bool map(std::uint64_t, Bytes size) override
    {
        if (size > m_left)
            return false;
        m_left -= size;
        return true;
    }
    void free(std::uint64_t address, Bytes size) override
    {
        m_addresses.giveBack(address, size);
        m_left += size;
    }
    void unmap(Bytes size) override { m_left += size; }
    void adopt(Bytes size) override { m_left -= size; }

private:
    Bytes m_left;
    DriverAddresses m_addresses;
};

} // namespace vramscope
