// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_shape.h"

// The lists of a snapshot, read once they are complete.

namespace vramscope::pickle {

SegmentRecord SnapshotShape::segment(const Fields &fields, std::int64_t offset)
{
    SegmentRecord record = m_records.segment(fields, offset);
    if (fields.has(Word::Blocks))
        takeBlocks(fields[Word::Blocks], record, offset);
    else
        m_records.problem("A segment without blocks.", offset);
    return record;
}

void SnapshotShape::takeBlocks(const Value &list, SegmentRecord &segment, std::int64_t offset)
{
    const Object object = objectOf(list);
    if (object.kind() != ObjectKind::EmptyList && !m_heap.hasItems(object)) {
        m_records.problem("A segment without a list of blocks of its own.", offset);
        return;
    }
    std::uint64_t address = segment.segment.address;
    Bytes sum = 0;
    bool moved = false;
    if (m_heap.hasItems(object)) {
        const Heap::Items items = std::move(m_heap.items(object));
        m_heap.drop(list);
        segment.blocks.reserve(items.size());
        for (const Value &item : items) {
            const Object entry = objectOf(item);
            BlockRecord record;
            if (entry.kind() == ObjectKind::Block)
                record = m_blocks[entry.index()];
            else if (entry.kind() == ObjectKind::Dict)
                record = m_records.block(Fields(m_heap.items(entry)), offset);
            else {
                m_records.problem("A block that is no record of its own.", offset);
                continue;
            }
            m_heap.drop(item);
            moved |= record.hasAddress && record.block.address != address;
            address += static_cast<std::uint64_t>(record.block.size);
            sum += record.block.size;
            segment.blocks.push_back(record.block);
        }
    }
    if (moved)
        m_records.problem("A segment whose blocks do not follow each other.", offset);
    if (sum != segment.segment.size)
        m_records.problem("A segment whose blocks do not add up to its size.", offset);
}

EventLog SnapshotShape::takeEvents(const Value &list, std::int64_t offset)
{
    const Object object = objectOf(list);
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
    const Object entry = objectOf(item);
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
    const Object object = objectOf(list);
    std::vector<Annotation> annotations;
    if (object.kind() == ObjectKind::EmptyList)
        return annotations;
    if (!m_heap.hasItems(object)) {
        m_records.problem("Annotations that are no list.", offset);
        return annotations;
    }
    const Heap::Items items = std::move(m_heap.items(object));
    m_heap.drop(list);
    for (const Value &item : items) {
        const Object entry = objectOf(item);
        if (entry.kind() == ObjectKind::Annotation)
            annotations.push_back(m_annotations[entry.index()]);
        else if (entry.kind() == ObjectKind::Dict)
            annotations.push_back(m_records.annotation(Fields(m_heap.items(entry)), offset));
        else {
            m_records.problem("An annotation that is no record of its own.", offset);
            continue;
        }
        m_heap.drop(item);
    }
    return annotations;
}

std::vector<SegmentRecord> SnapshotShape::takeSegments(const Value &list, std::int64_t offset)
{
    const Object object = objectOf(list);
    std::vector<SegmentRecord> segments;
    if (object.kind() == ObjectKind::EmptyList)
        return segments;
    if (!m_heap.hasItems(object)) {
        m_records.problem("Segments that are no list.", offset);
        return segments;
    }
    const Heap::Items items = std::move(m_heap.items(object));
    m_heap.drop(list);
    for (const Value &item : items) {
        const Object entry = objectOf(item);
        if (entry.kind() == ObjectKind::Segment) {
            segments.push_back(std::move(m_segments[entry.index()]));
        } else if (entry.kind() == ObjectKind::Dict) {
            // A copy: what the segment drops may be what it stands in.
            const Heap::Items pairs = m_heap.items(entry);
            segments.push_back(segment(Fields(pairs), offset));
        } else {
            m_records.problem("A segment that is no record of its own.", offset);
            continue;
        }
        m_heap.drop(item);
    }
    return segments;
}

} // namespace vramscope::pickle
