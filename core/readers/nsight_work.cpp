// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/readers/nsight_memory.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_pieces.h"
#include "core/readers/nsight_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

// What the devices did: kernels, copies, fills, graphs, waits, and their memory.

namespace vramscope::nsight {

using namespace std::string_view_literals;

void ExportReader::addWork(std::int64_t globalPid, std::int64_t device, std::int64_t context,
                           std::int64_t stream, std::int64_t own)
{
    m_event.device = m_devices.number(globalPid, device == kNoNumber ? -1 : device, m_builder);
    m_devices.addContext(globalPid, context, m_event.device);
    m_event.stream = stream;
    m_event.correlation = correlation(globalPid, own);
}

std::uint32_t ExportReader::lane(const KernelPiece::Queue &queue)
{
    const std::int64_t device =
        m_devices.number(queue.process, queue.device == kNoNumber ? -1 : queue.device, m_builder);
    m_devices.addContext(queue.process, queue.context, device);
    return m_builder.lane(device, queue.stream == kNoNumber ? -1 : queue.stream);
}

/// Whether a kernel of this name belongs to NCCL.
bool ExportReader::isOfNccl(StringId name)
{
    enum : std::uint8_t { Unknown, No, Yes };
    const auto at = static_cast<std::size_t>(name);
    if (at >= m_isOfNccl.size())
        m_isOfNccl.resize(at + 1, Unknown);
    if (m_isOfNccl[at] == Unknown)
        m_isOfNccl[at] = lowered(m_builder.text(name)).find("nccl") != std::string::npos ? Yes : No;
    return m_isOfNccl[at] == Yes;
}

Result<void> ExportReader::readKernels()
{
    std::size_t most = 0; // room for all work at once: columns that grow lie twice for a while
    for (const std::string_view table : {kKernels, kCopies, kFills, kGraphs})
        most += m_file.mostRows(table);
    m_builder.reserve(ProfileEventKind::Work, most);
    const auto make = [&](const SqliteRows &rows, KernelPiece &piece) {
        piece.add(rows, m_strings);
    };
    auto read = m_file.readMade<KernelPiece>(kKernels, KernelPiece::kColumns, make,
                                             [&](KernelPiece &piece) { takeKernels(piece); });
    addCollectives();
    return read;
}

void ExportReader::takeKernels(KernelPiece &piece)
{
    note(piece.rowCount(), piece.problems());
    std::vector<std::uint32_t> lanes;
    for (const KernelPiece::Queue &queue : piece.queues())
        lanes.push_back(lane(queue));
    std::vector<std::uint32_t> shapes;
    for (const LaunchShape &shape : piece.shapes())
        shapes.push_back(m_builder.shape(shape));
    const auto asItIs = [](std::string_view text) { return text; };
    std::vector<StringId> names;
    std::size_t to = 0; // without those of NCCL, which come when all is known of them
    for (std::size_t row = 0; row < piece.start.size(); ++row) {
        const KernelPiece::Queue &queue = piece.queues()[piece.queue[row]];
        const StringId name = m_strings.nameAt(piece.name[row], m_builder, asItIs);
        const std::int64_t linked = correlation(queue.process, piece.correlation[row]);
        if (isOfNccl(name)) {
            ProfileEvent event;
            event.kind = ProfileEventKind::Work;
            event.start = piece.start[row];
            event.end = piece.end[row];
            event.name = name;
            event.device = m_builder.laneAt(lanes[piece.queue[row]]).device;
            event.stream = queue.stream;
            event.correlation = linked;
            event.shape = piece.shapes()[piece.shape[row]];
            event.hasShape = true;
            const auto launch = m_launchOf.find(linked);
            m_ncclKernels.push_back({event, launch == m_launchOf.end() ? kNoRow : launch->second});
            continue;
        }
        names.push_back(name);
        piece.start[to] = piece.start[row];
        piece.end[to] = piece.end[row];
        piece.correlation[to] = linked;
        piece.queue[to] = lanes[piece.queue[row]];
        piece.shape[to] = shapes[piece.shape[row]];
        ++to;
    }
    m_builder.add(KernelRows{std::span(piece.start).first(to), std::span(piece.end).first(to),
                             names, std::span(piece.queue).first(to),
                             std::span(piece.shape).first(to),
                             std::span(piece.correlation).first(to)});
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
            const NcclLaunch &launch = m_launches[kernel.launch];
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
        if (!place(row.time(Start), row.time(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_event.bytes = row.number(Bytes);
        const std::array kinds{row.number(Kind), row.number(From), row.number(To)};
        const auto known = names.find(kinds);
        m_event.name = known != names.end()
                           ? known->second
                           : m_builder.internText(copyName(kinds[0], kinds[1], kinds[2]));
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
        if (!place(row.time(Start), row.time(End)))
            return;
        addWork(row.number(Process), row.number(Device), row.number(Context), row.number(Stream),
                row.number(Correlation));
        m_event.bytes = row.number(Bytes);
        m_event.name = m_builder.internText(fillName(row.number(Kind)));
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
    auto read = forEachRow(kGraphs, kColumns, [&](SqliteRow row) {
        if (!place(row.time(Start), row.time(End)))
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
        if (!place(row.time(Start), row.time(End)))
            return;
        constexpr std::int64_t kAllStreams = 0xFFFFFFFF;
        const std::int64_t stream = row.number(Stream);
        const std::int64_t device = row.number(Device);
        m_event.device = m_devices.ofContext(row.number(Process), row.number(Context),
                                             device == kNoNumber ? -1 : device, m_builder);
        m_event.stream = stream == kAllStreams ? -1 : stream;
        m_event.correlation = correlation(row.number(Process), row.number(Correlation));
        m_event.name = m_builder.internText(syncName(row.number(Type)));
        m_builder.add(m_event);
    });
    m_event = ProfileEvent();
    return read;
}

Result<void> ExportReader::readMemory()
{
    enum : std::size_t { Start, Device, Address, Bytes, Kind, Operation, Process };
    constexpr std::array kColumns{"start"sv,    "deviceId"sv, "address"sv,
                                  "bytes"sv,    "memKind"sv,  "memoryOperationType"sv,
                                  "globalPid"sv};
    DeviceMemory memory;
    auto read = forEachRow("CUDA_GPU_MEMORY_USAGE_EVENTS", kColumns, [&](SqliteRow row) {
        const std::int64_t process = row.number(Process);
        const std::int64_t device = row.number(Device);
        memory.add({row.time(Start), process,
                    m_devices.number(process, device == kNoNumber ? -1 : device, m_builder),
                    row.number(Address), row.number(Bytes), row.number(Kind),
                    row.number(Operation)});
    });
    if (read.ok())
        memory.addTo(m_builder);
    return read;
}

} // namespace vramscope::nsight
