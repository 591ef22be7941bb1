// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"

#include "core/base/memory.h"
#include "core/readers/allocation_plot.h"
#include "core/readers/chrome_trace.h"
#include "core/readers/content.h"
#include "core/readers/json_snapshot.h"
#include "core/readers/memory_timeline.h"
#include "core/readers/smi_log.h"
#include "core/readers/snapshot_reader.h"

#include <algorithm>
#include <new>

namespace vramscope {

namespace {

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

Result<Recording> readWhole(std::unique_ptr<SeekableSource> source, Wanted wanted,
                            const Progress &progress)
{
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
    const Progress progress = [&](double fraction) {
        furthest = std::max(furthest, fraction);
        return memory.suffices(furthest) && (!listener || listener(furthest));
    };
    try {
        auto recording = readWhole(std::move(source), wanted, progress);
        return memory.isSpent() && !recording.ok() ? memory.error() : std::move(recording);
    } catch (const std::bad_alloc &) { // what was read is gone again
        return memory.error();
    }
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
    auto source = openFile(file);
    if (!source.ok())
        return source.error();
    return traceOf(readSource(std::move(*source), kTraceAlone, progress));
}

Result<std::shared_ptr<const Trace>> readTrace(std::span<const std::byte> bytes,
                                               const Progress &progress)
{
    return traceOf(readSource(memorySource(bytes), kTraceAlone, progress));
}

Result<Recording> readRecording(const std::filesystem::path &file, const Progress &progress,
                                PythonFunctions python)
{
    auto source = openFile(file);
    if (!source.ok())
        return source.error();
    return readSource(std::move(*source), {false, python}, progress);
}

Result<Recording> readRecording(std::span<const std::byte> bytes, const Progress &progress)
{
    return readSource(memorySource(bytes), kAnything, progress);
}

} // namespace vramscope
