// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

namespace vramscope::test {

/// Who asked: a stack, which is a number that its maker gives a meaning, and the number of the call
/// of the allocator, which tells events of one call from those of another with the same stack.
struct ModelCaller
{
    int stack = 0;
    int call = 0;
};

struct ModelEvent
{
    Action action = Action::Alloc;
    std::uint64_t address = 0;
    Bytes size = 0;
    std::int64_t stream = 0;
    int pool = 0;
    std::int64_t time = 0;
    ModelCaller caller{};
};

struct ModelBlock
{
    Bytes size = 0;
    Bytes requested = 0; ///< keeps its last value when freed, as PyTorch's does
    enum class State { Free, Allocated, PendingFree, Unmapped } state = State::Free;
    ModelCaller caller{};
};

/// A cudaMalloc; or the reserved addresses of an expandable segment, partly mapped.
struct ModelSegment
{
    std::uint64_t address = 0;
    std::int64_t stream = 0;
    int pool = 0; ///< 0: the default one
    bool small = false;
    bool expandable = false;
    ModelCaller caller{};
    std::map<std::uint64_t, ModelBlock> blocks; ///< by address, contiguous
};

/// What is known of the recording because the model made it, not because someone read it.
struct ModelTruth
{
    Bytes active = 0; ///< bytes of blocks, pending frees included
    Bytes peakActive = 0;
    EventIndex peakActiveEvent = -1;
    Bytes reserved = 0;
    Bytes peakReserved = 0;
};

/// A small, deterministic model of PyTorch's caching allocator on one device that records what it
/// does: rounding to 512 bytes, small and large pools for each stream, best fit, splitting and
/// merging, expandable segments, private pools, frees that wait for another stream, and the retry
/// that returns cached segments before it gives up. Enough to make recordings that PyTorch could
/// have made under its default settings.
class AllocatorModel
{
public:
    struct Block
    {
        std::uint64_t segment; ///< address
        std::uint64_t address;
    };

    AllocatorModel(Bytes capacity, bool expandable);

    /// Nothing where the device is full: an OutOfMemory event is recorded then.
    std::optional<Block> allocate(Bytes requested, int stack, std::int64_t stream = 0);
    void free(Block block, int stack);
    /// Frees a block that another stream still uses for `microseconds`.
    void freeLater(Block block, int stack, std::int64_t microseconds);
    /// Returns cached memory to the device.
    void emptyCache(int stack);
    /// Allocations go to this private pool from now on; 0: back to the default one.
    void setPool(int pool) { m_pool = pool; }
    /// Lets time pass.
    void work(std::int64_t microseconds) { m_clock += microseconds; }

    [[nodiscard]] std::int64_t clock() const { return m_clock; }
    [[nodiscard]] const std::vector<ModelEvent> &events() const { return m_events; }
    [[nodiscard]] const ModelTruth &truth() const { return m_truth; }
    /// The mapped ranges, one segment each, by address.
    [[nodiscard]] std::vector<ModelSegment> segments() const;

private:
    struct Request
    {
        Bytes size;
        std::int64_t stream;
        bool small;
        ModelCaller caller{};
    };
    struct Pending
    {
        Block block;
        std::int64_t ready;
    };

    void record(Action action, std::uint64_t address, Bytes size, std::int64_t stream,
                ModelCaller caller);
    std::optional<Block> bestFit(const Request &request) const;
    std::optional<Block> newMemory(const Request &request);
    std::optional<Block> newSegment(const Request &request);
    std::optional<Block> expand(const Request &request);
    std::optional<Block> mapUntil(ModelSegment &segment, std::uint64_t start,
                                  const Request &request);
    ModelSegment &reservation(const Request &request);
    ModelCaller called(int stack) { return {stack, ++m_calls}; }
    void requestFree(Block block, ModelCaller caller, std::int64_t microseconds);
    void releaseCached(ModelCaller caller);
    void complete(Block block, ModelCaller caller);
    void completePending(ModelCaller caller, bool wait);
    void unmap(ModelSegment &segment, std::uint64_t address, ModelCaller caller);
    static void merge(ModelSegment &segment, std::uint64_t address);

    Bytes m_capacity;
    bool m_expandable;
    int m_pool = 0;
    int m_calls = 0;
    std::int64_t m_clock = 1'775'000'000'000'000;
    std::uint64_t m_nextAddress = 0x7f3a40000000U;
    std::mt19937 m_random{20260401};
    std::map<std::uint64_t, ModelSegment> m_segments;
    std::vector<Pending> m_pending;
    std::vector<ModelEvent> m_events;
    ModelTruth m_truth;
};

} // namespace vramscope::test
