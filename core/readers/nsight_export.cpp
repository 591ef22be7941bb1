// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_export.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/profile/profile_builder.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/nsight_devices.h"
#include "core/readers/nsight_memory.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_ranges.h"
#include "core/readers/nsight_strings.h"
#include "core/readers/sqlite_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vramscope {

namespace {

using namespace std::string_view_literals;

constexpr double kReading = 0.7; // of the work
static_assert(kNoNumber == kNotStated);

constexpr std::string_view kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::string_view kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::string_view kFills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::string_view kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr std::string_view kRanges = "NVTX_EVENTS";
constexpr std::string_view kTexts = "StringIds";

/// Takes the tables apart: texts and names first, then ranges, by which NCCL says what it moves,
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
    Result<void> readOverhead(std::string_view table);
    Result<void> readOverheads();
    Result<void> readMemory();
    Result<void> readDiagnostics();
    void addCollectives();

    /// Calls visit(row) for each row of a table.
    template<std::size_t count, class Visit>
    Result<void> forEachRow(std::string_view table,
                            const std::array<std::string_view, count> &columns, Visit visit);
    /// Whether a row has a start, and an end that is not before it: else it is left out.
    bool place(std::int64_t start, std::int64_t end);
    std::uint32_t thread(std::int64_t globalTid);
    /// Whether the steps of the recording are those of this process: the first that marks any.
    /// Processes that train together step together, and each step is one.
    bool isOfStepProcess(std::int64_t globalTid);
    /// The correlation of several processes, each of which counts its own.
    std::int64_t correlation(std::int64_t globalPid, std::int64_t own);
    void addWork(std::int64_t globalPid, std::int64_t device, std::int64_t context,
                 std::int64_t stream, std::int64_t own);

    SqliteFile &m_file;
    const Tick m_tick;
    ProfileBuilder m_builder;
    nsight::Strings m_strings;
    nsight::Devices m_devices;
    ProfileEvent m_event;
    std::int64_t m_count = 0;
    std::vector<std::int64_t> m_processes; // in order of their first event
    std::size_t m_lastProcess = 0;
    std::unordered_map<std::int64_t, std::uint32_t> m_threads;
    std::int64_t m_lastGlobalTid = kNoNumber;
    std::uint32_t m_lastThread = 0;
    std::int64_t m_stepProcess = kNoNumber;
    std::vector<nsight::NcclLaunch> m_launches;
    std::unordered_map<std::int64_t, std::uint32_t> m_launchOf; // by correlation
    struct NcclKernel
    {
        ProfileEvent event;
        std::uint32_t launch; // of m_launches; kNoRow
    };
    std::vector<NcclKernel> m_ncclKernels;
};

template<std::size_t count, class Visit>
Result<void> ExportReader::forEachRow(std::string_view table,
                                      const std::array<std::string_view, count> &columns,
                                      Visit visit)
{
    if (m_event.kind != ProfileEventKind::Other)
        m_builder.reserve(m_event.kind, m_file.mostRows(table));
    return m_file.forEachRow(table, columns, [&](SqliteRow row) {
        ++m_count;
        visit(row);
    });
}

bool ExportReader::place(std::int64_t start, std::int64_t end)
{
    if (start == kNoNumber || end == kNoNumber) {
        m_builder.addProblem("An event lacks its start or its end; it was left out.");
        return false;
    }
    if (end < start)
        m_builder.addProblem("An event ends before it starts; it was given no duration.");
    m_event.start = start;
    m_event.end = std::max(start, end);
    return true;
}

std::uint32_t ExportReader::thread(std::int64_t globalTid)
{
    if (globalTid == m_lastGlobalTid)
        return m_lastThread;
    const auto [found, isNew] = m_threads.try_emplace(globalTid, 0);
    if (isNew)
        found->second = globalTid == kNoNumber
                            ? m_builder.thread("", "")
                            : m_builder.thread(std::to_string(nsight::processOf(globalTid)),
                                               std::to_string(nsight::threadOf(globalTid)));
    m_lastGlobalTid = globalTid;
    return m_lastThread = found->second;
}

bool ExportReader::isOfStepProcess(std::int64_t globalTid)
{
    const std::int64_t process = nsight::processOf(globalTid);
    if (m_stepProcess == kNoNumber)
        m_stepProcess = process;
    return m_stepProcess == process;
}

std::int64_t ExportReader::correlation(std::int64_t globalPid, std::int64_t own)
{
    constexpr std::int64_t kProcess = std::int64_t(1) << 40;
    constexpr std::size_t kMost = std::size_t(1) << 20;
    if (own < 0 || own >= kProcess)
        return kNotStated;
    const std::int64_t process = nsight::processOf(globalPid);
    if (m_lastProcess >= m_processes.size() || m_processes[m_lastProcess] != process) {
        const auto found = std::ranges::find(m_processes, process);
        m_lastProcess = static_cast<std::size_t>(found - m_processes.begin());
        if (found == m_processes.end()) {
            if (m_processes.size() == kMost)
                return kNotStated;
            m_processes.push_back(process);
        }
    }
    return static_cast<std::int64_t>(m_lastProcess) * kProcess + own;
}

Result<void> ExportReader::readFacts()
{
    constexpr std::int64_t kMost = 200;
    std::int64_t facts = 0;
    enum : std::size_t { Name, Value };
    for (const std::string_view table : {"META_DATA_EXPORT"sv, "EXPORT_META_DATA"sv}) {
        auto read = forEachRow(table, std::array{"name"sv, "value"sv}, [&](SqliteRow row) {
            constexpr std::size_t kLongest = 4096;
            const std::string_view name = row.text(Name);
            if (name.empty() || ++facts > kMost)
                return;
            const nlohmann::ordered_json value(std::string(firstBytes(row.text(Value), kLongest)));
            m_builder.addFact(name, jsonText(value));
        });
        if (!read.ok())
            return read;
    }
    std::int64_t base = kNoNumber;
    auto read = forEachRow("TARGET_INFO_SESSION_START_TIME", std::array{"utcEpochNs"sv},
                           [&](SqliteRow row) { base = base == kNoNumber ? row.number(0) : base; });
    m_builder.setBase(base == kNoNumber ? 0 : base,
                      base == kNoNumber ? Clock::Relative : Clock::Epoch);
    return read;
}

Result<void> ExportReader::readNames()
{
    auto strings = nsight::Strings::read(m_file);
    if (!strings.ok())
        return strings.error();
    m_strings = std::move(*strings);
    m_count += static_cast<std::int64_t>(m_strings.count());
    auto devices = nsight::Devices::read(m_file);
    if (!devices.ok())
        return devices.error();
    m_devices = std::move(*devices);
    return readThreadNames();
}

Result<void> ExportReader::readThreadNames()
{
    enum : std::size_t { Name, Thread };
    return forEachRow("ThreadNames", std::array{"nameId"sv, "globalTid"sv}, [&](SqliteRow row) {
        const std::int64_t thread = row.number(Thread);
        const std::string_view name = m_strings.text(row.number(Name));
        if (thread != kNoNumber && !name.empty())
            m_builder.nameThread(std::to_string(nsight::processOf(thread)),
                                 std::to_string(nsight::threadOf(thread)),
                                 m_builder.internText(name));
    });
}

/// Ranges that were pushed and popped, or started and ended. Marks last no time; categories and
/// domains are no events.
bool isRange(std::int64_t eventType)
{
    constexpr std::array<std::int64_t, 4> kTypes{59, 60, 70, 71};
    return std::ranges::find(kTypes, eventType) != kTypes.end();
}

Result<void> ExportReader::readRanges()
{
    enum : std::size_t { Start, End, Type, Text, TextId, Thread, Payload };
    constexpr std::array kColumns{"start"sv,  "end"sv,       "eventType"sv, "text"sv,
                                  "textId"sv, "globalTid"sv, "binaryData"sv};
    const auto layouts = nsight::PayloadLayouts::read(m_file);
    if (!layouts.ok())
        return layouts.error();
    nsight::NcclRanges nccl;
    const auto textOf = [&](SqliteRow row) {
        const std::string_view text = row.text(Text);
        return text.empty() ? m_strings.text(row.number(TextId)) : text;
    };
    const auto prepare = [&](SqliteRows &rows) {
        auto &texts = rows.made<nsight::RangeTexts>();
        texts.clear();
        for (std::size_t at = 0; at < rows.count(); ++at)
            texts.add(textOf(rows[at]));
    };
    const auto idOf = [&](nsight::RangeTexts::Text &text) {
        if (!text.id)
            text.id = m_builder.internText(text.text);
        return *text.id;
    };
    const auto visit = [&](SqliteRow row, const nsight::RangeTexts::Range &range,
                           nsight::RangeTexts &texts) {
        if (!isRange(row.number(Type)))
            return;
        if (row.isNull(End)) {
            m_builder.addProblem("A range was still open when the recording ended; it was left "
                                 "out.");
            return;
        }
        if (!place(row.number(Start), row.number(End)))
            return;
        m_event.thread = thread(row.number(Thread));
        nsight::RangeTexts::Name &name = texts.name(range);
        if (name.text.starts_with("nccl"))
            nccl.add(textOf(row), m_event.start, m_event.end, m_event.thread,
                     layouts->nccl(row.text(Payload)));
        m_event.marksStep = name.isStep && isOfStepProcess(row.number(Thread));
        m_event.kind = range.isOperator ? ProfileEventKind::Operator : ProfileEventKind::Range;
        m_event.name = idOf(name);
        m_event.sequence = range.sequence;
        m_event.forwardThread = range.isOperator && name.isBackward ? 1 : kNotStated;
        m_event.shapes = range.shapes == kNoRow ? StringId::Empty : idOf(texts.shapes(range));
        m_builder.add(m_event);
    };
    m_builder.reserve(ProfileEventKind::Operator, m_file.mostRows(kRanges)); // most are
    m_event.range = RangeKind::User;
    const auto take = [&](SqliteRows &rows) {
        auto &texts = rows.made<nsight::RangeTexts>();
        for (std::size_t at = 0; at < rows.count(); ++at)
            visit(rows[at], texts.range(at), texts);
        m_count += static_cast<std::int64_t>(rows.count());
    };
    auto read = m_file.read(kRanges, kColumns, take, prepare);
    m_event = ProfileEvent();
    m_launches = nccl.launches();
    return read;
}

Result<void> ExportReader::readCalls()
{
    enum : std::size_t { Start, End, Thread, Correlation, Name };
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "correlationId"sv, "nameId"sv};
    m_event.kind = ProfileEventKind::Call;
    const auto launchAt = [&](std::uint32_t of, std::int64_t time) {
        const auto next = std::ranges::upper_bound(
            m_launches, std::pair(of, time), {},
            [](const nsight::NcclLaunch &each) { return std::pair(each.thread, each.start); });
        if (next == m_launches.begin())
            return kNoRow;
        const auto found = std::prev(next);
        return found->thread == of && time <= found->end
                   ? static_cast<std::uint32_t>(found - m_launches.begin())
                   : kNoRow;
    };
    auto read = forEachRow(kCalls, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        const std::int64_t globalTid = row.number(Thread);
        m_event.thread = thread(globalTid);
        m_event.correlation = correlation(globalTid, row.number(Correlation));
        m_event.name = m_strings.name(row.number(Name), m_builder, nsight::callName);
        m_builder.add(m_event);
        if (m_launches.empty() || m_event.correlation == kNotStated)
            return;
        if (const std::uint32_t launch = launchAt(m_event.thread, m_event.start); launch != kNoRow)
            m_launchOf.try_emplace(m_event.correlation, launch);
    });
    m_event = ProfileEvent();
    if (read.ok() && !m_builder.finishHost(m_tick))
        return readingCancelled();
    return read;
}

void ExportReader::addWork(std::int64_t globalPid, std::int64_t device, std::int64_t context,
                           std::int64_t stream, std::int64_t own)
{
    m_event.device = m_devices.number(globalPid, device == kNoNumber ? -1 : device, m_builder);
    m_devices.addContext(globalPid, context, m_event.device);
    m_event.stream = stream;
    m_event.correlation = correlation(globalPid, own);
}

Result<void> ExportReader::readKernels()
{
    enum : std::size_t {
        Start,
        End,
        Device,
        Context,
        Stream,
        Correlation,
        Process,
        Name,
        ShortName,
        Registers,
        GridX,
        GridY,
        GridZ,
        BlockX,
        BlockY,
        BlockZ,
        StaticMemory,
        DynamicMemory,
    };
    constexpr std::array kColumns{"start"sv,
                                  "end"sv,
                                  "deviceId"sv,
                                  "contextId"sv,
                                  "streamId"sv,
                                  "correlationId"sv,
                                  "globalPid"sv,
                                  "demangledName"sv,
                                  "shortName"sv,
                                  "registersPerThread"sv,
                                  "gridX"sv,
                                  "gridY"sv,
                                  "gridZ"sv,
                                  "blockX"sv,
                                  "blockY"sv,
                                  "blockZ"sv,
                                  "staticSharedMemory"sv,
                                  "dynamicSharedMemory"sv};
    m_event.kind = ProfileEventKind::Work;
    m_event.work = WorkKind::Kernel;
    m_event.hasShape = true;
    const auto asItIs = [](std::string_view text) { return text; };
    std::unordered_map<StringId, bool> isNccl;
    auto read = forEachRow(kKernels, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_event.name = m_strings.name(row.number(Name), m_builder, asItIs);
        if (m_event.name == StringId::Empty)
            m_event.name = m_strings.name(row.number(ShortName), m_builder, asItIs);
        LaunchShape &shape = m_event.shape;
        shape.grid = {row.number(GridX), row.number(GridY), row.number(GridZ)};
        shape.block = {row.number(BlockX), row.number(BlockY), row.number(BlockZ)};
        shape.registers = row.number(Registers);
        const std::int64_t fixed = row.number(StaticMemory);
        const std::int64_t added = row.number(DynamicMemory);
        if (fixed == kNoNumber || added == kNoNumber ||
            __builtin_add_overflow(fixed, added, &shape.sharedMemory))
            shape.sharedMemory = kNotStated;
        const auto [known, isNew] = isNccl.try_emplace(m_event.name, false);
        if (isNew)
            known->second = lowered(m_builder.text(m_event.name)).find("nccl") != std::string::npos;
        if (!known->second) {
            m_builder.add(m_event);
            return;
        }
        const auto launch = m_launchOf.find(m_event.correlation);
        m_ncclKernels.push_back({m_event, launch == m_launchOf.end() ? kNoRow : launch->second});
    });
    m_event = ProfileEvent();
    addCollectives();
    return read;
}

/// NCCL's kernels with what their launch moves; where one launch has several kernels it is not
/// known which of them moves what.
void ExportReader::addCollectives()
{
    std::vector<std::int64_t> kernels(m_launches.size());
    for (const NcclKernel &kernel : m_ncclKernels) {
        if (kernel.launch != kNoRow)
            ++kernels[kernel.launch];
    }
    std::int64_t unknown = 0;
    for (NcclKernel &kernel : m_ncclKernels) {
        ProfileEvent &event = kernel.event;
        if (kernel.launch != kNoRow && kernels[kernel.launch] == 1) {
            const nsight::NcclLaunch &launch = m_launches[kernel.launch];
            event.statesCollective = true;
            event.collective.isNamed = true;
            event.collective.name = m_builder.internText(launch.name);
            event.collective.bytes = launch.bytes;
            event.collective.size = launch.ranks;
            constexpr std::string_view kDigits = "0123456789abcdef";
            std::string group;
            for (int shift = 60; shift >= 0; shift -= 4)
                group += kDigits[launch.communicator >> shift & 15];
            event.collective.group = m_builder.internText(group);
        }
        unknown += event.collective.bytes == kNotStated ? 1 : 0;
        m_builder.add(event);
    }
    if (unknown > 0)
        m_builder.addProblem(
            "A kernel of NCCL comes without the size of its message: its bytes and "
            "bandwidth are not known. NCCL writes it into its NVTX ranges, and "
            "\"nsys export --include-blobs=true\" keeps it.",
            -1, unknown);
    m_ncclKernels = {};
}

Result<void> ExportReader::readCopies()
{
    enum : std::size_t {
        Start,
        End,
        Device,
        Context,
        Stream,
        Correlation,
        Process,
        Bytes,
        Kind,
        From,
        To
    };
    constexpr std::array kColumns{"start"sv,    "end"sv,           "deviceId"sv,  "contextId"sv,
                                  "streamId"sv, "correlationId"sv, "globalPid"sv, "bytes"sv,
                                  "copyKind"sv, "srcKind"sv,       "dstKind"sv};
    m_event.kind = ProfileEventKind::Work;
    m_event.work = WorkKind::Copy;
    std::map<std::array<std::int64_t, 3>, StringId> names;
    auto read = forEachRow(kCopies, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_event.bytes = row.number(Bytes);
        const std::array kinds{row.number(Kind), row.number(From), row.number(To)};
        const auto known = names.find(kinds);
        m_event.name = known != names.end()
                           ? known->second
                           : m_builder.internText(nsight::copyName(kinds[0], kinds[1], kinds[2]));
        constexpr std::size_t kMostNames = 1000; // of sound files
        if (known == names.end() && names.size() < kMostNames)
            names.emplace(kinds, m_event.name);
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

Result<void> ExportReader::readFills()
{
    enum : std::size_t { Start, End, Device, Context, Stream, Correlation, Process, Bytes, Kind };
    constexpr std::array kColumns{"start"sv,     "end"sv,      "deviceId"sv,
                                  "contextId"sv, "streamId"sv, "correlationId"sv,
                                  "globalPid"sv, "bytes"sv,    "memKind"sv};
    m_event.kind = ProfileEventKind::Work;
    m_event.work = WorkKind::Fill;
    auto read = forEachRow(kFills, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_event.bytes = row.number(Bytes);
        m_event.name = m_builder.internText(nsight::fillName(row.number(Kind)));
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

/// Graphs that were recorded as a whole, which is how nsys records them unless it is told
/// otherwise.
Result<void> ExportReader::readGraphs()
{
    enum : std::size_t { Start, End, Device, Context, Stream, Correlation, Process };
    constexpr std::array kColumns{"start"sv,    "end"sv,           "deviceId"sv, "contextId"sv,
                                  "streamId"sv, "correlationId"sv, "globalPid"sv};
    m_event.kind = ProfileEventKind::Work;
    m_event.work = WorkKind::Kernel;
    m_event.name = m_builder.internText("CUDA graph, as a whole");
    auto read = forEachRow("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_builder.addProblem("A CUDA graph was recorded as a whole and counts as compute: what "
                             "of it computes, copies or communicates is not known. Record with "
                             "nsys profile --cuda-graph-trace=node.");
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

/// Waits, after the work: they name their context rightly, and their device not always.
Result<void> ExportReader::readWaits()
{
    enum : std::size_t { Start, End, Device, Context, Stream, Correlation, Process, Type };
    constexpr std::array kColumns{"start"sv,    "end"sv,           "deviceId"sv,  "contextId"sv,
                                  "streamId"sv, "correlationId"sv, "globalPid"sv, "syncType"sv};
    m_event.kind = ProfileEventKind::Range;
    m_event.range = RangeKind::Sync;
    auto read = forEachRow("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        constexpr std::int64_t kAllStreams = 0xFFFFFFFF;
        const std::int64_t stream = row.number(Stream);
        const std::int64_t device = row.number(Device);
        m_event.device = m_devices.ofContext(row.number(Process), row.number(Context),
                                             device == kNoNumber ? -1 : device, m_builder);
        m_event.stream = stream == kAllStreams ? -1 : stream;
        m_event.correlation = correlation(row.number(Process), row.number(Correlation));
        m_event.name = m_builder.internText(nsight::syncName(row.number(Type)));
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

Result<void> ExportReader::readOverhead(std::string_view table)
{
    enum : std::size_t { Start, End, Thread, Name };
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "nameId"sv};
    m_event.kind = ProfileEventKind::Range;
    m_event.range = RangeKind::Overhead;
    auto read = forEachRow(table, kColumns, [&](SqliteRow row) {
        if (!place(row.number(Start), row.number(End)))
            return;
        m_event.thread = thread(row.number(Thread));
        m_event.name = m_strings.name(row.number(Name), m_builder, nsight::callName);
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

Result<void> ExportReader::readOverheads()
{
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_OVERHEAD"sv, "PROFILER_OVERHEAD"sv}) {
        if (auto read = readOverhead(table); !read.ok())
            return read;
    }
    return {};
}

Result<void> ExportReader::readMemory()
{
    enum : std::size_t { Start, Device, Address, Bytes, Kind, Operation, Process };
    constexpr std::array kColumns{"start"sv,    "deviceId"sv, "address"sv,
                                  "bytes"sv,    "memKind"sv,  "memoryOperationType"sv,
                                  "globalPid"sv};
    nsight::DeviceMemory memory;
    auto read = forEachRow("CUDA_GPU_MEMORY_USAGE_EVENTS", kColumns, [&](SqliteRow row) {
        const std::int64_t process = row.number(Process);
        const std::int64_t device = row.number(Device);
        memory.add({row.number(Start), process,
                    m_devices.number(process, device == kNoNumber ? -1 : device, m_builder),
                    row.number(Address), row.number(Bytes), row.number(Kind),
                    row.number(Operation)});
    });
    if (read.ok())
        memory.addTo(m_builder);
    return read;
}

/// What Nsight complains of: a recording without kernels says here why.
Result<void> ExportReader::readDiagnostics()
{
    enum : std::size_t { Severity, Text };
    constexpr std::int64_t kWarning = 2;
    constexpr std::int64_t kError = 3;
    constexpr std::int64_t kMost = 20;
    std::int64_t count = 0;
    return forEachRow("DIAGNOSTIC_EVENT", std::array{"severity"sv, "text"sv}, [&](SqliteRow row) {
        const std::int64_t severity = row.number(Severity);
        if ((severity != kWarning && severity != kError) || ++count > kMost)
            return;
        constexpr std::size_t kLongest = 300;
        m_builder.addProblem("Nsight Systems " +
                             std::string(severity == kError ? "met an error" : "warns") + ": " +
                             excerpt(trimmed(row.text(Text)), kLongest));
    });
}

Result<std::shared_ptr<const Profile>> ExportReader::read()
{
    constexpr Reading kInOrder[] = {
        &ExportReader::readFacts,     &ExportReader::readNames,   &ExportReader::readRanges,
        &ExportReader::readCalls,     &ExportReader::readKernels, &ExportReader::readCopies,
        &ExportReader::readFills,     &ExportReader::readGraphs,  &ExportReader::readWaits,
        &ExportReader::readOverheads, &ExportReader::readMemory,  &ExportReader::readDiagnostics};
    for (const Reading reading : kInOrder) {
        if (auto read = (this->*reading)(); !read.ok())
            return read.error();
    }
    m_devices.describe(m_builder);
    m_builder.setEventCount(m_count);
    m_strings = {};
    auto profile = m_builder.finish(m_tick);
    if (!profile)
        return readingCancelled();
    return profile;
}

/// Whether Nsight Systems wrote the file: it has its texts, and anything that it records.
bool isOfNsight(const SqliteFile &file)
{
    constexpr std::array kSigns{kKernels,
                                kCopies,
                                kFills,
                                kCalls,
                                kRanges,
                                "TARGET_INFO_SESSION_START_TIME"sv,
                                "ANALYSIS_DETAILS"sv};
    return file.has(kTexts) &&
           std::ranges::any_of(kSigns, [&](std::string_view table) { return file.has(table); });
}

} // namespace

Result<std::shared_ptr<const Profile>> readNsightExport(SeekableSource &source,
                                                        const Progress &progress)
{
    const Progress reading = partOf(progress, 0, kReading);
    const auto file = SqliteFile::open(source, reading);
    if (!file.ok())
        return file.error();
    if (!isOfNsight(**file))
        return Error{ErrorCode::OtherContent,
                     "This is an SQLite database, but none that nsys exported: it lacks the tables "
                     "of Nsight Systems. Open what \"nsys export --type sqlite\" wrote."};
    return ExportReader(**file, progress).read();
}

} // namespace vramscope
