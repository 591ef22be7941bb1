// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_records.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vramscope::pickle {

namespace {

constexpr int kMostDevice = 65535;
constexpr double kMostTime = 9.0e18;

// Keys and values of one record. A dict with many more, named by many lists, would be searched as
// often; PyTorch writes about a dozen keys.
constexpr std::size_t kMostValues = 2000;

// The keys with a place of their own in a record, in addition to those of its context.
constexpr KeySet kFrameKeys = keys("name"_word, "filename"_word, "line"_word);
constexpr KeySet kEventKeys =
    keys("action"_word, "addr"_word, "device_free"_word, "size"_word, "stream"_word, "time_us"_word,
         "frames"_word, "pool_id"_word, "segment_pool_id"_word);
constexpr KeySet kBlockKeys = keys("address"_word, "size"_word, "requested_size"_word, "state"_word,
                                   "frames"_word, "history"_word);
constexpr KeySet kSegmentKeys =
    keys("device"_word, "address"_word, "total_size"_word, "allocated_size"_word,
         "active_size"_word, "requested_size"_word, "stream"_word, "segment_type"_word,
         "segment_pool_id"_word, "is_expandable"_word, "frames"_word, "blocks"_word);
constexpr KeySet kAnnotationKeys = keys("name"_word, "stage"_word, "device"_word, "time_us"_word);

constexpr int kFirstAction = static_cast<int>("alloc"_word);
static_assert(static_cast<int>("annotate"_word) - kFirstAction ==
              static_cast<int>(Action::Annotate));

} // namespace

FieldPlaces::FieldPlaces(std::span<const Value> allPairs)
{
    const std::span<const Value> pairs = allPairs.first(std::min(allPairs.size(), kMostValues));
    for (std::size_t place = 0; place + 1 < pairs.size(); place += 2) {
        const Word word = pairs[place].isText() ? wordOf(pairs[place].text()) : Word::Unknown;
        if (word > kLastKey || word == Word::Unknown) {
            hasUnknown = true;
            continue;
        }
        present |= keys(word);
        at[static_cast<std::size_t>(word)] = static_cast<std::uint16_t>(place + 1);
    }
}

Fields::Fields(std::span<const Value> allPairs)
    : m_pairs(allPairs.first(std::min(allPairs.size(), kMostValues)))
    , m_own(m_pairs)
    , m_places(m_own)
{
}

std::optional<std::int64_t> Fields::wholeNumber(const Value &value)
{
    if (value.kind != ValueKind::Float)
        return {};
    constexpr double kMost = 9.0e18;
    const auto number = std::bit_cast<double>(value.bits);
    if (!(number > -kMost && number < kMost) || number != std::trunc(number))
        return {};
    return static_cast<std::int64_t>(number);
}

std::vector<Value> Fields::others(KeySet known) const
{
    std::vector<Value> pairs;
    for (std::size_t at = 0; at + 1 < m_pairs.size(); at += 2) {
        const Value &key = m_pairs[at];
        const Word word = key.isText() ? wordOf(key.text()) : Word::Unknown;
        const bool isKey = word <= kLastKey && word != Word::Unknown;
        if (!isKey || (known & keys(word)) == 0)
            pairs.insert(pairs.end(), {key, m_pairs[at + 1]});
    }
    return pairs;
}

SnapshotRecords::SnapshotRecords(TraceBuilder &builder, Heap &heap)
    : m_builder(builder)
    , m_heap(heap)
    , m_bytesLeft(kMostSizeInAll)
{
}

FrameId SnapshotRecords::frame(const Fields &fields, std::int64_t offset)
{
    Frame frame;
    if (fields.has("name"_word))
        frame.name = text(fields["name"_word], offset);
    if (fields.has("filename"_word))
        frame.file = text(fields["filename"_word], offset);
    constexpr std::int64_t kNoLine = -1; // written by PyTorch for an unknown line
    constexpr std::int64_t kMostLine = std::numeric_limits<std::int32_t>::max();
    const auto line = fields.integer("line"_word);
    const bool lineFits = line && *line >= kNoLine && *line <= kMostLine;
    if (lineFits && *line != kNoLine)
        frame.line = static_cast<std::int32_t>(*line);
    if (!lineFits || !fields.has("name"_word) || !fields.has("filename"_word))
        problem("A frame without a name, a file or a line.", offset);
    frame.extras = extras(fields, kFrameKeys, offset);
    return m_builder.internFrame(frame);
}

Event SnapshotRecords::event(const Fields &fields, std::int64_t offset)
{
    m_layout.events |= fields.present();
    Event event;
    event.action = action(fields, offset);
    event.size = size(fields, "size"_word, offset);
    switch (event.action) {
    case Action::OutOfMemory:
        if (fields.has("device_free"_word))
            event.deviceFree = size(fields, "device_free"_word, offset);
        break;
    case Action::Snapshot:
    case Action::UserDefined:
        break;
    default:
        event.address = address(fields, "addr"_word, offset);
        break;
    }
    event.stream = stream(fields, offset);
    event.time = time(fields, offset);
    event.stack = stack(fields, "frames"_word, offset);
    if (fields.has("pool_id"_word))
        event.pool = pool(fields["pool_id"_word], offset);
    else if (fields.has("segment_pool_id"_word))
        event.pool = pool(fields["segment_pool_id"_word], offset);
    event.context = context(fields, kEventKeys, offset);
    return event;
}

std::optional<Event> SnapshotRecords::plainEvent(KeySet present, const Value &action,
                                                 std::int64_t address, std::int64_t size,
                                                 std::int64_t stream, std::int64_t time)
{
    const int word = action.isText() ? static_cast<int>(wordOf(action.text())) : 0;
    const bool hasAddress = word >= kFirstAction && word < static_cast<int>("snapshot"_word);
    if (!hasAddress || size < 0 || size > kMostSize || size > m_bytesLeft || time == kNoTime)
        return {};
    m_layout.events |= present;
    m_bytesLeft -= size;
    Event event;
    event.action = static_cast<Action>(word - kFirstAction);
    event.address = static_cast<std::uint64_t>(address);
    event.size = size;
    event.stream = this->stream(stream);
    event.time = time;
    return event;
}

std::optional<Event> SnapshotRecords::shared(const Event &event, std::int64_t offset)
{
    constexpr std::int64_t kLeastEvent = 16; // bytes of the shortest event in a file
    if (!share(kLeastEvent) || event.size > m_bytesLeft) {
        problem("An event named more often than the file can hold.", offset);
        return {};
    }
    m_bytesLeft -= event.size;
    return event;
}

Action SnapshotRecords::action(const Fields &fields, std::int64_t offset)
{
    const bool named = fields.has("action"_word) && fields["action"_word].isText();
    if (!named) {
        problem("An event without an action.", offset);
        return Action::Other;
    }
    const int word = static_cast<int>(wordOf(fields["action"_word].text()));
    if (word < kFirstAction || word > static_cast<int>("annotate"_word)) {
        problem("An event with an action that this version does not know.", offset);
        return Action::Other;
    }
    const auto action = static_cast<Action>(word - kFirstAction);
    m_layout.userDefined |= action == Action::UserDefined;
    return action;
}

Bytes SnapshotRecords::size(const Fields &fields, Word key, std::int64_t offset)
{
    const auto value = fields.integer(key);
    if (!value) {
        problem("A record without a size.", offset);
        return 0;
    }
    if (*value < 0 || *value > kMostSize || *value > m_bytesLeft) {
        problem("A size that no device can have.", offset);
        return 0;
    }
    m_bytesLeft -= *value;
    return *value;
}

std::uint64_t SnapshotRecords::address(const Fields &fields, Word key, std::int64_t offset)
{
    const auto value = fields.integer(key);
    if (!value)
        problem("A record without an address.", offset);
    return static_cast<std::uint64_t>(value.value_or(0));
}

StreamId SnapshotRecords::stream(const Fields &fields, std::int64_t offset)
{
    const auto value = fields.integer("stream"_word);
    if (!value)
        problem("A record without a stream.", offset);
    return stream(value.value_or(0));
}

StreamId SnapshotRecords::stream(std::int64_t value)
{
    if (m_streamValue != value) {
        m_streamValue = value;
        m_stream = m_builder.internStream(value);
    }
    return m_stream;
}

std::int64_t SnapshotRecords::time(const Fields &fields, std::int64_t offset)
{
    if (!fields.has("time_us"_word))
        return kNoTime;
    const Value &value = fields["time_us"_word];
    if (value.kind == ValueKind::Int && value.integer() != kNoTime)
        return value.integer();
    if (value.kind == ValueKind::Float) {
        const auto time = std::bit_cast<double>(value.bits);
        if (time > -kMostTime && time < kMostTime)
            return static_cast<std::int64_t>(time);
    }
    problem("A time that is no number.", offset);
    return kNoTime;
}

StackId SnapshotRecords::stack(const Fields &fields, Word key, std::int64_t offset)
{
    if (!fields.has(key))
        return StackId::None;
    const Value &value = fields[key];
    if (value.kind == ValueKind::None)
        return StackId::None;
    if (value.isObject()) {
        const Object object = m_heap.object(value);
        switch (object.kind()) {
        case ObjectKind::Stack:
            return static_cast<StackId>(object.index());
        case ObjectKind::EmptyList:
            return StackId::None;
        case ObjectKind::List:
        case ObjectKind::Tuple:
            return listedStack(value, offset);
        default:
            break;
        }
    }
    problem("A stack that is no list of frames.", offset);
    return StackId::None;
}

/// The stack of a list that was kept whole: very deep, built piece by piece, or with malformed
/// frames.
StackId SnapshotRecords::listedStack(const Value &list, std::int64_t offset)
{
    const Heap::Items &items = m_heap.items(m_heap.object(list));
    if (!share(static_cast<std::int64_t>(items.size()))) {
        problem("A stack shared by more records than the file can hold.", offset);
        return StackId::None;
    }
    std::vector<FrameId> frames;
    frames.reserve(items.size());
    for (const Value &item : items) {
        if (item.isText()) { // a line that is already text, as in cpp_frames
            frames.push_back(m_builder.internFrame(Frame{item.text()}));
            continue;
        }
        const Object object = m_heap.objectOf(item);
        if (object.kind() == ObjectKind::Frame)
            frames.push_back(static_cast<FrameId>(object.index()));
        else if (object.kind() == ObjectKind::Dict) {
            const FrameId id = frame(Fields(m_heap.items(object)), offset);
            m_heap.replace(item, {ObjectKind::Frame, id});
            frames.push_back(id);
        } else
            problem("A frame that is no record.", offset);
    }
    const StackId id = m_builder.internStack(frames);
    if (m_heap.object(list).kind() == ObjectKind::List)
        m_heap.replace(list, {ObjectKind::Stack, id});
    return id;
}

int SnapshotRecords::device(const Fields &fields, std::int64_t offset)
{
    const auto value = fields.integer("device"_word);
    if (value && *value >= 0 && *value <= kMostDevice)
        return static_cast<int>(*value);
    problem("A record without a device.", offset);
    return 0;
}

BlockRecord SnapshotRecords::block(const Fields &fields, std::int64_t offset)
{
    m_layout.blocks |= fields.present();
    BlockRecord record;
    FinalBlock &block = record.block;
    record.hasAddress = fields.has("address"_word);
    if (record.hasAddress)
        block.address = address(fields, "address"_word, offset);
    block.size = size(fields, "size"_word, offset);
    const Word state = fields.word("state"_word);
    if (state == "active_allocated"_word) {
        block.state = BlockState::Allocated;
    } else if (state != "inactive"_word) {
        block.state = BlockState::PendingFree;
        if (state != "active_pending_free"_word && state != "active_awaiting_free"_word)
            problem("A block with a state that this version does not know.", offset);
    }
    block.stack = stack(fields, "frames"_word, offset);
    block.context = context(fields, kBlockKeys, offset);
    block.requested = block.size;
    if (fields.has("history"_word))
        readHistory(fields, record, offset);
    if (block.state == BlockState::Inactive)
        block.requested = 0;
    else if (fields.has("requested_size"_word))
        block.requested = size(fields, "requested_size"_word, offset);
    return record;
}

void SnapshotRecords::readHistory(const Fields &fields, BlockRecord &record, std::int64_t offset)
{
    const Value &value = fields["history"_word];
    const Object object = value.isObject() ? m_heap.object(value) : Object();
    if (object.kind() == ObjectKind::EmptyList)
        return;
    if (object.kind() != ObjectKind::List) {
        problem("A block with a history that is no list.", offset);
        return;
    }
    Bytes sum = 0;
    bool first = true;
    const Heap::Items &items = m_heap.items(object);
    for (const Value &item : items) {
        const Object entry = m_heap.objectOf(item);
        HistoryRecord owner;
        if (entry.kind() == ObjectKind::History)
            owner = histories[entry.index()];
        else if (entry.kind() == ObjectKind::Dict)
            owner = history(Fields(m_heap.items(entry)), offset);
        else
            problem("An entry of a block's history that is no record.", offset);
        if (sum <= kMostSize)
            sum += owner.size;
        if (first && record.block.stack == StackId::None)
            record.block.stack = owner.stack;
        first = false;
    }
    if (sum > kMostSize || sum > m_bytesLeft) {
        problem("A size that no device can have.", offset);
    } else if (sum > 0) {
        m_bytesLeft -= sum;
        record.block.requested = sum;
    }
    m_heap.drop(value);
}

HistoryRecord SnapshotRecords::history(const Fields &fields, std::int64_t offset)
{
    const Bytes realSize = size(fields, "real_size"_word, offset);
    const StackId python = stack(fields, "frames"_word, offset);
    return {realSize, python != StackId::None ? python : stack(fields, "cpp_frames"_word, offset)};
}

Annotation SnapshotRecords::annotation(const Fields &fields, std::int64_t offset)
{
    Annotation annotation;
    if (fields.has("name"_word))
        annotation.name = text(fields["name"_word], offset);
    else
        problem("An annotation without a name.", offset);
    annotation.time = time(fields, offset);
    annotation.device = device(fields, offset);
    const Word stage = fields.word("stage"_word);
    annotation.start = stage != "END"_word;
    if (stage != "START"_word && stage != "END"_word)
        problem("An annotation that neither starts nor ends.", offset);
    annotation.extras = extras(fields, kAnnotationKeys, offset);
    return annotation;
}

SegmentRecord SnapshotRecords::segment(const Fields &fields, std::int64_t offset)
{
    m_layout.segments |= fields.present();
    SegmentRecord record;
    FinalSegment &segment = record.segment;
    record.device = device(fields, offset);
    segment.address = address(fields, "address"_word, offset);
    segment.size = size(fields, "total_size"_word, offset);
    segment.stream = stream(fields, offset);
    segment.stack = stack(fields, "frames"_word, offset);
    segment.context = context(fields, kSegmentKeys, offset);
    if (fields.has("segment_pool_id"_word))
        segment.pool = pool(fields["segment_pool_id"_word], offset);
    if (fields.has("segment_type"_word) && fields["segment_type"_word].isText())
        segment.large = wordOf(fields["segment_type"_word].text()) != "small"_word;
    if (fields.has("is_expandable"_word))
        segment.expandable = fields["is_expandable"_word].kind == ValueKind::Bool &&
                             fields["is_expandable"_word].bits != 0;
    return record;
}

} // namespace vramscope::pickle
