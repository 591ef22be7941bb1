// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_log.h"
#include "core/simulator/allocator_settings.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope::test {

struct NaiveBlock
{
    enum class State { Free, Allocated, Pending, Unmapped };

    std::uint64_t address = 0;
    std::int64_t size = 0;
    std::int64_t requested = 0;
    int stream = 0;
    int pool = 0;
    bool small = false;
    int group = 0; ///< equal within one cudaMalloc or one reservation
    bool expandable = false;
    State state = State::Free;
    int id = -1;
    int born = 0; ///< searches of its pool when it became free
};

/// PyTorch's caching allocator written down step by step as its specification tells it, to be held
/// against the fast one: one list of blocks by address, searched from its beginning for everything,
/// and no sum that is kept.
class NaiveAllocator
{
public:
    NaiveAllocator(const AllocatorSettings &settings, std::int64_t capacity,
                   std::vector<std::int64_t> streams)
        : m_settings(settings)
        , m_capacity(capacity)
        , m_streams(std::move(streams))
    {
    }

    bool malloc(int id, std::int64_t requested, int stream, int pool);
    void free(int id);
    void freeLater(int id);
    void streamsAreDone(int id);
    void emptyCache();
    void abandon(int pool);
    void emptyPool(int pool);

    [[nodiscard]] const std::vector<NaiveBlock> &blocks() const { return m_blocks; }
    [[nodiscard]] const std::vector<AllocatorEvent> &events() const { return m_events; }
    [[nodiscard]] std::int64_t reserved() const;
    [[nodiscard]] std::int64_t inactiveSplit() const;
    [[nodiscard]] std::int64_t releasable() const;

private:
    struct Params
    {
        std::int64_t size;
        int stream;
        int pool;
        bool small;
        bool expandable;
    };

    [[nodiscard]] std::int64_t round(std::int64_t size) const;
    [[nodiscard]] std::int64_t page(bool small) const;
    [[nodiscard]] std::optional<std::size_t> previous(std::size_t at) const;
    [[nodiscard]] std::optional<std::size_t> next(std::size_t at) const;
    [[nodiscard]] std::size_t indexOf(int id) const;
    [[nodiscard]] std::size_t indexAt(std::uint64_t address) const;
    [[nodiscard]] bool isWhole(std::size_t at) const { return !previous(at) && !next(at); }
    [[nodiscard]] std::int64_t growsTo(std::size_t at) const;
    [[nodiscard]] std::vector<std::uint64_t> freeOf(int pool, bool small, int stream) const;
    [[nodiscard]] std::vector<std::uint64_t> freeOf(int pool, bool small) const;
    int &searches(int pool, bool small);

    std::optional<std::size_t> getFreeBlock(const Params &params);
    std::optional<std::size_t> allocBlock(const Params &params);
    std::optional<std::size_t> allocateExpandable(const Params &params);
    bool mapBlock(std::uint64_t &address, std::int64_t size);
    void garbageCollect();
    bool releaseAvailable(const Params &params);
    void releaseBlocks(int pool, bool small);
    void releaseBlock(std::uint64_t address);
    void unmapBlock(std::uint64_t address);
    void freeBlock(int id);
    std::size_t merged(std::size_t at);
    void becomeFree(std::size_t at);
    void insert(const NaiveBlock &block);
    void log(AllocatorAction action, int stream, std::uint64_t address, std::int64_t size);

    AllocatorSettings m_settings;
    std::int64_t m_capacity;
    std::vector<std::int64_t> m_streams;
    std::vector<NaiveBlock> m_blocks; // by address
    std::vector<int> m_pending;
    std::vector<int> m_abandoned;
    std::vector<AllocatorEvent> m_events;
    std::vector<std::vector<int>> m_searches;
    std::uint64_t m_nextAddress = std::uint64_t(1) << 62U;
    int m_groups = 0;
};

} // namespace vramscope::test
