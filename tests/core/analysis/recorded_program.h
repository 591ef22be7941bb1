// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/caching_allocator.h"
#include "core/trace/trace_builder.h"

#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace vramscope::test {

/// A random program on a simulated allocator, with streams, private pools one after the other,
/// frees that wait and a device that is too small now and then, recorded as a snapshot would be.
/// The same for a seed.
class RecordedProgram : private AllocatorLog
{
public:
    static constexpr Bytes kCapacity = 700 * kMiB;

    RecordedProgram(const std::string &configuration, unsigned seed, int calls = 300);

    [[nodiscard]] std::size_t eventCount() const { return m_events.size(); }
    [[nodiscard]] const AllocatorFigures &figures() const { return m_allocator.figures(); }

    /// What a ring that lost the first `lost` events holds, in a file that tells this
    /// configuration.
    [[nodiscard]] std::shared_ptr<const Trace> trace(std::size_t lost, std::string_view told) const;
    [[nodiscard]] std::shared_ptr<const Trace> trace(std::size_t lost) const
    {
        return trace(lost, m_configuration);
    }
    /// The whole recording with an event changed.
    [[nodiscard]] std::shared_ptr<const Trace> traceWith(std::size_t event, Bytes size,
                                                         std::string_view told) const;
    [[nodiscard]] std::shared_ptr<const Trace> traceWith(std::size_t event, Bytes size) const
    {
        return traceWith(event, size, m_configuration);
    }

private:
    struct Recorded
    {
        AllocatorEvent event;
        int call;
        std::uint16_t pool;
        Bytes deviceFree;
    };
    static constexpr std::int64_t kStreams[] = {0, 0x55aa00};

    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    void record(const AllocatorEvent &event) override;
    AllocationId taken(std::vector<AllocationId> &ids);
    void step();
    [[nodiscard]] std::shared_ptr<const Trace> built(std::span<const Event> events,
                                                     std::string_view told) const;
    [[nodiscard]] std::vector<Event> recordedFrom(std::size_t first) const;

    std::string m_configuration;
    std::mt19937 m_random;
    std::vector<Recorded> m_events;
    int m_call = 0;
    std::uint16_t m_pool = 0;                          // of the call
    std::set<std::uint64_t> m_segments;                // where a cudaMalloc began
    std::map<std::uint64_t, std::uint16_t> m_poolAt;   // of allocations, by address
    std::map<std::uint64_t, std::uint16_t> m_poolFrom; // of memory, by where it begins
    std::uint16_t m_privatePool = 1;
    AllocationId m_next = 0;
    std::vector<AllocationId> m_live;
    std::vector<AllocationId> m_waiting;
    ModelDriver m_driver;
    CachingAllocator m_allocator;
};

} // namespace vramscope::test
