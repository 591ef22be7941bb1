// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/what_if/recorded_requests.h"
#include "core/analysis/what_if/replay.h"
#include "core/simulator/allocator_log.h"
#include "core/simulator/caching_allocator.h"
#include "core/simulator/driver.h"

#include <array>
#include <optional>
#include <set>
#include <string>

namespace vramscope {

/// A recording in the role of the driver and the log of a simulated allocator: it returns the
/// recorded addresses, fails where the device failed, and compares every simulated event with the
/// next recorded one, until the first that differs.
class ReplayDriver : public Driver, public AllocatorLog
{
public:
    /// Keeps references to the arguments.
    ReplayDriver(const DeviceTrace &device, const Allocations &allocations);

    [[nodiscard]] bool failed() const { return m_failed; }
    /// The next recorded event; the one that differed, if any.
    [[nodiscard]] EventIndex cursor() const { return m_cursor; }
    /// The recorded and the simulated event there; empty if nothing differs.
    [[nodiscard]] const std::string &difference() const { return m_difference; }
    /// Ends the simulation; any further recorded event differs.
    void finish();

    std::optional<std::uint64_t> allocate(Bytes size) override;
    std::optional<std::uint64_t> reserve(Bytes size) override;
    bool map(std::uint64_t address, Bytes size) override;
    void free(std::uint64_t, Bytes) override {}
    void unmap(Bytes) override {}
    void adopt(Bytes) override {}
    std::optional<bool> collects(std::uint64_t first) override;
    void order(std::vector<AllocationId> &waiting) override;
    void record(const AllocatorEvent &event) override;

private:
    [[nodiscard]] Action next() const
    {
        return m_cursor < m_events.count() ? m_events.action[static_cast<std::size_t>(m_cursor)]
                                           : Action::Other;
    }
    [[nodiscard]] bool isReleasing() const;
    bool gives(Action action, Bytes size);
    void fail(const std::string &simulated);
    void skip();

    const EventColumns &m_events;
    const Allocations &m_allocations;
    std::array<bool, kActionCount> m_isRecorded{};
    EventIndex m_cursor = 0;
    bool m_failed = false;
    std::string m_difference;
};

/// One replay under settings that may be those of the recording.
class ReplayAttempt
{
public:
    /// Keeps references to the arguments.
    ReplayAttempt(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                  const AddressSpace &space);

    /// False when cancelled.
    bool run(const AllocatorSettings &settings, const Progress &progress);

    [[nodiscard]] const Replay &result() const { return m_result; }
    [[nodiscard]] std::int64_t guessedSizes() const { return m_guessedSizes; }

private:
    bool runOnce(const AllocatorSettings &settings, const Progress &progress);
    void serveOne(CachingAllocator &allocator, const AllocatorRequest &request,
                  const ReplayDriver &rehearsal);
    [[nodiscard]] std::int64_t otherBlocks(const CachingAllocator &allocator) const;

    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    const AddressSpace &m_space;
    RequestStream m_stream;
    Replay m_result;
    std::int64_t m_guessedSizes = 0;
    // Awaited frees that were noticed before the request; the first other one before the request at
    // which the replay ended.
    std::set<std::size_t> m_noticed;
    std::optional<std::size_t> m_awaitedBefore;
};

} // namespace vramscope
