// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/profile/profile_builder.h"

#include "core/base/bytes.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/profile/false_durations.h"
#include "core/profile/memory_curves.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

// What becomes of the events once all have come: they are ordered, nested and linked.

namespace vramscope {

namespace {

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
    [[nodiscard]] std::int64_t at(std::size_t place) const { return m_correlation[row(place)]; }

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
    for (std::uint32_t &lane : m_profile->m_work.lane)
        lane = place[lane];
    m_workLinks.externalId.finish(m_profile->m_work.count());
    return orderWork(tick) && (!cutContradictedWork() || orderWork(tick)) && linkWork(tick);
}

/// By start and end.
bool ProfileBuilder::orderWork(const Tick &tick)
{
    WorkColumns &all = m_profile->m_work;
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(all.start[a], all.end[a]) < std::tie(all.start[b], all.end[b]);
    };
    const auto order = sortedRows(all.count(), earlier, tick);
    if (!order)
        return false;
    if (!arrange(*order, tick,
                 alike(all.start, all.end, all.bytes, m_workLinks.correlation,
                       m_workLinks.externalId.values()),
                 alike(all.lane, all.shape), alike(all.name), alike(all.kind),
                 alike(all.hasStream)))
        return false;
    placeCollectives(order->rows);
    return true;
}

/// Cuts durations that later work of their stream contradicts and says so; false where there is
/// none.
bool ProfileBuilder::cutContradictedWork()
{
    WorkColumns &all = m_profile->m_work;
    const std::vector<FalseDuration> found = falseDurations(all, m_workLinks.correlation);
    if (found.empty())
        return false;
    std::int64_t whole = 0;
    for (std::size_t row = 0; row < all.count(); ++row)
        whole = wrappingSum(whole, all.duration(row));
    std::int64_t recorded = 0;
    std::uint32_t longest = found.front().row;
    for (const FalseDuration &each : found) {
        recorded = wrappingSum(recorded, all.duration(each.row));
        longest = all.duration(each.row) > all.duration(longest) ? each.row : longest;
    }
    constexpr std::size_t kLongestName = 80;
    const bool isOne = found.size() == 1;
    const bool hasCall = std::ranges::find(m_callCorrelation, m_workLinks.correlation[longest]) !=
                         m_callCorrelation.end();
    addProblem(counted(static_cast<std::int64_t>(found.size()), "duration") + " of device work " +
               (isOne ? "is" : "are") + " false: later work of the same stream began and ended " +
               "meanwhile. " + (isOne ? "It was" : "They were") + " recorded as " +
               formatNanoseconds(recorded) + ", " + formatTimeShare(recorded, whole) +
               " of all device time, and every figure here takes the next start as the end. " +
               (isOne ? "It is " : "The longest is ") + formatNanoseconds(all.duration(longest)) +
               " of " + excerpt(m_profile->text(all.name[longest]), kLongestName) +
               (hasCall ? "." : ", an event without a recorded call."));
    for (const FalseDuration &each : found)
        all.end[each.row] = each.end;
    return true;
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

void ProfileBuilder::placeThreadNames()
{
    for (ProfileThread &thread : m_profile->m_threads) {
        const auto named = m_threadNames.find(threadKey(thread.process, thread.thread));
        if (named != m_threadNames.end())
            thread.name = m_profile->text(named->second);
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
