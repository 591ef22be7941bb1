// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/recorded_requests.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/replay_driver.h"
#include "core/simulator/caching_allocator.h"

#include <optional>
#include <set>

namespace vramscope {

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
