// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

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
    /// `size` bytes of memory go back: cudaFree, or pages that are unmapped.
    virtual void takeBack(Bytes size) = 0;
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
/// processes, and ascending addresses that are never used again.
class ModelDriver : public Driver
{
public:
    explicit ModelDriver(Bytes capacity)
        : m_left(capacity)
    {
    }

    std::optional<std::uint64_t> allocate(Bytes size) override
    {
        if (!map(m_next, size))
            return {};
        return reserve(size);
    }
    std::optional<std::uint64_t> reserve(Bytes size) override
    {
        constexpr std::uint64_t kGrain = std::uint64_t(2) << 20U;
        const std::uint64_t taken = (static_cast<std::uint64_t>(size) + kGrain - 1) / kGrain;
        if (taken > (~std::uint64_t(0) - m_next) / kGrain)
            return {};
        const std::uint64_t address = m_next;
        m_next += taken * kGrain;
        return address;
    }
    bool map(std::uint64_t, Bytes size) override
    {
        if (size > m_left)
            return false;
        m_left -= size;
        return true;
    }
    void takeBack(Bytes size) override { m_left += size; }
    void adopt(Bytes size) override { m_left -= size; }

private:
    Bytes m_left;
    std::uint64_t m_next = 0x7f00'0000'0000U;
};

} // namespace vramscope
