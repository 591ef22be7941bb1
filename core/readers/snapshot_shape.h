// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/event_store.h"
#include "core/readers/frame_runs.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/snapshot_records.h"

namespace vramscope::pickle {

/// The shape of a memory snapshot: a dict with the keys of a frame, event, block or segment becomes
/// that record as soon as it is filled, wherever it stands; a list of frames becomes a stack and a
/// list of events the trace of a device. So no object exists per event, frame reference or stack
/// beyond eight bytes. What does not fit stays whole, and listing it later gives the same records.
class SnapshotShape final : public Shape
{
public:
    SnapshotShape(TraceBuilder &builder, Heap &heap, std::int64_t fileSize);

    StringId intern(std::string_view text) override { return m_builder.internText(text); }
    std::string_view text(StringId id) const override { return m_builder.text(id); }
    void fillDict(Heap &heap, const Value &dict, std::span<const Value> pairs,
                  std::int64_t offset) override;
    void fillList(Heap &heap, const Value &list, std::span<const Value> items,
                  std::int64_t offset) override;
    Object makeTuple(Heap &heap, std::span<const Value> items) override;
    std::size_t readAheadInList(Heap &heap, const Value &list, const ByteWindow &input) override;
    void memoChanged() override { m_runs.clear(); }
    std::optional<Error> failure() const override { return m_failure; }

    /// Records of a list in the finished file. `list` is forgotten: nothing is used twice.
    [[nodiscard]] EventLog takeEvents(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<Annotation> takeAnnotations(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<SegmentRecord> takeSegments(const Value &list, std::int64_t offset);

    [[nodiscard]] SnapshotRecords &records() { return m_records; }

private:
    std::optional<Object> typed(const Fields &fields, std::int64_t offset);
    std::optional<FrameRuns::Run> decode(const Heap &heap, std::span<const std::uint8_t> run);
    bool fillStack(const Value &list, std::span<const Value> items);
    bool fillTrace(const Value &list, std::span<const Value> items, std::int64_t offset);
    std::optional<Event> takeEvent(const Value &item, std::int64_t offset);
    void appendEvents(EventStore::ListId list, std::span<const Value> items, std::int64_t offset);
    void takeBlocks(const Value &list, SegmentRecord &segment, std::int64_t offset);
    SegmentRecord segment(const Fields &fields, std::int64_t offset);
    [[nodiscard]] Object objectOf(const Value &value) const;

    TraceBuilder &m_builder;
    Heap &m_heap;
    SnapshotRecords m_records;
    EventStore m_events;
    FrameRuns m_runs;
    std::vector<FrameId> m_frames; // of the stack at hand
    std::vector<BlockRecord> m_blocks;
    std::vector<SegmentRecord> m_segments;
    std::vector<Annotation> m_annotations;
    std::optional<Error> m_failure;
};

} // namespace vramscope::pickle
