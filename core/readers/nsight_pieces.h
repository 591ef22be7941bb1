// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_ranges.h"
#include "core/readers/sqlite_pages.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The pieces that the threads make of the large tables: columns of consecutive events, with texts,
// threads, lanes and launches numbered within the piece. Few of these differ, and once the whole
// recording knows them the piece is done.

namespace vramscope::nsight {

/// Distinct things in the order of their first occurrence.
template<class Thing, class Hash>
class Numbered
{
public:
    [[nodiscard]] const std::vector<Thing> &all() const { return m_all; }
    /// The number of a thing. Most calls repeat the last one.
    std::uint32_t of(const Thing &thing)
    {
        constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
        const auto isAt = [&](std::uint32_t at) { return at < m_all.size() && m_all[at] == thing; };
        if (isAt(m_last))
            return m_last;
        m_last = m_seen[(Hash()(thing) * kFactor) >> 58];
        if (isAt(m_last))
            return m_last;
        const auto [known, isNew] =
            m_numbers.try_emplace(thing, static_cast<std::uint32_t>(m_all.size()));
        if (isNew)
            m_all.push_back(thing);
        m_seen[(Hash()(thing) * kFactor) >> 58] = known->second;
        return m_last = known->second;
    }
    void clear()
    {
        m_all.clear();
        m_numbers.clear();
    }

private:
    std::vector<Thing> m_all;
    std::unordered_map<Thing, std::uint32_t, Hash> m_numbers;
    std::array<std::uint32_t, 64> m_seen{}; // where one was last found, for a quick check
    std::uint32_t m_last = 0;
};
using ThreadNumbers = Numbered<std::int64_t, std::hash<std::int64_t>>; // by globalTid

/// Whether a row has a start and an end; an end before the start is moved to it. `problem` is
/// called with what is wrong.
template<class Problem>
bool hasPlace(std::int64_t start, std::int64_t &end, Problem problem)
{
    const bool isWhole = start != kNoNumber && end != kNoNumber;
    if (!isWhole)
        problem("An event lacks its start or its end; it was left out.");
    else if (end < start)
        problem("An event ends before it starts; it was given no duration.");
    end = isWhole ? std::max(start, end) : end;
    return isWhole;
}

/// The row count and the problems of a piece.
class Piece
{
public:
    struct Problem
    {
        std::string_view kind; // constant
        std::int64_t count = 0;
    };
    [[nodiscard]] std::int64_t rowCount() const { return m_rowCount; }
    /// Problems of rows, in the order of their first occurrence.
    [[nodiscard]] const std::vector<Problem> &problems() const { return m_problems; }

protected:
    /// Calls take(row, start, end) for each row that has a place in time and that isWanted(row).
    /// The start is the first column, the end the second.
    template<class IsWanted, class Take>
    void forEachPlaced(const SqliteRows &rows, IsWanted isWanted, Take take)
    {
        m_rowCount += static_cast<std::int64_t>(rows.count());
        for (std::size_t at = 0; at < rows.count(); ++at) {
            const SqliteRow row = rows[at];
            if (!isWanted(row))
                continue;
            const std::int64_t start = row.time(0);
            std::int64_t end = row.time(1);
            if (hasPlace(start, end, [&](std::string_view kind) { addProblem(kind); }))
                take(row, start, end);
        }
    }
    void addProblem(std::string_view kind);
    void clear()
    {
        m_rowCount = 0;
        m_problems.clear();
    }

private:
    std::int64_t m_rowCount = 0;
    std::vector<Problem> m_problems;
};

/// The rows of each thread of a piece; a few keep their memory for the next piece.
template<class Rows>
class RowsByThread
{
public:
    [[nodiscard]] Rows &of(std::uint32_t thread)
    {
        if (thread >= m_rows.size())
            m_rows.resize(thread + 1);
        return m_rows[thread];
    }
    void clear()
    {
        constexpr std::size_t kKept = 64; // threads
        if (m_rows.size() > kKept)
            m_rows.resize(kKept);
        for (Rows &rows : m_rows)
            rows.clear();
    }

private:
    std::vector<Rows> m_rows;
};

/// Rows of NVTX_EVENTS.
class RangePiece : public Piece
{
public:
    static constexpr SqliteColumns kColumns{"start",  "end",       "eventType", "text",
                                            "textId", "globalTid", "binaryData"};

    /// Operators of a thread.
    struct Operators
    {
        std::vector<std::int64_t> start;
        std::vector<std::int64_t> end;
        std::vector<std::uint32_t> name; // of texts()
        SparseColumn<std::uint32_t, kNoRow> shapes;
        SparseColumn<std::int64_t, kNotStated> sequence;
        SparseColumn<std::int64_t, kNotStated> forwardThread;
        void clear();
    };
    /// A range of the program.
    struct Range
    {
        std::int64_t start;
        std::int64_t end;
        std::uint32_t name;   // of texts()
        std::uint32_t thread; // of threads()
        bool isStep;
    };
    /// A range of NCCL, for NcclRanges.
    struct Nccl
    {
        std::string text;
        std::int64_t start;
        std::int64_t end;
        std::uint32_t thread; // of threads()
        std::optional<NcclPayload> payload;
    };

    void add(const SqliteRows &rows, const Strings &strings, const PayloadLayouts &layouts);
    void clear();

    [[nodiscard]] std::size_t textCount() const { return m_texts.size(); }
    [[nodiscard]] std::string_view text(std::size_t at) const
    {
        return std::string_view(m_characters).substr(m_texts[at].begin, m_texts[at].size);
    }
    [[nodiscard]] const std::vector<std::int64_t> &threads() const { return m_threads.all(); }
    [[nodiscard]] Operators &operators(std::uint32_t thread) { return m_operators.of(thread); }
    [[nodiscard]] const std::vector<Range> &ranges() const { return m_ranges; }
    [[nodiscard]] const std::vector<Nccl> &nccl() const { return m_nccl; }

private:
    /// A value from a text: a name, or the shapes of inputs.
    struct OwnText
    {
        std::size_t begin = 0; // in m_characters
        std::size_t size = 0;
        bool isStep = false;
        bool isBackward = false;
        bool isNccl = false;
    };
    std::uint32_t textOf(std::string_view text);

    std::string m_characters;
    std::vector<OwnText> m_texts;
    std::array<std::uint32_t, 256> m_seen{}; // where a text was last found, for a quick check
    ThreadNumbers m_threads;
    RowsByThread<Operators> m_operators; // by number of threads()
    std::vector<Range> m_ranges;
    std::vector<Nccl> m_nccl;
};

/// Rows of CUPTI_ACTIVITY_KIND_RUNTIME.
class CallPiece : public Piece
{
public:
    static constexpr SqliteColumns kColumns{"start", "end", "globalTid", "correlationId", "nameId"};

    /// The calls of a thread.
    struct Calls
    {
        std::vector<std::int64_t> start;
        std::vector<std::int64_t> end;
        std::vector<std::int64_t> correlation; // of the process alone
        std::vector<std::size_t> name;         // a place in Strings
        void clear();
    };

    void add(const SqliteRows &rows, const Strings &strings);
    void clear();

    [[nodiscard]] const std::vector<std::int64_t> &threads() const { return m_threads.all(); }
    [[nodiscard]] Calls &calls(std::uint32_t thread) { return m_calls.of(thread); }

private:
    ThreadNumbers m_threads;
    RowsByThread<Calls> m_calls; // by number of threads()
};

/// Rows of CUPTI_ACTIVITY_KIND_KERNEL.
class KernelPiece : public Piece
{
public:
    static constexpr SqliteColumns kColumns{"start",
                                            "end",
                                            "deviceId",
                                            "contextId",
                                            "streamId",
                                            "correlationId",
                                            "globalPid",
                                            "demangledName",
                                            "shortName",
                                            "registersPerThread",
                                            "gridX",
                                            "gridY",
                                            "gridZ",
                                            "blockX",
                                            "blockY",
                                            "blockZ",
                                            "staticSharedMemory",
                                            "dynamicSharedMemory"};

    /// Where a kernel ran, in the numbers of its process.
    struct Queue
    {
        std::int64_t process = kNoNumber;
        std::int64_t device = kNoNumber;
        std::int64_t context = kNoNumber;
        std::int64_t stream = kNoNumber;
        bool operator==(const Queue &) const = default;
    };

    void add(const SqliteRows &rows, const Strings &strings);
    void clear();

    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    std::vector<std::int64_t> correlation; // of the process alone
    std::vector<std::size_t> name;         // a place in Strings
    std::vector<std::uint32_t> queue;      // of queues()
    std::vector<std::uint32_t> shape;      // of shapes()
    [[nodiscard]] const std::vector<Queue> &queues() const { return m_queues.all(); }
    [[nodiscard]] const std::vector<LaunchShape> &shapes() const { return m_shapes.all(); }

private:
    struct QueueHash
    {
        std::size_t operator()(const Queue &queue) const;
    };
    struct ShapeHash
    {
        std::size_t operator()(const LaunchShape &shape) const;
    };
    Numbered<Queue, QueueHash> m_queues;
    Numbered<LaunchShape, ShapeHash> m_shapes;
};

} // namespace vramscope::nsight
