// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/event_store.h"
#include "core/readers/frame_runs.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/snapshot_records.h"

namespace vramscope::pickle {

/// A dict that is read ahead of the machine, and the keys that the ones before it had.
struct AheadDict
{
    static constexpr std::size_t kMostPairs = 16; ///< a dozen in the newest PyTorch
    static constexpr std::size_t kNoList = 2 * kMostPairs;

    /// A reference to a text as it stands in the file; size 0: none known.
    struct Key
    {
        std::uint8_t size = 0;
        std::array<std::uint8_t, 5> bytes{};
        StringId text = StringId::Empty;
    };
    std::array<Key, kMostPairs> keys;
    std::array<Value, 2 * kMostPairs> values; ///< keys and values in turn
    std::size_t count = 0;                    ///< of values
    std::size_t list = kNoList;               ///< which value is a list
    Object stack;                             ///< what the list is
    bool dictRemembered = false;              ///< takes the next memo slot
    bool listRemembered = false;
};

/// The shape of a memory snapshot: a dict with the keys of a frame, event, block or segment becomes
/// that record as soon as it is filled, wherever it stands; a list of frames becomes a stack and a
/// list of events the trace of a device. So no object exists per event, frame reference or stack
/// beyond eight bytes. What does not fit stays whole, and listing it later gives the same records.
class SnapshotShape final : public Shape
{
public:
    SnapshotShape(TraceBuilder &builder, Heap &heap);

    StringId intern(std::string_view text) override { return m_builder.internText(text); }
    std::string_view text(StringId id) const override { return m_builder.text(id); }
    void fillDict(Heap &heap, const Value &dict, std::span<const Value> pairs,
                  std::int64_t offset) override;
    void fillList(Heap &heap, const Value &list, std::span<const Value> items,
                  std::int64_t offset) override;
    Object makeTuple(Heap &heap, std::span<const Value> items) override;
    std::size_t readAheadInList(Heap &heap, const Value &list, const ByteWindow &input) override;
    std::size_t readAheadInDict(Heap &heap, const Value &dict, const ByteWindow &input) override;
    void memoChanged() override
    {
        m_runs.clear();
        m_ahead.keys.fill({});
    }
    void problem(const char *kind, std::int64_t offset) override
    {
        m_builder.addProblem(kind, offset);
    }
    void justify(std::int64_t bytes) override { m_records.justify(bytes); }
    std::optional<Error> failure() const override { return m_failure; }

    /// Records of a list in the finished file. `list` is forgotten: nothing is used twice.
    [[nodiscard]] EventLog takeEvents(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<Annotation> takeAnnotations(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<SegmentRecord> takeSegments(const Value &list, std::int64_t offset);

    [[nodiscard]] SnapshotRecords &records() { return m_records; }

private:
    friend class DictAhead;

    /// Python fills a list in batches of this many items: a full one may go on, so it is no stack
    /// yet.
    static constexpr std::size_t kFullBatch = 1000;

    std::optional<Object> typed(const Fields &fields, std::int64_t offset);
    std::optional<FrameRuns::Run> stackAhead(const Heap &heap, std::span<const std::uint8_t> ahead);
    std::optional<FrameRuns::Run> decode(const Heap &heap, std::span<const std::uint8_t> run);
    void recordDicts(std::span<const Value> items, std::int64_t offset);
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
    AheadDict m_ahead;
    std::vector<FrameId> m_frames; // of the stack at hand
    std::vector<BlockRecord> m_blocks;
    std::vector<SegmentRecord> m_segments;
    std::vector<Annotation> m_annotations;
    std::optional<Error> m_failure;
};

} // namespace vramscope::pickle
