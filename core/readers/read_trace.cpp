// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"

#include "core/base/memory.h"
#include "core/readers/content.h"
#include "core/readers/formats.h"
#include "core/readers/sqlite_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

namespace vramscope {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Reader = Result<Recording> (*)(ByteWindow &, const Progress &, PythonFunctions);

template<class Content>
Result<Recording> asRecording(Result<std::shared_ptr<const Content>> result)
{
    if (!result.ok())
        return result.error();
    return Recording(std::move(*result));
}

/// A reader of one format, whatever it returns and whether or not it can keep Python functions.
template<auto read>
Result<Recording> as(ByteWindow &input, const Progress &progress, PythonFunctions python)
{
    if constexpr (requires { read(input, progress, python); })
        return asRecording(read(input, progress, python));
    else
        return asRecording(read(input, progress));
}

/// SQLite reads back and forth, which compressed bytes do not allow.
Result<Recording> readPackedExport(ByteWindow &input, const Progress &progress,
                                   PythonFunctions /*python*/)
{
    const auto bytes = wholeOf(input, std::size_t(1) << 30,
                               {ErrorCode::Unsupported,
                                "This holds a database of more than 1 GiB; unpack it and open the "
                                "result."},
                               progress);
    if (!bytes.ok())
        return bytes.error();
    const auto source = memorySource(std::as_bytes(std::span(*bytes)));
    return asRecording(readNsightExport(*source, partOf(progress, 0.5, 1)));
}

/// The reader of a format; for one without a trace, its name and the command that shows it.
struct FormatReader
{
    TraceFormat format;
    Reader read;
    const char *what = nullptr;
    const char *command = "";

    [[nodiscard]] bool isTrace() const { return what == nullptr; }
};

constexpr FormatReader kReaders[] = {
    {TraceFormat::SnapshotPickle, as<readSnapshot>},
    {TraceFormat::SnapshotJson, as<readJsonSnapshot>},
    {TraceFormat::AllocationPlot, as<readAllocationPlot>},
    {TraceFormat::ChromeTrace, as<readChromeTrace>,
     "a trace of torch.profiler, which holds times and curves but no single blocks", "profile"},
    {TraceFormat::NsightExport, readPackedExport,
     "an export of Nsight Systems, which holds times and curves but no single blocks", "profile"},
    {TraceFormat::MemoryTimeline, as<readMemoryTimeline>,
     "a memory timeline of torch.profiler, which holds curves but no single blocks", "trace"},
    {TraceFormat::RawMemoryTimeline, as<readMemoryTimeline>,
     "a raw memory timeline of torch.profiler, which holds curves but no single blocks", "trace"},
    {TraceFormat::SmiLog, as<readSmiLog>,
     "a log of nvidia-smi, which holds curves but no single blocks", "trace"},
    {TraceFormat::ProfilerTable, as<readProfilerTables>,
     "a table of nsys stats or Nsight Compute, which holds no memory", "profile"},
};

/// The error for a recording other than a trace, when a trace is required.
Error noTrace(const FormatReader &reader)
{
    const bool hasMemory = reader.format != TraceFormat::ProfilerTable;
    return {ErrorCode::OtherContent,
            std::string("This is ") + reader.what + "; vramscope-cli " + reader.command +
                " shows it" +
                (hasMemory ? ", or open a snapshot that torch.cuda.memory._dump_snapshot() wrote."
                           : ".")};
}

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
    if (wanted.traceAlone && !reader->isTrace())
        return noTrace(*reader);
    return reader->read(content.window(), progress, wanted.python);
}

/// SQLite reads back and forth in a file, so it is read in place.
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
    // A file that is still being written looks damaged; report the change first.
    const bool cancelled = !recording.ok() && recording.error().code == ErrorCode::Cancelled;
    if (const auto verified = (*content)->verify(); !cancelled && !verified.ok())
        return verified.error();
    return recording;
}

Result<Recording> readSource(std::unique_ptr<SeekableSource> source, Wanted wanted,
                             const Progress &listener)
{
    // Threads that unfold are ahead of the reader: the reported progress never goes back.
    double furthest = 0;
    MemoryShare memory;
    // Asking takes as long as reading a hundred events, and little is allocated in five
    // milliseconds.
    constexpr std::chrono::milliseconds kBetweenLooks(5);
    SteadyClock::time_point nextLook = SteadyClock::now();
    const Progress progress = [&](double fraction) {
        furthest = std::max(furthest, fraction);
        if (const SteadyClock::time_point now = SteadyClock::now(); now >= nextLook) {
            nextLook = now + kBetweenLooks;
            (void)memory.suffices(furthest);
        }
        return !memory.isSpent() && (!listener || listener(furthest));
    };
    try {
        auto recording = readWhole(std::move(source), wanted, progress);
        return memory.isSpent() && !recording.ok() ? memory.error() : std::move(recording);
    } catch (const std::bad_alloc &) { // the data read so far is already freed
        return memory.error();
    }
}

/// Not all versions of Nsight Systems' reports have recognisable first bytes: if nothing else is
/// known of a file, its name decides the advice.
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
