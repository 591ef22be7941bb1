// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/driver_addresses.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

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
