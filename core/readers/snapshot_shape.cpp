// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_shape.h"

#include "core/base/expected_rows.h"

#include <algorithm>

namespace vramscope::pickle {

std::uint64_t EventStore::add(const Event &event)
{
    m_pending.append(event);
    return count() - 1;
}

std::optional<EventStore::ListId> EventStore::addList(std::int64_t offset)
{
    constexpr std::size_t kMostLists = 65536; // a list is a device
    if (m_lists.size() == kMostLists)
        return {};
    m_lists.emplace_back();
    m_lastBegin = offset;
    return static_cast<ListId>(m_lists.size() - 1);
}

void EventStore::expectRest(ListId list, std::int64_t offset, std::int64_t bytes)
{
    if (list + 1 == m_lists.size())
        m_lists[list].expect(
            expectedInAll(m_lists[list].count(), offset - m_lastBegin, bytes - m_lastBegin));
}

bool EventStore::claim(ListId list, std::uint64_t first)
{
    if (first < m_pendingFirst)
        return false;
    const std::uint64_t next = count();
    move(static_cast<std::size_t>(first - m_pendingFirst), list);
    if (m_pending.count() > 0)
        move(0, 0);
    m_pendingFirst = next;
    return true;
}

void EventStore::move(std::size_t firstRow, ListId list)
{
    const Run run{m_pendingFirst + firstRow, m_lists[list].count(), list};
    // Only the very next number can: those between would belong to another run.
    const bool continues =
        firstRow == 0 && !m_runs.empty() && m_runs.back().list == list &&
        run.firstNumber - m_runs.back().firstNumber == run.firstRow - m_runs.back().firstRow;
    if (!continues) {
        const auto place = std::ranges::upper_bound(m_runs, run.firstNumber, {}, &Run::firstNumber);
        m_runs.insert(place, run);
    }
    m_pending.moveTail(firstRow, m_lists[list]);
}

std::optional<Event> EventStore::event(std::uint64_t number) const
{
    if (number >= m_pendingFirst)
        return m_pending.event(static_cast<std::size_t>(number - m_pendingFirst));
    const auto run = std::ranges::upper_bound(m_runs, number, {}, &Run::firstNumber) - 1;
    const auto row = static_cast<std::size_t>(run->firstRow + (number - run->firstNumber));
    if (row >= m_lists[run->list].count())
        return {}; // taken with its list
    return m_lists[run->list].event(row);
}

namespace {

// The keys that make a dict a record at once; with fewer it is kept whole and its place decides.
constexpr KeySet kFrameSigns = keys("name"_word, "filename"_word, "line"_word);
constexpr KeySet kEventSigns = keys("action"_word, "size"_word, "stream"_word);
constexpr KeySet kBlockSigns = keys("state"_word, "size"_word);
constexpr KeySet kSegmentSigns = keys("total_size"_word, "blocks"_word, "address"_word);
constexpr KeySet kHistoryKeys = keys("real_size"_word);
constexpr KeySet kAnnotationSigns = keys("stage"_word, "name"_word);

/// Keys and values of a possible record; PyTorch writes about a dozen keys.
constexpr std::size_t kLargestRecord = 128;

} // namespace

SnapshotShape::SnapshotShape(TraceBuilder &builder, Heap &heap)
    : m_builder(builder)
    , m_heap(heap)
    , m_records(builder, heap)
{
    for (const std::string_view word : kWords)
        builder.internText(word);
}

void SnapshotShape::fillDict(Heap &heap, const Value &dict, std::span<const Value> pairs,
                             std::int64_t offset)
{
    fillRecord(heap, dict, Fields(pairs), pairs, offset);
}

void SnapshotShape::fillRecord(Heap &heap, const Value &dict, const Fields &fields,
                               std::span<const Value> pairs, std::int64_t offset)
{
    const ObjectKind kind = heap.object(dict).kind();
    if (kind == ObjectKind::EmptyDict) {
        const auto record = typed(fields, offset);
        if (record) {
            heap.object(dict) = *record;
            return;
        }
    } else if (kind != ObjectKind::Dict && kind != ObjectKind::Dropped) {
        m_records.problem("A record that continues after its end; the rest is ignored.", offset);
    }
    Shape::fillDict(heap, dict, pairs, offset);
}

std::optional<Object> SnapshotShape::typed(const Fields &fields, std::int64_t offset)
{
    if (fields.hasAll(kEventSigns))
        return Object(ObjectKind::Event, m_events.add(m_records.event(fields, offset)));
    if (fields.hasAll(kFrameSigns))
        return Object(ObjectKind::Frame, m_records.frame(fields, offset));
    if (fields.hasAll(kBlockSigns)) {
        m_blocks.push_back(m_records.block(fields, offset));
        return Object(ObjectKind::Block, m_blocks.size() - 1);
    }
    if (fields.hasAll(kSegmentSigns)) {
        m_segments.push_back(segment(fields, offset));
        return Object(ObjectKind::Segment, m_segments.size() - 1);
    }
    if (fields.hasAll(kHistoryKeys)) {
        m_records.histories.push_back(m_records.history(fields, offset));
        return Object(ObjectKind::History, m_records.histories.size() - 1);
    }
    if (fields.hasAll(kAnnotationSigns)) {
        m_annotations.push_back(m_records.annotation(fields, offset));
        return Object(ObjectKind::Annotation, m_annotations.size() - 1);
    }
    return {};
}

void SnapshotShape::fillList(Heap &heap, const Value &list, std::span<const Value> items,
                             std::int64_t offset)
{
    recordDicts(items, offset);
    if (fillStack(list, items) || fillTrace(list, items, offset))
        return;
    Object &object = heap.object(list);
    if (object.kind() == ObjectKind::Stack) {
        // Written piece by piece: kept whole until it is used.
        std::vector<Value> frames;
        for (const FrameId frame : m_builder.stack(static_cast<StackId>(object.index())))
            frames.push_back(heap.add(Object(ObjectKind::Frame, frame)));
        heap.object(list) = heap.keep(ObjectKind::List, frames);
    }
    Shape::fillList(heap, list, items, offset);
}

/// Protocol 0 fills a dict key by key: it is complete when a list receives it.
void SnapshotShape::recordDicts(std::span<const Value> items, std::int64_t offset)
{
    for (const Value &item : items) {
        const Object object = m_heap.objectOf(item);
        if (object.kind() != ObjectKind::Dict || m_heap.items(object).size() > kLargestRecord)
            continue;
        // A copy: a segment may drop the dict that contains it.
        const Heap::Items pairs = m_heap.items(object);
        if (const auto record = typed(Fields(pairs), offset))
            m_heap.replace(item, *record);
    }
}

bool SnapshotShape::fillStack(const Value &list, std::span<const Value> items)
{
    if (m_heap.object(list).kind() != ObjectKind::EmptyList || items.size() == kFullBatch)
        return false;
    m_frames.clear();
    for (const Value &item : items) {
        const Object object = m_heap.objectOf(item);
        if (object.kind() != ObjectKind::Frame)
            return false;
        m_frames.push_back(static_cast<FrameId>(object.index()));
    }
    m_heap.object(list) = Object(ObjectKind::Stack, m_builder.internStack(m_frames));
    return true;
}

bool SnapshotShape::fillTrace(const Value &list, std::span<const Value> items, std::int64_t offset)
{
    const Object object = m_heap.object(list);
    if (object.kind() == ObjectKind::EventList) {
        appendEvents(static_cast<EventStore::ListId>(object.index()), items, offset);
        return true;
    }
    const bool hasEvent = std::ranges::any_of(items, [&](const Value &item) {
        return m_heap.objectOf(item).kind() == ObjectKind::Event;
    });
    if (object.kind() != ObjectKind::EmptyList || !hasEvent)
        return false;
    const auto id = m_events.addList(offset);
    if (!id) {
        m_failure =
            Error{ErrorCode::Unsupported,
                  "The file holds traces of more devices than VRAMscope can number.", offset};
        return true;
    }
    m_heap.object(list) = Object(ObjectKind::EventList, *id);
    appendEvents(*id, items, offset);
    return true;
}

void SnapshotShape::appendEvents(EventStore::ListId list, std::span<const Value> items,
                                 std::int64_t offset)
{
    m_events.expectRest(list, offset, m_bytes);
    // The usual case: exactly the events that were just read, in order.
    const Object first = m_heap.objectOf(items[0]);
    bool inOrder =
        first.kind() == ObjectKind::Event && first.index() + items.size() == m_events.count();
    for (std::size_t at = 1; inOrder && at < items.size(); ++at) {
        const Object object = m_heap.objectOf(items[at]);
        inOrder = object.kind() == ObjectKind::Event && object.index() == first.index() + at;
    }
    if (inOrder && m_events.claim(list, first.index()))
        return;
    for (const Value &item : items) {
        if (const auto event = takeEvent(item, offset))
            m_events.append(list, *event);
    }
}

Object SnapshotShape::makeTuple(Heap &heap, std::span<const Value> items)
{
    if (items.size() == 2 && fitsPair(items[0]) && fitsPair(items[1]))
        return makePair(items[0], items[1]);
    return Shape::makeTuple(heap, items);
}

} // namespace vramscope::pickle
