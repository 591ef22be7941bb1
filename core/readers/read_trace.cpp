// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"

#include "core/base/memory.h"
#include "core/readers/allocation_plot.h"
#include "core/readers/chrome_trace.h"
#include "core/readers/content.h"
#include "core/readers/json_snapshot.h"
#include "core/readers/memory_timeline.h"
#include "core/readers/nsight_export.h"
#include "core/readers/profiler_csv.h"
#include "core/readers/smi_log.h"
#include "core/readers/snapshot_reader.h"
#include "core/readers/sqlite_companions.h"
#include "core/readers/sqlite_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

namespace vramscope {

namespace {

using Clock = std::chrono::steady_clock;
using TraceReader = Result<std::shared_ptr<const Trace>> (*)(ByteWindow &, const Progress &);
using OtherReader = Result<Recording> (*)(ByteWindow &, const Progress &, PythonFunctions);

template<class Content>
Result<Recording> asRecording(Result<std::shared_ptr<const Content>> result)
{
    if (!result.ok())
        return result.error();
    return Recording(std::move(*result));
}

Result<Recording> readProfile(ByteWindow &input, const Progress &progress, PythonFunctions python)
{
    return asRecording(readChromeTrace(input, progress, python));
}

template<Result<std::shared_ptr<const Series>> (*read)(ByteWindow &, const Progress &)>
Result<Recording> readSeries(ByteWindow &input, const Progress &progress, PythonFunctions)
{
    return asRecording(read(input, progress));
}

Result<Recording> readTables(ByteWindow &input, const Progress &progress, PythonFunctions)
{
    return asRecording(readProfilerTables(input, progress));
}

/// All that is left of `input`: SQLite goes back and forth in what was compressed.
Result<std::vector<std::byte>> wholeOf(ByteWindow &input, const Progress &progress)
{
    constexpr std::size_t kMost = std::size_t(1) << 30;
    std::vector<std::byte> bytes;
    while (input.available() > 0 || input.ensure(1)) {
        if (progress && !progress(input.fraction() / 2))
            return Error{ErrorCode::Cancelled, "Reading was cancelled."};
        if (bytes.size() + input.available() > kMost)
            return Error{ErrorCode::Unsupported, "This holds a database of more than 1 GiB; unpack "
                                                 "it and open the result."};
        const auto *from = reinterpret_cast<const std::byte *>(input.cursor());
        bytes.insert(bytes.end(), from, from + input.available());
        input.advance(input.available());
    }
    if (!input.status().ok())
        return input.status().error();
    return bytes;
}

Result<Recording> readPackedExport(ByteWindow &input, const Progress &progress,
                                   PythonFunctions /*python*/)
{
    const auto bytes = wholeOf(input, progress);
    if (!bytes.ok())
        return bytes.error();
    const auto source = memorySource(*bytes);
    return asRecording(readNsightExport(*source, partOf(progress, 0.5, 1)));
}

/// Which reader a format has; of one that gives no trace, what to say where one is wanted.
struct FormatReader
{
    TraceFormat format;
    TraceReader trace;
    OtherReader other = nullptr;
    const char *otherwise = "";
};

constexpr FormatReader kReaders[] = {
    {TraceFormat::SnapshotPickle, readSnapshot},
    {TraceFormat::SnapshotJson, readJsonSnapshot},
    {TraceFormat::AllocationPlot, readAllocationPlot},
    {TraceFormat::ChromeTrace, nullptr, readProfile,
     "This is a trace of torch.profiler, which holds times and curves but no single blocks; "
     "vramscope-cli profile shows it, or open a snapshot that torch.cuda.memory._dump_snapshot() "
     "wrote."},
    {TraceFormat::NsightExport, nullptr, readPackedExport,
     "This is an export of Nsight Systems, which holds times and curves but no single blocks; "
     "vramscope-cli profile shows it, or open a snapshot that torch.cuda.memory._dump_snapshot() "
     "wrote."},
    {TraceFormat::MemoryTimeline, nullptr, readSeries<readMemoryTimeline>,
     "This is a memory timeline of torch.profiler, which holds curves but no single blocks; "
     "vramscope-cli trace shows it, or open a snapshot that torch.cuda.memory._dump_snapshot() "
     "wrote."},
    {TraceFormat::RawMemoryTimeline, nullptr, readSeries<readMemoryTimeline>,
     "This is a raw memory timeline of torch.profiler, which holds curves but no single blocks; "
     "vramscope-cli trace shows it, or open a snapshot that torch.cuda.memory._dump_snapshot() "
     "wrote."},
    {TraceFormat::SmiLog, nullptr, readSeries<readSmiLog>,
     "This is a log of nvidia-smi, which holds curves but no single blocks; vramscope-cli trace "
     "shows it, or open a snapshot that torch.cuda.memory._dump_snapshot() wrote."},
    {TraceFormat::ProfilerTable, nullptr, readTables,
     "This is a table of nsys stats or Nsight Compute, which holds no memory; vramscope-cli "
     "profile shows it."},
};

struct Wanted
{
    bool traceAlone = true;
    PythonFunctions python = PythonFunctions::Counted;
};
constexpr Wanted kTraceAlone{};
constexpr Wanted kAnything{false};

Result<Recording> readContent(Content &content, Wanted wanted, const Progress &progress)
{
    const auto *reader = std::ranges::find(kReaders, content.format(), &FormatReader::format);
    if (reader->trace)
        return asRecording(reader->trace(content.window(), progress));
    if (wanted.traceAlone)
        return Error{ErrorCode::OtherContent, reader->otherwise};
    return reader->other(content.window(), progress, wanted.python);
}

/// SQLite goes back and forth in a file, so it is read as it lies there.
Result<bool> isDatabase(SeekableSource &source)
{
    std::array<std::byte, SqliteFile::kSignature.size()> start{};
    const auto count = source.readAt(0, start);
    if (!count.ok())
        return count.error();
    return *count == start.size() &&
           std::memcmp(start.data(), SqliteFile::kSignature.data(), start.size()) == 0;
}

Result<Recording> readDatabase(SeekableSource &source, const Progress &progress)
{
    auto recording = asRecording(readNsightExport(source, progress));
    const bool cancelled = !recording.ok() && recording.error().code == ErrorCode::Cancelled;
    if (const auto verified = source.verify(); !cancelled && !verified.ok())
        return verified.error();
    return recording;
}

Result<Recording> readWhole(std::unique_ptr<SeekableSource> source, Wanted wanted,
                            const Progress &progress)
{
    const auto isOfSqlite = isDatabase(*source);
    if (!isOfSqlite.ok())
        return isOfSqlite.error();
    if (*isOfSqlite && !wanted.traceAlone)
        return readDatabase(*source, progress);
    const auto content = Content::open(std::move(source), progress);
    if (!content.ok())
        return content.error();
    auto recording = readContent(**content, wanted, progress);
    // A file that is still being written looks damaged; what it is comes first.
    const bool cancelled = !recording.ok() && recording.error().code == ErrorCode::Cancelled;
    if (const auto verified = (*content)->verify(); !cancelled && !verified.ok())
        return verified.error();
    return recording;
}

Result<Recording> readSource(std::unique_ptr<SeekableSource> source, Wanted wanted,
                             const Progress &listener)
{
    // Threads that unfold are ahead of the reader: what is reported never goes back.
    double furthest = 0;
    MemoryShare memory;
    // Asking takes as long as reading a hundred events, and in five milliseconds little is taken.
    constexpr std::chrono::milliseconds kBetweenLooks(5);
    Clock::time_point nextLook = Clock::now();
    const Progress progress = [&](double fraction) {
        furthest = std::max(furthest, fraction);
        if (const Clock::time_point now = Clock::now(); now >= nextLook) {
            nextLook = now + kBetweenLooks;
            (void)memory.suffices(furthest);
        }
        return !memory.isSpent() && (!listener || listener(furthest));
    };
    try {
        auto recording = readWhole(std::move(source), wanted, progress);
        return memory.isSpent() && !recording.ok() ? memory.error() : std::move(recording);
    } catch (const std::bad_alloc &) { // what was read is gone again
        return memory.error();
    }
}

/// The reports of Nsight Systems have no first bytes to tell them by in all versions: where nothing
/// else is known of a file, its name says what to do.
Result<Recording> readFile(const std::filesystem::path &file, Wanted wanted,
                           const Progress &progress)
{
    auto source = openFile(file);
    if (!source.ok())
        return source.error();
    if (const auto isOfSqlite = isDatabase(**source); isOfSqlite.ok() && *isOfSqlite) {
        if (const auto whole = holdsAllRows(file); !whole.ok())
            return whole.error();
    }
    auto recording = readSource(std::move(*source), wanted, progress);
    constexpr std::array kReports{".nsys-rep", ".qdrep", ".qdstrm"};
    const bool isReport = std::ranges::find(kReports, file.extension().string()) != kReports.end();
    if (!recording.ok() && recording.error().code == ErrorCode::NotRecognized && isReport)
        return nsightReport();
    return recording;
}

Result<std::shared_ptr<const Trace>> traceOf(const Result<Recording> &recording)
{
    if (!recording.ok())
        return recording.error();
    return std::get<std::shared_ptr<const Trace>>(*recording);
}

} // namespace

Result<TraceFormat> formatOf(const std::filesystem::path &file)
{
    auto source = openFile(file);
    if (!source.ok())
        return source.error();
    const auto content = Content::open(std::move(*source), {});
    if (!content.ok())
        return content.error();
    return (*content)->format();
}

Result<std::shared_ptr<const Trace>> readTrace(const std::filesystem::path &file,
                                               const Progress &progress)
{
    return traceOf(readFile(file, kTraceAlone, progress));
}

Result<std::shared_ptr<const Trace>> readTrace(std::span<const std::byte> bytes,
                                               const Progress &progress)
{
    return traceOf(readSource(memorySource(bytes), kTraceAlone, progress));
}

Result<Recording> readRecording(const std::filesystem::path &file, const Progress &progress,
                                PythonFunctions python)
{
    return readFile(file, {false, python}, progress);
}

Result<Recording> readRecording(std::span<const std::byte> bytes, const Progress &progress)
{
    return readSource(memorySource(bytes), kAnything, progress);
}

} // namespace vramscope
