// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_shape.h"

// The lists of a snapshot, read once they are complete.

namespace vramscope::pickle {

SegmentRecord SnapshotShape::segment(const Fields &fields, std::int64_t offset)
{
    SegmentRecord record = m_records.segment(fields, offset);
    if (fields.has("blocks"_word))
        takeBlocks(fields["blocks"_word], record, offset);
    else
        m_records.problem("A segment without blocks.", offset);
    return record;
}

/// Takes the records of a list, which is forgotten with them: stored(index) for those that became
/// records at once, made(fields) for others. False if `list` is not a list.
template<class Stored, class Made>
bool SnapshotShape::takeRecords(const Value &list, const ListedRecord &kind, std::int64_t offset,
                                Stored stored, Made made)
{
    const Object object = m_heap.objectOf(list);
    if (object.kind() == ObjectKind::EmptyList)
        return true;
    if (!m_heap.hasItems(object)) {
        m_records.problem(kind.noList, offset);
        return false;
    }
    const Heap::Items items = std::move(m_heap.items(object));
    m_heap.drop(list);
    for (const Value &item : items) {
        const Object entry = m_heap.objectOf(item);
        if (entry.kind() == kind.kind) {
            stored(entry.index());
        } else if (entry.kind() == ObjectKind::Dict) {
            const Heap::Items pairs = m_heap.items(entry); // a segment may drop its own dict
            made(Fields(pairs));
        } else {
            m_records.problem(kind.noRecord, offset);
            continue;
        }
        m_heap.drop(item);
    }
    return true;
}

void SnapshotShape::takeBlocks(const Value &list, SegmentRecord &segment, std::int64_t offset)
{
    constexpr ListedRecord kBlock{ObjectKind::Block,
                                  "A segment without a list of blocks of its own.",
                                  "A block that is no record of its own."};
    std::uint64_t address = segment.segment.address;
    Bytes sum = 0;
    bool moved = false;
    const auto add = [&](const BlockRecord &record) {
        moved |= record.hasAddress && record.block.address != address;
        address += static_cast<std::uint64_t>(record.block.size);
        sum += record.block.size;
        segment.blocks.push_back(record.block);
    };
    if (const Object object = m_heap.objectOf(list); m_heap.hasItems(object))
        segment.blocks.reserve(m_heap.items(object).size());
    const bool isList = takeRecords(
        list, kBlock, offset, [&](std::uint64_t index) { add(m_blocks[index]); },
        [&](const Fields &fields) { add(m_records.block(fields, offset)); });
    if (moved)
        m_records.problem("A segment whose blocks do not follow each other.", offset);
    if (isList && sum != segment.segment.size)
        m_records.problem("A segment whose blocks do not add up to its size.", offset);
}

EventLog SnapshotShape::takeEvents(const Value &list, std::int64_t offset)
{
    const Object object = m_heap.objectOf(list);
    if (object.kind() == ObjectKind::EmptyList)
        return {};
    EventLog log;
    if (object.kind() == ObjectKind::EventList) {
        log = m_events.take(static_cast<EventStore::ListId>(object.index()));
        m_heap.drop(list);
    } else if (m_heap.hasItems(object)) {
        const Heap::Items items = std::move(m_heap.items(object));
        m_heap.drop(list);
        for (const Value &item : items) {
            if (const auto event = takeEvent(item, offset))
                log.append(*event);
        }
    } else {
        m_records.problem("A device without a trace of its own.", offset);
    }
    return log;
}

std::optional<Event> SnapshotShape::takeEvent(const Value &item, std::int64_t offset)
{
    const Object entry = m_heap.objectOf(item);
    if (entry.kind() == ObjectKind::Event) {
        if (const auto event = m_events.event(entry.index()))
            return m_records.shared(*event, offset);
        m_records.problem("An event of another device's trace.", offset);
        return {};
    }
    if (entry.kind() == ObjectKind::Dict) {
        const Event event = m_records.event(Fields(m_heap.items(entry)), offset);
        m_heap.replace(item, {ObjectKind::Event, m_events.add(event)});
        return m_records.shared(event, offset);
    }
    m_records.problem("An entry of a trace that is no event.", offset);
    return {};
}

std::vector<Annotation> SnapshotShape::takeAnnotations(const Value &list, std::int64_t offset)
{
    constexpr ListedRecord kAnnotation{ObjectKind::Annotation, "Annotations that are no list.",
                                       "An annotation that is no record of its own."};
    std::vector<Annotation> all;
    takeRecords(
        list, kAnnotation, offset,
        [&](std::uint64_t index) { all.push_back(m_annotations[index]); },
        [&](const Fields &fields) { all.push_back(m_records.annotation(fields, offset)); });
    return all;
}

std::vector<SegmentRecord> SnapshotShape::takeSegments(const Value &list, std::int64_t offset)
{
    constexpr ListedRecord kSegment{ObjectKind::Segment, "Segments that are no list.",
                                    "A segment that is no record of its own."};
    std::vector<SegmentRecord> all;
    takeRecords(
        list, kSegment, offset,
        [&](std::uint64_t index) { all.push_back(std::move(m_segments[index])); },
        [&](const Fields &fields) { all.push_back(segment(fields, offset)); });
    return all;
}

} // namespace vramscope::pickle
