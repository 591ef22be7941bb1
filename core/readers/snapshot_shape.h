// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/dict_scan.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/snapshot_records.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace vramscope::pickle {

/// Stores events until their device is known. An event gets a number and is written into a pending
/// log when its dict is filled; when a list receives the last pending ones, they move to the log of
/// that list as a whole. In the file a device's list comes before its place among the devices.
class EventStore
{
public:
    using ListId = std::uint32_t;

    /// Writes an event and returns its number.
    std::uint64_t add(const Event &event);
    /// A new, empty list at about `offset` in the file; nothing if there are more lists than any
    /// snapshot has.
    std::optional<ListId> addList(std::int64_t offset);
    /// Moves the events numbered `first` and up, the last ones added, to the end of `list`. Returns
    /// false and does nothing if not all of them are still pending.
    bool claim(ListId list, std::uint64_t first);
    /// `offset` of `bytes` of the file are read: reserves room for what the rest may add to a list.
    void expectRest(ListId list, std::int64_t offset, std::int64_t bytes);
    /// Appends one event to a list.
    void append(ListId list, const Event &event) { m_lists[list].append(event); }
    /// The event with a number, wherever it is now; nothing if it was taken with its list.
    [[nodiscard]] std::optional<Event> event(std::uint64_t number) const;
    /// The count of numbers so far, which is the next event's number.
    [[nodiscard]] std::uint64_t count() const { return m_pendingFirst + m_pending.count(); }
    /// Takes the events of a list out of the store.
    EventLog take(ListId list) { return std::move(m_lists[list]); }

private:
    /// Events of consecutive numbers in consecutive rows of one log.
    struct Run
    {
        std::uint64_t firstNumber = 0;
        std::uint64_t firstRow = 0;
        ListId list = 0;
    };
    void move(std::size_t firstRow, ListId list);

    EventLog m_pending;
    std::uint64_t m_pendingFirst = 0;          // number of the first pending event
    std::vector<EventLog> m_lists{EventLog()}; // the first holds events that no list claimed
    std::int64_t m_lastBegin = 0;              // where the last list begins
    std::vector<Run> m_runs;
};

/// What the memo says about the forms of a scan.
struct ScanMeaning
{
    /// Which field of a form is which part of an event; kNowhere if absent.
    struct PlainEvent
    {
        static constexpr std::size_t kNowhere = SIZE_MAX;
        static constexpr std::array kTexts{"compile_context"_word, "user_metadata"_word,
                                           "category"_word};

        std::size_t action = kNowhere;
        std::size_t address = kNowhere;
        std::size_t size = kNowhere;
        std::size_t stream = kNowhere;
        std::size_t time = kNowhere;
        std::size_t frames = kNowhere;
        std::array<std::size_t, kTexts.size()> texts{kNowhere, kNowhere, kNowhere};
        /// The text and frame fields with their value in the dict itself, in order.
        std::vector<std::size_t> own;
    };
    /// A form once its keys are known.
    struct Form
    {
        bool isKnown = false;
        std::optional<PlainEvent>
            plainEvent; ///< it has exactly the keys for SnapshotRecords::plainEvent()
        FieldPlaces places;
        std::array<Value, 2 * ScannedForm::kMostFields> pairs; ///< keys, and values of one dict
    };

    const DictScan *scan = nullptr;
    std::uint64_t age = 0; ///< of the scan
    std::vector<Form> forms;
};

/// The stacks of runs, as far as they were requested.
struct RunStacks
{
    static constexpr auto kNotKnown = static_cast<StackId>(UINT32_MAX);

    std::uint64_t numbering = 0;
    std::vector<StackId> stacks; ///< by number
};

/// The shape of a memory snapshot: a dict with the keys of a frame, event, block or segment becomes
/// that record as soon as it is filled, wherever it is; a list of frames becomes a stack and a list
/// of events the trace of a device. So an event, frame reference or stack needs no object beyond
/// eight bytes. What does not fit stays whole, and listing it later gives the same records.
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
    Ahead readAheadInDict(Heap &heap, const Value &dict, ByteWindow &input) override;
    void memoChanged() override
    {
        m_runs.clear();
        m_stacks.clear();
        m_isMemoSteady = false;
    }
    void problem(const char *kind, std::int64_t offset) override
    {
        m_builder.addProblem(kind, offset);
    }
    void justify(std::int64_t bytes) override
    {
        m_bytes = bytes;
        m_records.justify(bytes);
    }
    std::optional<Error> failure() const override { return m_failure; }

    /// Records of a list in the finished file. `list` is forgotten: nothing is used twice.
    [[nodiscard]] EventLog takeEvents(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<Annotation> takeAnnotations(const Value &list, std::int64_t offset);
    [[nodiscard]] std::vector<SegmentRecord> takeSegments(const Value &list, std::int64_t offset);

    [[nodiscard]] SnapshotRecords &records() { return m_records; }

private:
    /// Python fills a list in batches of this many items: a full one may go on, so it is not a
    /// stack yet.
    static constexpr std::size_t kFullBatch = 1000;
    static constexpr std::size_t kMostRunBytes = std::size_t(16) << 20; // some deep stacks

    /// The kind of records in a list, and the problems of a value that is not a list or a record.
    struct ListedRecord
    {
        ObjectKind kind;
        const char *noList;
        const char *noRecord;
    };
    template<class Stored, class Made>
    bool takeRecords(const Value &list, const ListedRecord &kind, std::int64_t offset,
                     Stored stored, Made made);
    void fillRecord(Heap &heap, const Value &dict, const Fields &fields,
                    std::span<const Value> pairs, std::int64_t offset);
    std::optional<Object> typed(const Fields &fields, std::int64_t offset);
    std::size_t stackAhead(const Heap &heap, std::span<const std::uint8_t> ahead, StackId &stack);
    std::optional<StackId> decode(const Heap &heap, std::span<const std::uint8_t> run);
    const DictScan::Dict *scannedDict(ByteWindow &input);
    void lookAt(const ByteWindow::Seen &seen);
    bool learnForm(const Heap &heap, std::uint32_t form);
    bool isUnderstood(const Heap &heap, const DictScan::Dict &dict);
    std::optional<StackId> stackOfRun(const Heap &heap, std::uint64_t bits);
    bool takeDict(Heap &heap, const Value &dict, const DictScan::Dict &scanned,
                  std::int64_t offset);
    bool takePlainEvent(Heap &heap, const Value &dict, const DictScan::Dict &scanned);
    std::optional<StackId> stackOf(const Heap &heap, ScannedField field, std::uint64_t bits);
    Value valueOf(Heap &heap, ScannedField field, std::uint64_t bits, const Value &before);
    void recordDicts(std::span<const Value> items, std::int64_t offset);
    bool fillStack(const Value &list, std::span<const Value> items);
    bool fillTrace(const Value &list, std::span<const Value> items, std::int64_t offset);
    std::optional<Event> takeEvent(const Value &item, std::int64_t offset);
    void appendEvents(EventStore::ListId list, std::span<const Value> items, std::int64_t offset);
    void takeBlocks(const Value &list, SegmentRecord &segment, std::int64_t offset);
    SegmentRecord segment(const Fields &fields, std::int64_t offset);

    TraceBuilder &m_builder;
    Heap &m_heap;
    SnapshotRecords m_records;
    EventStore m_events;
    RunTable m_runs{kMostRunBytes}; // runs of lists outside scanned dicts
    std::vector<StackId> m_stacks;  // by run
    std::uint64_t m_seen = 0;       // the number of the last bytes seen in the window
    const std::uint8_t *m_seenBegin = nullptr;
    ScanMeaning *m_ahead = nullptr;     // of the current scan, or null
    std::size_t m_nextDict = 0;         // of the scan
    std::deque<ScanMeaning> m_meanings; // of each scan that came
    std::vector<RunStacks> m_runStacks; // of the last numberings
    std::size_t m_numbering = 0;        // of m_ahead, in m_runStacks
    bool m_isMemoSteady = true;    // otherwise references may change their meaning: no scan is used
    std::vector<FrameId> m_frames; // of the stack at hand
    std::vector<BlockRecord> m_blocks;
    std::vector<SegmentRecord> m_segments;
    std::vector<Annotation> m_annotations;
    std::optional<Error> m_failure;
    std::int64_t m_bytes = 0; // of the file
};

} // namespace vramscope::pickle
