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

/// Puts the rows of each thread behind each other, in their order: threads that take turns in the
/// file are then mostly sorted.
template<class Rows>
void bringTogether(Rows &rows, std::size_t threads)
{
    std::vector<std::size_t> next(threads + 1);
    bool isTogether = true;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        ++next[rows[at].thread + 1];
        isTogether = isTogether && (at == 0 || rows[at - 1].thread <= rows[at].thread);
    }
    if (isTogether)
        return;
    for (std::size_t thread = 0; thread < threads; ++thread)
        next[thread + 1] += next[thread];
    Rows together(rows.size());
    for (auto &row : rows)
        together[next[row.thread]++] = row;
    rows = std::move(together);
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
    explicit CallIndex(const std::vector<CallRecord> &calls)
    {
        m_entries.reserve(calls.size());
        for (std::uint32_t row = 0; row < calls.size(); ++row) {
            if (calls[row].correlation != kNotStated)
                m_entries.push_back({calls[row].correlation, calls[row].start, row});
        }
        const auto earlier = [](const Entry &a, const Entry &b) {
            return std::tie(a.correlation, a.start, a.row) <
                   std::tie(b.correlation, b.start, b.row);
        };
        if (!std::ranges::is_sorted(m_entries, earlier))
            std::ranges::sort(m_entries, earlier);
    }

    /// Work follows its calls in about their order, so the search begins where the last one ended.
    [[nodiscard]] std::uint32_t find(std::int64_t correlation)
    {
        if (correlation == kNotStated || m_entries.empty())
            return kNoRow;
        constexpr std::size_t kNear = 64;
        const std::size_t count = m_entries.size();
        const std::size_t low = m_last > kNear ? m_last - kNear : 0;
        const std::size_t high = std::min(m_last + kNear, count);
        const bool isNear = m_entries[low].correlation < correlation &&
                            m_entries[high - 1].correlation >= correlation;
        const auto first = m_entries.begin() + static_cast<std::ptrdiff_t>(isNear ? low : 0);
        const auto last = m_entries.begin() + static_cast<std::ptrdiff_t>(isNear ? high : count);
        const auto found =
            std::lower_bound(first, last, correlation, [](const Entry &entry, std::int64_t value) {
                return entry.correlation < value;
            });
        if (found == m_entries.end() || found->correlation != correlation)
            return kNoRow;
        m_last = static_cast<std::size_t>(found - m_entries.begin());
        return found->row;
    }

private:
    struct Entry
    {
        std::int64_t correlation;
        std::int64_t start;
        std::uint32_t row;
    };
    std::vector<Entry> m_entries;
    std::size_t m_last = 0;
};

/// The first operator in the file of each external id; sorted only if anyone asks.
class ProfileBuilder::OperatorIds
{
public:
    explicit OperatorIds(const std::vector<OperatorRecord> &operators)
        : m_operators(operators)
    {
    }

    [[nodiscard]] std::uint32_t find(std::int64_t id)
    {
        if (id == kNotStated)
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
        m_entries.reserve(m_operators.size());
        for (std::uint32_t row = 0; row < m_operators.size(); ++row) {
            if (m_operators[row].externalId != kNotStated)
                m_entries.push_back({m_operators[row].externalId, m_operators[row].order, row});
        }
        std::ranges::sort(m_entries, [](const Entry &a, const Entry &b) {
            return std::tie(a.id, a.order) < std::tie(b.id, b.order);
        });
    }

    const std::vector<OperatorRecord> &m_operators;
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
    switch (kind) {
    case ProfileEventKind::Work:
        m_work.reserve(m_work.size() + count);
        break;
    case ProfileEventKind::Call:
        m_calls.reserve(m_calls.size() + count);
        break;
    case ProfileEventKind::Operator:
        m_operators.reserve(m_operators.size() + count);
        break;
    case ProfileEventKind::Range:
        m_ranges.reserve(m_ranges.size() + count);
        break;
    case ProfileEventKind::Other:
        break;
    }
}

void ProfileBuilder::add(const ProfileEvent &event)
{
    const bool isStep = event.marksStep && m_profile->text(event.name).starts_with(kStepName);
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
    case ProfileEventKind::Work: {
        std::uint32_t collective = kNoRow;
        if (event.statesCollective) {
            collective = static_cast<std::uint32_t>(m_collectives.size());
            m_collectives.push_back(event.collective);
        }
        m_work.push_back({event.start, event.end, event.correlation, event.externalId, event.bytes,
                          event.name, laneOf(), event.hasShape ? shape(event.shape) : kNoRow,
                          collective, event.work, hasStream});
        return;
    }
    case ProfileEventKind::Call:
        m_calls.push_back(
            {event.start, event.end,
             orElse(event.correlation, event.hasExternalId ? event.externalId : kNotStated),
             event.name, event.thread});
        break;
    case ProfileEventKind::Operator:
        if (!isStep)
            m_operators.push_back({event.start, event.end, event.externalId, event.sequence,
                                   event.forwardThread, event.name, event.thread, event.shapes,
                                   event.types, event.stack, event.module,
                                   static_cast<std::uint32_t>(m_operators.size())});
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

std::shared_ptr<const Profile> ProfileBuilder::finish(const Tick &tick)
{
    const bool isComplete = placeOperators(tick) && nest(tick) && placeCalls(tick) &&
                            placeWork(tick) && linkBackward(tick) && placeRanges(tick) &&
                            placeMemory(tick);
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
    const auto outerFirst = [](const OperatorRecord &a, const OperatorRecord &b) {
        return std::tie(a.thread, a.start, b.end) < std::tie(b.thread, b.start, a.end);
    };
    bringTogether(m_operators, m_profile->m_threads.size());
    if (!sortInSteps(m_operators, outerFirst, tick))
        return false;
    OperatorColumns &to = m_profile->m_operators;
    const std::size_t count = m_operators.size();
    to.start.reserve(count);
    to.end.reserve(count);
    to.name.reserve(count);
    to.thread.reserve(count);
    to.shapes.reserve(count);
    to.types.reserve(count);
    to.stack.reserve(count);
    to.module.reserve(count);
    return forEachInSteps(m_operators, tick, [&](const OperatorRecord &one) {
        to.start.push_back(one.start);
        to.end.push_back(one.end);
        to.name.push_back(one.name);
        to.thread.push_back(one.thread);
        to.shapes.push_back(one.shapes);
        to.types.push_back(one.types);
        to.stack.push_back(one.stack);
        to.module.push_back(one.module);
    });
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
    const auto earlier = [](const CallRecord &a, const CallRecord &b) {
        return std::tie(a.thread, a.start) < std::tie(b.thread, b.start);
    };
    bringTogether(m_calls, m_profile->m_threads.size());
    if (!sortInSteps(m_calls, earlier, tick))
        return false;
    CallColumns &to = m_profile->m_calls;
    to.start.reserve(m_calls.size());
    to.end.reserve(m_calls.size());
    to.name.reserve(m_calls.size());
    to.thread.reserve(m_calls.size());
    to.operation.reserve(m_calls.size());
    to.correlation.reserve(m_calls.size());
    OperatorWalk operators(m_profile->m_operators);
    return forEachInSteps(m_calls, tick, [&](const CallRecord &one) {
        to.start.push_back(one.start);
        to.end.push_back(one.end);
        to.name.push_back(one.name);
        to.thread.push_back(one.thread);
        to.operation.push_back(operators.innermost(one.thread, one.start));
        to.correlation.push_back(one.correlation);
    });
}

bool ProfileBuilder::placeWork(const Tick &tick)
{
    const std::vector<std::uint32_t> place = orderLanes();
    for (RangeRecord &range : m_ranges) {
        if (range.kind == RangeKind::Device || range.kind == RangeKind::Sync)
            range.thread = place[range.thread];
    }
    const auto earlier = [](const WorkRecord &a, const WorkRecord &b) {
        return std::tie(a.start, a.end) < std::tie(b.start, b.end);
    };
    if (!sortInSteps(m_work, earlier, tick))
        return false;
    CallIndex calls(m_calls);
    OperatorIds operators(m_operators);
    WorkColumns &to = m_profile->m_work;
    reserveWork();
    const bool isComplete = forEachInSteps(m_work, tick, [&](const WorkRecord &one) {
        const std::uint32_t call = calls.find(one.correlation);
        // Without its call, the operator of the same external id; some files repeat the correlation
        // there, which names none.
        const std::uint32_t operation = call != kNoRow ? m_profile->m_calls.operation[call]
                                        : one.externalId != one.correlation
                                            ? operators.find(one.externalId)
                                            : kNoRow;
        if (one.collective != kNoRow) {
            ProfileCollective &collective =
                m_profile->m_collectives.emplace_back(m_collectives[one.collective]);
            collective.work = static_cast<std::uint32_t>(to.count());
        }
        to.start.push_back(one.start);
        to.end.push_back(one.end);
        to.name.push_back(one.name);
        to.lane.push_back(place[one.lane]);
        to.kind.push_back(one.kind);
        to.call.push_back(call);
        to.operation.push_back(operation);
        to.shape.push_back(one.shape);
        to.bytes.push_back(one.bytes);
        to.hasStream.push_back(one.hasStream);
    });
    StreamedColumns &streamed = m_profile->m_streamed;
    for (const StreamedRecord &one : m_streamed) {
        streamed.start.push_back(one.start);
        streamed.end.push_back(one.end);
        streamed.name.push_back(one.name);
        streamed.call.push_back(calls.find(one.correlation));
    }
    release(m_work);
    release(m_calls);
    return isComplete;
}

void ProfileBuilder::reserveWork()
{
    WorkColumns &to = m_profile->m_work;
    const std::size_t count = m_work.size();
    to.start.reserve(count);
    to.end.reserve(count);
    to.name.reserve(count);
    to.lane.reserve(count);
    to.kind.reserve(count);
    to.call.reserve(count);
    to.operation.reserve(count);
    to.shape.reserve(count);
    to.bytes.reserve(count);
    to.hasStream.reserve(count);
}

/// A flow joins a forward operator with its backward one, each by where it began; files without
/// flows number both.
bool ProfileBuilder::linkBackward(const Tick &tick)
{
    std::vector<std::uint32_t> &forward = m_profile->m_operators.forward;
    forward.assign(m_operators.size(), kNoRow);
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
            forward[backward] = operatorFrom(from);
    }
    if (m_flows.empty())
        linkBySequence();
    release(m_flows);
    return tick();
}

/// The operator that begins where an end of a flow is: of several the one that autograd numbered.
std::uint32_t ProfileBuilder::operatorFrom(const Flow &flow) const
{
    const auto earlier = [](const OperatorRecord &one, const Flow &end) {
        return std::tie(one.thread, one.start) < std::tie(end.thread, end.time);
    };
    const auto first = std::lower_bound(m_operators.begin(), m_operators.end(), flow, earlier);
    const auto isThere = [&](auto at) {
        return at != m_operators.end() && at->thread == flow.thread && at->start == flow.time;
    };
    if (!isThere(first))
        return kNoRow;
    auto numbered = first;
    while (isThere(numbered) && numbered->sequence == kNotStated)
        ++numbered;
    return static_cast<std::uint32_t>((isThere(numbered) ? numbered : first) - m_operators.begin());
}

/// The first operator of a number, the outermost, is the forward one.
void ProfileBuilder::linkBySequence()
{
    std::vector<std::uint32_t> &forward = m_profile->m_operators.forward;
    std::unordered_map<std::int64_t, std::uint32_t> numbered;
    for (std::uint32_t row = 0; row < m_operators.size(); ++row) {
        const OperatorRecord &one = m_operators[row];
        if (one.sequence >= 0 && one.forwardThread <= 0)
            numbered.try_emplace(one.sequence, row);
    }
    for (std::uint32_t row = 0; row < m_operators.size(); ++row) {
        const OperatorRecord &one = m_operators[row];
        if (one.sequence < 0 || one.forwardThread <= 0)
            continue;
        if (const auto found = numbered.find(one.sequence); found != numbered.end())
            forward[row] = found->second;
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
