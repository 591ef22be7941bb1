// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_builder.h"

#include <algorithm>
#include <string>
#include <utility>

// How events are taken, one after the other or as columns.

namespace vramscope {

namespace {

constexpr std::string_view kStepName = "ProfilerStep";

std::uint64_t mixed(std::uint64_t hash, std::int64_t value)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ static_cast<std::uint64_t>(value)) * kFactor;
    return hash ^ (hash >> 32);
}

/// The row of `value` in `rows`, added where it is new. Most ask for the one before again.
template<class Value>
std::uint32_t rowOf(std::vector<Value> &rows, const Value &value, std::uint64_t hash,
                    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> &ids,
                    std::uint32_t &last)
{
    if (last < rows.size() && rows[last] == value)
        return last;
    std::vector<std::uint32_t> &same = ids[hash];
    const auto found =
        std::ranges::find_if(same, [&](std::uint32_t row) { return rows[row] == value; });
    if (found != same.end())
        return last = *found;
    last = static_cast<std::uint32_t>(rows.size());
    rows.push_back(value);
    same.push_back(last);
    return last;
}

template<class T>
void append(std::vector<T> &column, std::span<const T> values)
{
    column.insert(column.end(), values.begin(), values.end());
}

} // namespace

ProfileBuilder::ProfileBuilder(std::string format)
    : m_profile(new Profile)
    , m_curves(std::move(format))
{
}

std::uint32_t ProfileBuilder::thread(std::string_view process, std::string_view thread)
{
    // Events of one thread follow each other.
    if (m_lastThread < m_profile->m_threads.size()) {
        const ProfileThread &last = m_profile->m_threads[m_lastThread];
        if (last.process == process && last.thread == thread)
            return m_lastThread;
    }
    m_threadKey.assign(process);
    m_threadKey.push_back('\0');
    m_threadKey.append(thread);
    const auto [found, isNew] =
        m_threads.try_emplace(m_threadKey, static_cast<std::uint32_t>(m_profile->m_threads.size()));
    if (isNew)
        m_profile->m_threads.push_back({std::string(process), std::string(thread), {}});
    return m_lastThread = found->second;
}

const std::string &ProfileBuilder::threadKey(std::string_view process, std::string_view thread)
{
    m_threadKey.assign(process);
    m_threadKey.push_back('\0');
    m_threadKey.append(thread);
    return m_threadKey;
}

void ProfileBuilder::nameThread(std::string_view process, std::string_view thread, StringId name)
{
    m_threadNames[threadKey(process, thread)] = name;
}

std::uint32_t ProfileBuilder::lane(std::int64_t device, std::int64_t stream)
{
    return rowOf(m_profile->m_lanes, {device, stream}, mixed(mixed(0, device), stream), m_laneIds,
                 m_lastLane);
}

std::uint32_t ProfileBuilder::shape(const LaunchShape &shape)
{
    std::uint64_t hash = 0;
    for (const std::int64_t value :
         {shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
          shape.block[2], shape.registers, shape.sharedMemory, shape.occupancy})
        hash = mixed(hash, value);
    return rowOf(m_profile->m_shapes, shape, hash, m_shapeIds, m_lastShape);
}

void ProfileBuilder::reserve(ProfileEventKind kind, std::size_t count)
{
    const auto reserveMore = [count](auto &...columns) {
        (columns.reserve(columns.size() + count), ...);
    };
    switch (kind) {
    case ProfileEventKind::Work: {
        WorkColumns &to = m_profile->m_work;
        reserveMore(to.start, to.end, to.name, to.lane, to.kind, to.shape, to.bytes, to.hasStream,
                    m_workLinks.correlation);
        break;
    }
    case ProfileEventKind::Call: {
        CallColumns &to = m_profile->m_calls;
        reserveMore(to.start, to.end, to.name, to.thread, m_callCorrelation);
        break;
    }
    case ProfileEventKind::Operator: {
        OperatorColumns &to = m_profile->m_operators;
        reserveMore(to.start, to.end, to.name, to.thread);
        for (SparseTexts *texts : {&to.shapes, &to.types, &to.stack, &to.module})
            texts->reserve(to.count() + count);
        m_operatorLinks.reserve(to.count() + count);
        break;
    }
    case ProfileEventKind::Range:
        reserveMore(m_ranges);
        break;
    case ProfileEventKind::Other:
        break;
    }
}

bool ProfileBuilder::isStepName(StringId name)
{
    const auto at = static_cast<std::size_t>(name);
    while (m_stepNames.size() <= at)
        m_stepNames.push_back(
            m_profile->text(static_cast<StringId>(m_stepNames.size())).starts_with(kStepName) ? 1
                                                                                              : 0);
    return m_stepNames[at] != 0;
}

void ProfileBuilder::addWork(const ProfileEvent &event, std::uint32_t lane, bool hasStream)
{
    WorkColumns &to = m_profile->m_work;
    if (event.statesCollective) {
        m_profile->m_collectives.push_back(event.collective);
        m_profile->m_collectives.back().work = static_cast<std::uint32_t>(to.count());
    }
    to.start.push_back(event.start);
    to.end.push_back(event.end);
    to.name.push_back(event.name);
    to.lane.push_back(lane);
    to.kind.push_back(event.work);
    to.shape.push_back(event.hasShape ? shape(event.shape) : kNoRow);
    to.bytes.push_back(event.bytes);
    to.hasStream.push_back(hasStream);
    m_workLinks.correlation.push_back(event.correlation);
    m_workLinks.externalId.set(to.count() - 1, event.externalId);
}

void ProfileBuilder::addOperator(const ProfileEvent &event)
{
    OperatorColumns &to = m_profile->m_operators;
    const std::size_t row = to.count();
    to.start.push_back(event.start);
    to.end.push_back(event.end);
    to.name.push_back(event.name);
    to.thread.push_back(event.thread);
    to.shapes.set(row, event.shapes);
    to.types.set(row, event.types);
    to.stack.set(row, event.stack);
    to.module.set(row, event.module);
    m_operatorLinks.externalId.set(row, event.externalId);
    m_operatorLinks.sequence.set(row, event.sequence);
    m_operatorLinks.forwardThread.set(row, event.forwardThread);
}

void ProfileBuilder::add(const ProfileEvent &event)
{
    const bool isStep = event.marksStep && isStepName(event.name);
    if (isStep)
        addStep(event);
    const auto orElse = [](std::int64_t value, std::int64_t otherwise) {
        return value != kNotStated ? value : otherwise;
    };
    const bool hasStream = event.stream != kNotStated && event.stream != -1;
    // Device events name their device and stream in their arguments, old ones by process and
    // thread.
    const auto laneOf = [&] {
        return lane(orElse(orElse(event.device, event.process), -1),
                    orElse(orElse(event.stream, event.threadNumber), -1));
    };
    switch (event.kind) {
    case ProfileEventKind::Work:
        addWork(event, laneOf(), hasStream);
        return;
    case ProfileEventKind::Call: {
        CallColumns &to = m_profile->m_calls;
        to.start.push_back(event.start);
        to.end.push_back(event.end);
        to.name.push_back(event.name);
        to.thread.push_back(event.thread);
        m_callCorrelation.push_back(
            orElse(event.correlation, event.hasExternalId ? event.externalId : kNotStated));
        break;
    }
    case ProfileEventKind::Operator:
        if (!isStep)
            addOperator(event);
        break;
    case ProfileEventKind::Range: {
        const bool isOnDevice = event.range == RangeKind::Device || event.range == RangeKind::Sync;
        m_ranges.push_back({event.start, event.end, event.name,
                            isOnDevice ? laneOf() : event.thread, event.range});
        break;
    }
    case ProfileEventKind::Other:
        break;
    }
    if (hasStream)
        m_streamed.push_back({event.start, event.end, event.correlation, event.name});
}

void ProfileBuilder::add(std::uint32_t thread, const OperatorRows &rows)
{
    OperatorColumns &to = m_profile->m_operators;
    const std::size_t row = to.count();
    append(to.start, rows.start);
    append(to.end, rows.end);
    append(to.name, rows.name);
    to.thread.resize(to.count(), thread);
    to.shapes.set(row, rows.shapes);
    m_operatorLinks.sequence.set(row, rows.sequence);
    m_operatorLinks.forwardThread.set(row, rows.forwardThread);
}

void ProfileBuilder::add(std::uint32_t thread, const CallRows &rows)
{
    CallColumns &to = m_profile->m_calls;
    append(to.start, rows.start);
    append(to.end, rows.end);
    append(to.name, rows.name);
    to.thread.resize(to.count(), thread);
    append(m_callCorrelation, rows.correlation);
    addMarks(rows.start, rows.end, rows.name);
}

void ProfileBuilder::add(const KernelRows &rows)
{
    WorkColumns &to = m_profile->m_work;
    append(to.start, rows.start);
    append(to.end, rows.end);
    append(to.name, rows.name);
    append(to.lane, rows.lane);
    append(to.shape, rows.shape);
    to.kind.resize(to.count(), WorkKind::Kernel);
    to.bytes.resize(to.count(), kNotStated);
    for (const std::uint32_t lane : rows.lane)
        to.hasStream.push_back(m_profile->m_lanes[lane].stream != -1);
    append(m_workLinks.correlation, rows.correlation);
    addMarks(rows.start, rows.end, rows.name);
}

/// Events that are named as steps and are none.
void ProfileBuilder::addMarks(std::span<const std::int64_t> start,
                              std::span<const std::int64_t> end, std::span<const StringId> name)
{
    for (std::size_t row = 0; row < name.size(); ++row) {
        if (isStepName(name[row]))
            m_marks.push_back({name[row], start[row], end[row]});
    }
}

/// Steps are ranges on the host, operators in old files; their images on a device only count as
/// marks, as HTA takes them.
void ProfileBuilder::addStep(const ProfileEvent &event)
{
    const ProfilerStep step{event.name, event.start, event.end};
    m_marks.push_back(step);
    if (event.kind == ProfileEventKind::Operator ||
        (event.kind == ProfileEventKind::Range && event.range == RangeKind::User))
        m_profile->m_steps.push_back(step);
}

void ProfileBuilder::addMemory(const ProfileMemoryEvent &event, std::int64_t offset)
{
    if (event.time == kNotStated || event.bytes == kNotStated || event.deviceType == kNotStated)
        addProblem("A memory event lacks its time, bytes or device; it was left out.", offset);
    else
        m_memory.push_back(event);
}

void ProfileBuilder::addFlow(std::int64_t id, bool begins, std::uint32_t thread, std::int64_t time)
{
    m_flows.push_back({id, time, thread, begins});
}

void ProfileBuilder::setBase(std::int64_t base, Clock clock)
{
    m_profile->m_base = base;
    m_curves.setClock(clock);
}

void ProfileBuilder::setRank(std::int64_t rank, std::int64_t worldSize)
{
    m_profile->m_rank = rank;
    m_profile->m_worldSize = worldSize;
    const auto narrow = [](std::int64_t value) {
        return value >= 0 && value < (1 << 30) ? static_cast<int>(value) : -1;
    };
    m_curves.setRank(narrow(rank), narrow(worldSize));
}

void ProfileBuilder::addGpu(ProfileGpu gpu)
{
    constexpr std::int64_t kMostOrdinal = 0x7FFF;
    if (gpu.id >= 0 && gpu.id <= kMostOrdinal)
        m_curves.addDescription({static_cast<int>(gpu.id), gpu.name.value_or(std::string()),
                                 gpu.memory == kNotStated ? kNoBytes : gpu.memory});
    m_profile->m_gpus.push_back(std::move(gpu));
}

} // namespace vramscope
