// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_pieces.h"
#include "core/readers/nsight_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Device activity: kernels, copies, fills, graphs, waits, and memory.

namespace vramscope::nsight {

using namespace std::string_view_literals;

std::int64_t ExportReader::deviceOf(std::int64_t globalPid, std::int64_t device)
{
    return m_devices.number(globalPid, device == kNoNumber ? -1 : device, m_builder);
}

/// Where a row ran, and what launched it.
void ExportReader::takeWork(SqliteRow row)
{
    const std::int64_t process = row.number(kActivity["globalPid"]);
    m_event.device = deviceOf(process, row.number(kActivity["deviceId"]));
    m_devices.addContext(process, row.number(kActivity["contextId"]), m_event.device);
    m_event.stream = row.number(kActivity["streamId"]);
    m_event.correlation = correlation(process, row.number(kActivity["correlationId"]));
}

std::uint32_t ExportReader::lane(const KernelPiece::Queue &queue)
{
    const std::int64_t device = deviceOf(queue.process, queue.device);
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
    std::size_t most = 0; // room for all work at once: growing columns exist twice for a while
    for (const std::string_view table : {kKernels, kCopies, kFills, kGraphs})
        most += m_file.mostRows(table);
    m_builder.reserve(ProfileEventKind::Work, most);
    const auto make = [&](const SqliteRows &rows, KernelPiece &piece) {
        piece.add(rows, m_strings);
    };
    auto read = m_file.readMade<KernelPiece>(kKernels, KernelPiece::kColumns.names, make,
                                             [&](KernelPiece &piece) { takeKernels(piece); });
    addCollectives();
    return read;
}

void ExportReader::takeKernels(KernelPiece &piece)
{
    note(piece);
    std::vector<std::uint32_t> lanes;
    for (const KernelPiece::Queue &queue : piece.queues())
        lanes.push_back(lane(queue));
    std::vector<std::uint32_t> shapes;
    for (const LaunchShape &shape : piece.shapes())
        shapes.push_back(m_builder.shape(shape));
    const auto asItIs = [](std::string_view text) { return text; };
    std::vector<StringId> names;
    std::size_t to = 0; // without NCCL's, which are added once everything about them is known
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

/// Adds NCCL's kernels with the bytes that their launch moves; if one launch has several kernels,
/// the file does not show which of them moves what.
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

namespace {

ProfileEvent workOf(WorkKind kind)
{
    ProfileEvent work;
    work.kind = ProfileEventKind::Work;
    work.work = kind;
    return work;
}

} // namespace

Result<void> ExportReader::readCopies()
{
    std::map<std::array<std::int64_t, 3>, StringId> names;
    return readActivity(kCopies, workOf(WorkKind::Copy), [&](SqliteRow row) {
        takeWork(row);
        m_event.bytes = row.number(kActivity["bytes"]);
        const std::array kinds{row.number(kActivity["copyKind"]), row.number(kActivity["srcKind"]),
                               row.number(kActivity["dstKind"])};
        const auto known = names.find(kinds);
        m_event.name = known != names.end()
                           ? known->second
                           : m_builder.internText(copyName(kinds[0], kinds[1], kinds[2]));
        constexpr std::size_t kMostNames = 1000; // of sound files
        if (known == names.end() && names.size() < kMostNames)
            names.emplace(kinds, m_event.name);
    });
}

Result<void> ExportReader::readFills()
{
    return readActivity(kFills, workOf(WorkKind::Fill), [&](SqliteRow row) {
        takeWork(row);
        m_event.bytes = row.number(kActivity["bytes"]);
        m_event.name = m_builder.internText(fillName(row.number(kActivity["memKind"])));
    });
}

/// Graphs that were recorded as a whole, which is the default of nsys.
Result<void> ExportReader::readGraphs()
{
    ProfileEvent graph = workOf(WorkKind::Kernel);
    graph.name = m_builder.internText("CUDA graph, as a whole");
    return readActivity(kGraphs, graph, [&](SqliteRow row) {
        takeWork(row);
        m_builder.addProblem("A CUDA graph was recorded as a whole and counts as compute: what "
                             "of it computes, copies or communicates is not known. Record with "
                             "nsys profile --cuda-graph-trace=node.");
    });
}

/// Waits, after the work: their context is right, but their device not always.
Result<void> ExportReader::readWaits()
{
    ProfileEvent wait;
    wait.kind = ProfileEventKind::Range;
    wait.range = RangeKind::Sync;
    return readActivity("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", wait, [&](SqliteRow row) {
        constexpr std::int64_t kAllStreams = 0xFFFFFFFF;
        const std::int64_t process = row.number(kActivity["globalPid"]);
        const std::int64_t stream = row.number(kActivity["streamId"]);
        const std::int64_t device = row.number(kActivity["deviceId"]);
        m_event.device = m_devices.ofContext(process, row.number(kActivity["contextId"]),
                                             device == kNoNumber ? -1 : device, m_builder);
        m_event.stream = stream == kAllStreams ? -1 : stream;
        m_event.correlation = correlation(process, row.number(kActivity["correlationId"]));
        m_event.name = m_builder.internText(syncName(row.number(kActivity["syncType"])));
    });
}

namespace {

/// A row of CUDA_GPU_MEMORY_USAGE_EVENTS. kNotStated for a missing value.
struct MemoryRow
{
    std::int64_t time = kNotStated;
    std::int64_t process = kNotStated;
    std::int64_t device = kNotStated; ///< as Devices numbers it
    std::int64_t address = kNotStated;
    std::int64_t bytes = kNotStated;
    std::int64_t kind = kNotStated;      ///< ENUM_CUDA_MEM_KIND
    std::int64_t operation = kNotStated; ///< 0: allocated, 1: freed
};

/// The memory of each device that the recorded processes use: allocated by CUDA for anyone, NCCL
/// and other libraries included, but without the contexts themselves.
class DeviceMemory
{
public:
    void add(const MemoryRow &row) { m_rows.push_back(row); }
    /// Adds changes with their running totals, by time; unknown ones become a problem.
    void addTo(ProfileBuilder &builder);

private:
    std::vector<MemoryRow> m_rows;
};

enum class Where { Device, Host, Neither };

Where whereOf(std::int64_t kind)
{
    switch (kind) {
    case 2: // device
    case 3: // array
    case 5: // device static
        return Where::Device;
    case 0: // pageable
    case 1: // pinned
        return Where::Host;
    default:
        return Where::Neither;
    }
}

void DeviceMemory::addTo(ProfileBuilder &builder)
{
    constexpr std::int64_t kAllocated = 0;
    constexpr std::int64_t kFreed = 1;
    constexpr std::int64_t kHost = 0; // numbers of c10::DeviceType
    constexpr std::int64_t kCuda = 1;
    std::ranges::stable_sort(m_rows, {}, &MemoryRow::time);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> live; // bytes by process, address
    std::map<std::int64_t, std::int64_t> totals;                        // by device; -1: the host
    for (const MemoryRow &row : m_rows) {
        const Where where = whereOf(row.kind);
        if (where == Where::Neither) {
            builder.addProblem("Managed memory moves between host and device and counts in no "
                               "curve.");
            continue;
        }
        if (row.time == kNotStated || (row.operation != kAllocated && row.operation != kFreed)) {
            builder.addProblem("A memory event lacks its time or what happened; it was left out.");
            continue;
        }
        const std::pair key(row.process, row.address);
        std::int64_t bytes = row.bytes;
        if (row.operation == kAllocated) {
            if (bytes <= 0)
                continue;
            live[key] = bytes;
        } else {
            const auto known = live.find(key);
            if (known == live.end()) {
                // Memory from before the recording is not in the curve.
                builder.addProblem("Memory was freed that was allocated before the recording: the "
                                   "curve counts only what was allocated since.");
                continue;
            }
            bytes = -known->second;
            live.erase(known);
        }
        ProfileMemoryEvent event;
        event.time = row.time;
        event.bytes = bytes;
        event.address = row.address;
        event.deviceType = where == Where::Host ? kHost : kCuda;
        event.deviceId = where == Where::Host ? -1 : row.device;
        std::int64_t &total = totals[event.deviceId];
        total = wrappingSum(total, bytes);
        event.allocated = total;
        event.thread = kNoRow;
        builder.addMemory(event);
    }
    m_rows = {};
}

} // namespace

Result<void> ExportReader::readMemory()
{
    static constexpr SqliteColumns kUse{
        "start", "deviceId", "address", "bytes", "memKind", "memoryOperationType", "globalPid"};
    DeviceMemory memory;
    auto read = forEachRow("CUDA_GPU_MEMORY_USAGE_EVENTS", kUse, [&](SqliteRow row) {
        const std::int64_t process = row.number(kUse["globalPid"]);
        memory.add({row.time(kUse["start"]), process,
                    deviceOf(process, row.number(kUse["deviceId"])), row.number(kUse["address"]),
                    row.number(kUse["bytes"]), row.number(kUse["memKind"]),
                    row.number(kUse["memoryOperationType"])});
    });
    if (read.ok())
        memory.addTo(m_builder);
    return read;
}

} // namespace vramscope::nsight
