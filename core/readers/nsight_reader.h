// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/readers/nsight_devices.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_pieces.h"
#include "core/readers/nsight_ranges.h"
#include "core/readers/sqlite_file.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vramscope::nsight {

static_assert(kNoNumber == kNotStated);

inline constexpr double kReading = 0.7; ///< the part of reading; the rest is sorting

inline constexpr std::string_view kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
inline constexpr std::string_view kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
inline constexpr std::string_view kFills = "CUPTI_ACTIVITY_KIND_MEMSET";
inline constexpr std::string_view kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
inline constexpr std::string_view kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
inline constexpr std::string_view kRanges = "NVTX_EVENTS";
inline constexpr std::string_view kTexts = "StringIds";

/// Columns of the tables of device activity and profiler overhead: start and end, and some of the
/// others.
inline constexpr SqliteColumns kActivity{"start",         "end",       "deviceId",  "contextId",
                                         "streamId",      "bytes",     "copyKind",  "srcKind",
                                         "correlationId", "globalPid", "globalTid", "nameId",
                                         "dstKind",       "memKind",   "syncType"};

/// Reads the tables in order: texts and names first, then ranges, from which NCCL's sizes come,
/// calls, and the work that these launched.
class ExportReader
{
public:
    ExportReader(SqliteFile &file, const Progress &progress)
        : m_file(file)
        , m_tick([&progress, &file] { return !progress || progress(kReading * file.share()); })
        , m_builder("nsight-systems")
    {
    }

    ExportReader(const ExportReader &) = delete;
    ExportReader &operator=(const ExportReader &) = delete;
    ~ExportReader() { m_isGivenUp = true; } // and waits for the host side

    Result<std::shared_ptr<const Profile>> read();

private:
    using Reading = Result<void> (ExportReader::*)();

    Result<void> readFacts();
    Result<void> readNames();
    Result<void> readThreadNames();
    Result<void> readRanges();
    Result<void> readCalls();
    Result<void> readKernels();
    Result<void> readCopies();
    Result<void> readFills();
    Result<void> readGraphs();
    Result<void> readWaits();
    Result<void> readOverheads();
    Result<void> readMemory();
    Result<void> readDiagnostics();
    bool isHostFinished();
    void takeKernels(KernelPiece &piece);
    void addCollectives();
    /// Counts the rows and the problems of a piece.
    void note(const Piece &piece);

    /// Calls visit(row) for each row of a table.
    template<std::size_t count, class Visit>
    Result<void> forEachRow(std::string_view table, const SqliteColumns<count> &columns,
                            Visit visit);
    /// Reads a table of kActivity: events like `like`, each of which complete(row) completes.
    template<class Complete>
    Result<void> readActivity(std::string_view table, const ProfileEvent &like, Complete complete);
    std::uint32_t thread(std::int64_t globalTid);
    /// Whether the steps of the recording come from this process: the first that marks any.
    /// Processes that train together step together, and each step counts once.
    bool isOfStepProcess(std::int64_t globalTid);
    /// The correlation of one of several processes, each of which counts its own.
    std::int64_t correlation(std::int64_t globalPid, std::int64_t own);
    std::uint32_t launchAt(std::uint32_t thread, std::int64_t time) const;
    std::uint32_t lane(const KernelPiece::Queue &queue);
    bool isOfNccl(StringId name);
    void takeWork(SqliteRow row);
    std::int64_t deviceOf(std::int64_t globalPid, std::int64_t device);

    SqliteFile &m_file;
    const Tick m_tick;
    ProfileBuilder m_builder;
    Strings m_strings;
    Devices m_devices;
    ProfileEvent m_event;
    std::int64_t m_count = 0;
    std::vector<std::int64_t> m_processes; // in order of their first event
    std::size_t m_lastProcess = 0;
    std::unordered_map<std::int64_t, std::uint32_t> m_threads;
    std::optional<std::int64_t> m_lastGlobalTid; ///< kNoNumber if a row has none
    std::uint32_t m_lastThread = 0;
    std::int64_t m_stepProcess = kNoNumber;
    std::vector<NcclLaunch> m_launches;
    std::unordered_map<std::int64_t, std::uint32_t> m_launchOf; // by correlation
    struct NcclKernel
    {
        ProfileEvent event;
        std::uint32_t launch; // of m_launches; kNoRow
    };
    std::vector<NcclKernel> m_ncclKernels;
    std::vector<std::uint8_t> m_isOfNccl; // by name, of kernels
    std::atomic<bool> m_isGivenUp = false;
    std::future<bool> m_host; // its ordering, while the work is read
};

template<std::size_t count, class Visit>
Result<void> ExportReader::forEachRow(std::string_view table, const SqliteColumns<count> &columns,
                                      Visit visit)
{
    return m_file.forEachRow(table, columns.names, [&](SqliteRow row) {
        ++m_count;
        visit(row);
    });
}

template<class Complete>
Result<void> ExportReader::readActivity(std::string_view table, const ProfileEvent &like,
                                        Complete complete)
{
    m_event = like;
    m_builder.reserve(m_event.kind, m_file.mostRows(table));
    const auto problem = [&](std::string_view kind) { m_builder.addProblem(kind); };
    auto read = forEachRow(table, kActivity, [&](SqliteRow row) {
        m_event.start = row.time(0);
        m_event.end = row.time(1);
        if (!hasPlace(m_event.start, m_event.end, problem))
            return;
        complete(row);
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

} // namespace vramscope::nsight
