// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_builder.h"

#include "core/profile/memory_curves.h"
#include "core/profile/operator_walk.h"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

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

/// Gives back the memory of what has been carried over.
template<class Rows>
void release(Rows &rows)
{
    rows = Rows();
}

} // namespace

/// The earliest call of each correlation.
class ProfileBuilder::CallIndex
{
public:
    /// Nothing is found where tick() said to stop.
    CallIndex(const std::vector<std::int64_t> &start, const std::vector<std::int64_t> &correlation,
              std::size_t lanes, const Tick &tick)
        : m_correlation(correlation)
        , m_last(lanes)
    {
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
            return std::tie(correlation[a], start[a], a) < std::tie(correlation[b], start[b], b);
        };
        if (auto order = sortedRows(start.size(), earlier, tick)) {
            m_rows = std::move(order->rows);
            m_count = start.size();
        }
    }

    /// Work of a lane follows its calls in about their order, so the search begins where the last
    /// one ended.
    [[nodiscard]] std::uint32_t find(std::int64_t correlation, std::size_t lane)
    {
        if (correlation == kNotStated || m_count == 0)
            return kNoRow;
        constexpr std::size_t kNear = 64;
        std::size_t &last = m_last[lane];
        const std::size_t low = last > kNear ? last - kNear : 0;
        const std::size_t high = std::min(last + kNear, m_count);
        const bool isNear = at(low) < correlation && at(high - 1) >= correlation;
        const std::size_t first =
            firstNotBefore(isNear ? low : 0, isNear ? high - low : m_count,
                           [&](std::size_t place) { return at(place) < correlation; });
        if (first == m_count || at(first) != correlation)
            return kNoRow;
        last = first;
        return row(first);
    }

private:
    [[nodiscard]] std::uint32_t row(std::size_t place) const
    {
        return m_rows.empty() ? static_cast<std::uint32_t>(place) : m_rows[place];
    }
    [[nodiscard]] std::int64_t at(std::size_t place) const
    {
        return m_correlation[row(place)];
    }

    const std::vector<std::int64_t> &m_correlation;
    std::vector<std::uint32_t> m_rows; // by correlation and start; empty: they lie so
    std::size_t m_count = 0;
    std::vector<std::size_t> m_last; // by lane: where the last was found
};

/// The first operator in the file of each external id; sorted only if anyone asks.
class ProfileBuilder::OperatorIds
{
public:
    explicit OperatorIds(const OperatorLinks &operators)
        : m_operators(operators)
    {
    }

    [[nodiscard]] std::uint32_t find(std::int64_t id)
    {
        if (id == kNotStated || m_operators.externalId.isEmpty())
            return kNoRow;
        if (m_entries.empty())
            fill();
        const auto found = std::ranges::lower_bound(m_entries, id, {}, &Entry::id);
        return found == m_entries.end() || found->id != id ? kNoRow : found->row;
    }

private:
    struct Entry
    {
        std::int64_t id;
        std::uint32_t order;
        std::uint32_t row;
    };
    void fill()
    {
        const auto &ids = m_operators.externalId;
        const std::vector<std::uint32_t> &inFile = m_operators.inFile;
        m_entries.reserve(ids.size());
        for (std::uint32_t row = 0; row < ids.size(); ++row) {
            if (ids[row] != kNotStated)
                m_entries.push_back({ids[row], inFile.empty() ? row : inFile[row], row});
        }
        std::ranges::sort(m_entries, [](const Entry &a, const Entry &b) {
            return std::tie(a.id, a.order) < std::tie(b.id, b.order);
        });
    }

    const OperatorLinks &m_operators;
    std::vector<Entry> m_entries;
};

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

void ProfileBuilder::placeThreadNames()
{
    for (ProfileThread &thread : m_profile->m_threads) {
        const auto named = m_threadNames.find(threadKey(thread.process, thread.thread));
        if (named != m_threadNames.end())
            thread.name = m_profile->text(named->second);
    }
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

bool ProfileBuilder::finishHost(const Tick &tick)
{
    m_isHostFinished = true;
    return placeOperators(tick) && nest(tick) && placeCalls(tick);
}

std::shared_ptr<const Profile> ProfileBuilder::finish(const Tick &tick)
{
    const bool isComplete = (m_isHostFinished || finishHost(tick)) && placeWork(tick) &&
                            linkBackward(tick) && placeRanges(tick) && placeMemory(tick);
    if (!isComplete)
        return nullptr;
    placeSteps();
    placeThreadNames();
    countSpans();
    m_profile->m_curves = m_curves.finish();
    return std::move(m_profile);
}

/// Lanes by device and stream, whatever came first.
std::vector<std::uint32_t> ProfileBuilder::orderLanes()
{
    std::vector<ProfileLane> &lanes = m_profile->m_lanes;
    std::vector<std::uint32_t> order(lanes.size());
    for (std::uint32_t row = 0; row < order.size(); ++row)
        order[row] = row;
    std::ranges::sort(order, {}, [&](std::uint32_t row) {
        return std::pair(lanes[row].device, lanes[row].stream);
    });
    std::vector<ProfileLane> ordered;
    std::vector<std::uint32_t> place(lanes.size());
    for (const std::uint32_t row : order) {
        place[row] = static_cast<std::uint32_t>(ordered.size());
        ordered.push_back(lanes[row]);
    }
    lanes = std::move(ordered);
    return place;
}

bool ProfileBuilder::placeOperators(const Tick &tick)
{
    OperatorColumns &all = m_profile->m_operators;
    const auto outerFirst = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(all.thread[a], all.start[a], all.end[b]) <
               std::tie(all.thread[b], all.start[b], all.end[a]);
    };
    const auto order = sortedRows(all.count(), outerFirst, tick, broughtTogether(all.thread));
    if (!order)
        return false;
    for (SparseTexts *texts : {&all.shapes, &all.types, &all.stack, &all.module})
        texts->finish(all.count());
    OperatorLinks &links = m_operatorLinks;
    links.finish(all.count());
    if (!links.externalId.isEmpty())
        links.inFile = order->expanded();
    return arrange(*order, tick,
                   alike(all.start, all.end, links.externalId.values(), links.sequence.values(),
                         links.forwardThread.values()),
                   alike(all.name, all.shapes.values(), all.types.values(), all.stack.values(),
                         all.module.values())) &&
           arrangeThreads(*order, all.thread, tick);
}

/// On a thread operators nest by time. One that ends after its parent by more than it lies in it is
/// a sibling: files in whole microseconds round ends past the next start.
bool ProfileBuilder::nest(const Tick &tick)
{
    OperatorColumns &all = m_profile->m_operators;
    constexpr std::uint16_t kDeepest = std::numeric_limits<std::uint16_t>::max();
    all.parent.reserve(all.count());
    all.depth.reserve(all.count());
    std::vector<std::uint32_t> open;
    std::uint32_t row = 0;
    return forEachInSteps(all.start, tick, [&](std::int64_t start) {
        if (!open.empty() && all.thread[open.back()] != all.thread[row])
            open.clear();
        while (!open.empty()) {
            const std::int64_t end = all.end[open.back()];
            if (end > start && all.end[row] - end <= end - start)
                break;
            open.pop_back();
        }
        all.parent.push_back(open.empty() ? kNoRow : open.back());
        all.depth.push_back(
            static_cast<std::uint16_t>(std::min<std::size_t>(open.size(), kDeepest)));
        open.push_back(row++);
    });
}

bool ProfileBuilder::placeCalls(const Tick &tick)
{
    CallColumns &all = m_profile->m_calls;
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(all.thread[a], all.start[a]) < std::tie(all.thread[b], all.start[b]);
    };
    const auto order = sortedRows(all.count(), earlier, tick, broughtTogether(all.thread));
    if (!order ||
        !arrange(*order, tick, alike(all.start, all.end, m_callCorrelation), alike(all.name)) ||
        !arrangeThreads(*order, all.thread, tick))
        return false;
    all.operation.reserve(all.count());
    OperatorWalk operators(m_profile->m_operators);
    std::size_t row = 0;
    return forEachInSteps(all.start, tick, [&](std::int64_t start) {
        all.operation.push_back(operators.innermost(all.thread[row++], start));
    });
}

bool ProfileBuilder::placeWork(const Tick &tick)
{
    const std::vector<std::uint32_t> place = orderLanes();
    for (RangeRecord &range : m_ranges) {
        if (range.kind == RangeKind::Device || range.kind == RangeKind::Sync)
            range.thread = place[range.thread];
    }
    WorkColumns &all = m_profile->m_work;
    for (std::uint32_t &lane : all.lane)
        lane = place[lane];
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(all.start[a], all.end[a]) < std::tie(all.start[b], all.end[b]);
    };
    const auto order = sortedRows(all.count(), earlier, tick);
    if (!order)
        return false;
    m_workLinks.externalId.finish(all.count());
    if (!arrange(*order, tick,
                 alike(all.start, all.end, all.bytes, m_workLinks.correlation,
                       m_workLinks.externalId.values()),
                 alike(all.lane, all.shape), alike(all.name), alike(all.kind),
                 alike(all.hasStream)))
        return false;
    placeCollectives(order->rows);
    return linkWork(tick);
}

/// By work, as that lies now.
void ProfileBuilder::placeCollectives(std::span<const std::uint32_t> order)
{
    std::vector<ProfileCollective> &all = m_profile->m_collectives;
    if (order.empty() || all.empty())
        return;
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t row = 0; row < order.size(); ++row)
        places[order[row]] = row;
    for (ProfileCollective &each : all)
        each.work = places[each.work];
    std::ranges::sort(all, {}, &ProfileCollective::work);
}

bool ProfileBuilder::linkWork(const Tick &tick)
{
    CallIndex calls(m_profile->m_calls.start, m_callCorrelation, m_profile->m_lanes.size() + 1,
                    tick);
    OperatorIds operators(m_operatorLinks);
    WorkColumns &all = m_profile->m_work;
    all.call.reserve(all.count());
    all.operation.reserve(all.count());
    std::size_t row = 0;
    const bool isComplete =
        forEachInSteps(m_workLinks.correlation, tick, [&](std::int64_t correlation) {
            const std::uint32_t call = calls.find(correlation, all.lane[row]);
            // Without its call, the operator of the same external id; some files repeat the
            // correlation there, which names none.
            const std::int64_t externalId = m_workLinks.externalId[row++];
            all.call.push_back(call);
            all.operation.push_back(call != kNoRow              ? m_profile->m_calls.operation[call]
                                    : externalId != correlation ? operators.find(externalId)
                                                                : kNoRow);
        });
    StreamedColumns &streamed = m_profile->m_streamed;
    for (const StreamedRecord &one : m_streamed) {
        streamed.start.push_back(one.start);
        streamed.end.push_back(one.end);
        streamed.name.push_back(one.name);
        streamed.call.push_back(calls.find(one.correlation, m_profile->m_lanes.size()));
    }
    m_workLinks = {};
    release(m_callCorrelation);
    release(m_streamed);
    return isComplete;
}

/// A flow joins a forward operator with its backward one, each by where it began; files without
/// flows number both.
bool ProfileBuilder::linkBackward(const Tick &tick)
{
    OperatorColumns &operators = m_profile->m_operators;
    operators.forward.finish(operators.count());
    const auto byId = [](const Flow &a, const Flow &b) {
        return std::tie(a.id, b.begins) < std::tie(b.id, a.begins);
    };
    if (!sortInSteps(m_flows, byId, tick))
        return false;
    for (std::size_t at = 0; at + 1 < m_flows.size(); ++at) {
        const Flow &from = m_flows[at];
        const Flow &to = m_flows[at + 1];
        if (from.id != to.id || !from.begins || to.begins)
            continue;
        const std::uint32_t backward = operatorFrom(to);
        if (backward != kNoRow)
            operators.forward.replace(backward, operatorFrom(from));
    }
    if (m_flows.empty())
        linkBySequence();
    release(m_flows);
    m_operatorLinks = {};
    return tick();
}

/// The operator that begins where an end of a flow is: of several the one that autograd numbered.
std::uint32_t ProfileBuilder::operatorFrom(const Flow &flow) const
{
    const OperatorColumns &all = m_profile->m_operators;
    const auto isThere = [&](std::size_t row) {
        return row < all.count() && all.thread[row] == flow.thread && all.start[row] == flow.time;
    };
    const std::size_t first = firstNotBefore(0, all.count(), [&](std::size_t row) {
        return std::tie(all.thread[row], all.start[row]) < std::tie(flow.thread, flow.time);
    });
    if (!isThere(first))
        return kNoRow;
    std::size_t numbered = first;
    while (isThere(numbered) && m_operatorLinks.sequence[numbered] == kNotStated)
        ++numbered;
    return static_cast<std::uint32_t>(isThere(numbered) ? numbered : first);
}

/// The first operator of a number, the outermost, is the forward one.
void ProfileBuilder::linkBySequence()
{
    auto &forward = m_profile->m_operators.forward;
    const auto &sequence = m_operatorLinks.sequence;
    const auto &forwardThread = m_operatorLinks.forwardThread;
    if (sequence.isEmpty())
        return;
    std::unordered_map<std::int64_t, std::uint32_t> numbered;
    for (std::uint32_t row = 0; row < sequence.size(); ++row) {
        if (sequence[row] >= 0 && forwardThread[row] <= 0)
            numbered.try_emplace(sequence[row], row);
    }
    for (std::uint32_t row = 0; row < sequence.size(); ++row) {
        if (sequence[row] < 0 || forwardThread[row] <= 0)
            continue;
        if (const auto found = numbered.find(sequence[row]); found != numbered.end())
            forward.replace(row, found->second);
    }
}

bool ProfileBuilder::placeRanges(const Tick &tick)
{
    const auto outerFirst = [](const RangeRecord &a, const RangeRecord &b) {
        return std::tie(a.kind, a.thread, a.start, b.end) <
               std::tie(b.kind, b.thread, b.start, a.end);
    };
    if (!sortInSteps(m_ranges, outerFirst, tick))
        return false;
    RangeColumns &to = m_profile->m_ranges;
    return forEachInSteps(m_ranges, tick, [&](const RangeRecord &one) {
        to.start.push_back(one.start);
        to.end.push_back(one.end);
        to.name.push_back(one.name);
        to.kind.push_back(one.kind);
        to.thread.push_back(one.thread);
    });
}

/// What the curves say lies beside them.
void ProfileBuilder::countSpans()
{
    for (const WorkKind kind : m_profile->m_work.kind)
        m_curves.addSpans(kind == WorkKind::Kernel ? SpanKind::Kernel
                          : kind == WorkKind::Copy ? SpanKind::Copy
                                                   : SpanKind::Fill,
                          1);
    for (const RangeKind kind : m_profile->m_ranges.kind) {
        if (kind == RangeKind::User || kind == RangeKind::Device)
            m_curves.addSpans(
                kind == RangeKind::User ? SpanKind::Annotation : SpanKind::DeviceAnnotation, 1);
    }
}

void ProfileBuilder::placeSteps()
{
    std::vector<ProfilerStep> &steps = m_profile->m_steps;
    std::ranges::sort(steps, [](const ProfilerStep &a, const ProfilerStep &b) {
        return std::tie(a.start, a.name, a.end) < std::tie(b.start, b.name, b.end);
    });
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    const bool hasSeveral = std::ranges::any_of(
        m_marks, [&](const ProfilerStep &mark) { return mark.name != m_marks.front().name; });
    if (hasSeveral)
        m_profile->m_lastStepMark =
            std::ranges::max_element(m_marks, {}, &ProfilerStep::start)->start;
}

bool ProfileBuilder::placeMemory(const Tick &tick)
{
    std::optional<std::vector<ProfileMemory>> memory =
        addMemoryCurves(m_curves, std::move(m_memory), *m_profile, tick);
    if (!memory)
        return false;
    m_profile->m_memory = std::move(*memory);
    return true;
}

} // namespace vramscope
