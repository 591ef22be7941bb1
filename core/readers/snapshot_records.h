// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/pickle_heap.h"
#include "core/readers/snapshot_layout.h"
#include "core/trace/trace_builder.h"

#include <array>
#include <optional>
#include <span>

namespace vramscope::pickle {

/// The positions of known keys' values among the pairs of a dict; the last of equal keys counts.
struct FieldPlaces
{
    FieldPlaces() = default;
    explicit FieldPlaces(std::span<const Value> pairs);

    KeySet present = 0;
    bool hasUnknown = false;                                              ///< there are other keys
    std::array<std::uint16_t, static_cast<std::size_t>(kLastKey) + 1> at; ///< set where present
};

/// The known keys of one dict and their values. A view: valid as long as the pairs.
class Fields
{
public:
    explicit Fields(std::span<const Value> pairs);
    /// Views `pairs`, whose keys have these `places`; both must outlive it.
    Fields(std::span<const Value> pairs, const FieldPlaces &places)
        : m_pairs(pairs)
        , m_places(places)
    {
    }
    Fields(const Fields &) = delete;
    Fields &operator=(const Fields &) = delete;

    [[nodiscard]] KeySet present() const { return m_places.present; }
    /// True if there are keys other than `known`.
    [[nodiscard]] bool hasOthers(KeySet known) const
    {
        return m_places.hasUnknown || (m_places.present & ~known) != 0;
    }
    /// The keys other than `known` and their values, alternating.
    [[nodiscard]] std::vector<Value> others(KeySet known) const;
    [[nodiscard]] bool has(Word key) const { return (m_places.present & keys(key)) != 0; }
    [[nodiscard]] bool hasAll(KeySet wanted) const { return (m_places.present & wanted) == wanted; }
    /// Only for a key that is present.
    [[nodiscard]] const Value &operator[](Word key) const
    {
        return m_pairs[m_places.at[static_cast<std::size_t>(key)]];
    }
    /// The word that a key has as its value, if any.
    [[nodiscard]] Word word(Word key) const
    {
        return has(key) && (*this)[key].isText() ? wordOf((*this)[key].text()) : Word::Unknown;
    }
    /// The value of a key as a whole number, written as 1 or as 1.0.
    [[nodiscard]] std::optional<std::int64_t> integer(Word key) const
    {
        if (!has(key))
            return {};
        const Value &value = (*this)[key];
        return value.kind == ValueKind::Int ? value.integer() : wholeNumber(value);
    }

private:
    [[nodiscard]] static std::optional<std::int64_t> wholeNumber(const Value &value);

    std::span<const Value> m_pairs;
    FieldPlaces m_own;
    const FieldPlaces &m_places;
};

/// A block of the final state, with fields that depend on its place in the segment.
struct BlockRecord
{
    FinalBlock block;
    bool hasAddress = false;
};

struct SegmentRecord
{
    int device = 0;
    FinalSegment segment;
    std::vector<FinalBlock> blocks;
};

/// An earlier owner of a block (PyTorch 2.0).
struct HistoryRecord
{
    Bytes size = 0;
    StackId stack = StackId::None;
};

/// Turns the fields of a snapshot's dicts into records. A missing, mistyped or absurd value is
/// counted as a problem of the trace and replaced by nothing: 0, no stack, no time.
class SnapshotRecords
{
public:
    SnapshotRecords(TraceBuilder &builder, Heap &heap);

    /// `bytes` of the file are known to exist: they limit how much of the records' shared values
    /// may be written out.
    void justify(std::int64_t bytes) { m_shareable = bytes + kMiB; }

    [[nodiscard]] FrameId frame(const Fields &fields, std::int64_t offset);
    [[nodiscard]] Event event(const Fields &fields, std::int64_t offset);
    /// What event() gives for an event with just these keys, each of the right type, but without
    /// stack and context; otherwise nothing, and no problem is counted.
    [[nodiscard]] std::optional<Event> plainEvent(KeySet present, const Value &action,
                                                  std::int64_t address, std::int64_t size,
                                                  std::int64_t stream, std::int64_t time);
    /// The context of a compile context, the user's metadata and a category; empty texts count as
    /// missing.
    [[nodiscard]] ContextId context(const std::array<StringId, 3> &texts);
    /// An event that a list names: it may be in several lists, as often as a file of this size can
    /// hold events. Nothing beyond that.
    [[nodiscard]] std::optional<Event> shared(const Event &event, std::int64_t offset);
    [[nodiscard]] BlockRecord block(const Fields &fields, std::int64_t offset);
    [[nodiscard]] HistoryRecord history(const Fields &fields, std::int64_t offset);
    [[nodiscard]] Annotation annotation(const Fields &fields, std::int64_t offset);
    /// All of a segment but its blocks.
    [[nodiscard]] SegmentRecord segment(const Fields &fields, std::int64_t offset);

    void problem(const char *kind, std::int64_t offset) { m_builder.addProblem(kind, offset); }
    [[nodiscard]] const SnapshotLayout &layout() const { return m_layout; }
    [[nodiscard]] SnapshotLayout &layout() { return m_layout; }
    /// History records by index of an object of kind History.
    std::vector<HistoryRecord> histories;

private:
    [[nodiscard]] Bytes size(const Fields &fields, Word key, std::int64_t offset);
    [[nodiscard]] std::uint64_t address(const Fields &fields, Word key, std::int64_t offset);
    [[nodiscard]] StreamId stream(const Fields &fields, std::int64_t offset);
    [[nodiscard]] StreamId stream(std::int64_t value);
    [[nodiscard]] ContextId context(const EventContext &context);
    [[nodiscard]] std::int64_t time(const Fields &fields, std::int64_t offset);
    [[nodiscard]] Action action(const Fields &fields, std::int64_t offset);
    [[nodiscard]] StackId stack(const Fields &fields, Word key, std::int64_t offset);
    [[nodiscard]] StackId listedStack(const Value &list, std::int64_t offset);
    [[nodiscard]] PoolId pool(const Value &value, std::int64_t offset);
    [[nodiscard]] ContextId context(const Fields &fields, KeySet known, std::int64_t offset);
    [[nodiscard]] StringId extras(const Fields &fields, KeySet known, std::int64_t offset);
    [[nodiscard]] StringId text(const Value &value, std::int64_t offset);
    [[nodiscard]] StringId anyText(const Value &value, std::int64_t offset);
    [[nodiscard]] int device(const Fields &fields, std::int64_t offset);
    void readHistory(const Fields &fields, BlockRecord &record, std::int64_t offset);

    TraceBuilder &m_builder;
    Heap &m_heap;
    SnapshotLayout m_layout;
    bool share(std::int64_t bytes);

    std::int64_t m_shared = 0;
    std::int64_t m_shareable = kMiB;
    Bytes m_bytesLeft;
    // The values of the previous record: nearly always the same again.
    std::optional<std::int64_t> m_streamValue;
    StreamId m_stream{};
    std::array<StringId, 3> m_texts{};
    std::optional<ContextId> m_textsContext; // of these texts
    EventContext m_contextValue;
    ContextId m_context = ContextId::None;
};

} // namespace vramscope::pickle
