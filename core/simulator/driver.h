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

/// What gives memory and addresses to the caching allocator: the CUDA driver, a model of it, or a
/// recording of what it once did.
class Driver
{
public:
    Driver() = default;
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;
    virtual ~Driver() = default;

    /// cudaMalloc: the address of `size` bytes; none where the device is full.
    [[nodiscard]] virtual std::optional<std::uint64_t> allocate(Bytes size) = 0;
    /// Addresses for an expandable segment, no memory yet.
    [[nodiscard]] virtual std::optional<std::uint64_t> reserve(Bytes size) = 0;
    /// Memory for reserved addresses; false where the device is full.
    [[nodiscard]] virtual bool map(std::uint64_t address, Bytes size) = 0;
    /// cudaFree of `size` bytes that allocate() gave, or that were held before.
    virtual void free(std::uint64_t address, Bytes size) = 0;
    /// Memory for `size` bytes of reserved addresses goes back.
    virtual void unmap(Bytes size) = 0;
    /// `size` bytes of memory were held before the first request.
    virtual void adopt(Bytes size) = 0;
    /// Whether garbage is collected now, the segment at `first` to begin with: what only a
    /// recording knows where the limit is not told. Nothing: the settings decide.
    [[nodiscard]] virtual std::optional<bool> collects(std::uint64_t first)
    {
        (void)first;
        return {};
    }
    /// Frees that wait for other streams, in the order of the requests, are all waited for: puts
    /// them into the order in which they complete.
    virtual void order(std::vector<AllocationId> &waiting) { (void)waiting; }
};

/// A device with so many bytes for the allocator, all that is left beside the context and other
/// processes, and addresses as its driver would give them.
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
