// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_records.h"

#include "core/readers/pickle_json.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace vramscope::pickle {

namespace {

constexpr Bytes kMostSize = Bytes(1) << 48;      // 256 TiB: more than any device can address
constexpr Bytes kMostSizeInAll = Bytes(1) << 60; // so that no sum over a trace overflows
constexpr int kMostDevice = 65535;
constexpr double kMostTime = 9.0e18;

// Keys and values of one record. A dict with many more, named by many lists, would be searched as
// often; PyTorch writes about a dozen keys.
constexpr std::size_t kMostValues = 2000;

constexpr int kFirstAction = static_cast<int>(Word::Alloc);
static_assert(static_cast<int>(Word::UserDefined) - kFirstAction ==
              static_cast<int>(Action::UserDefined));

} // namespace

Fields::Fields(std::span<const Value> allPairs)
    : m_pairs(allPairs.first(std::min(allPairs.size(), kMostValues)))
{
    const std::span<const Value> pairs = m_pairs;
    for (std::size_t at = 0; at + 1 < pairs.size(); at += 2) {
        if (!pairs[at].isText())
            continue;
        const Word word = wordOf(pairs[at].text());
        if (word > kLastKey || word == Word::Unknown)
            continue;
        m_present |= keys(word);
        m_places[static_cast<std::size_t>(word)] = at + 1;
    }
}

std::optional<std::int64_t> Fields::integer(Word key) const
{
    if (!has(key) || (*this)[key].kind != ValueKind::Int)
        return {};
    return (*this)[key].integer();
}

SnapshotRecords::SnapshotRecords(TraceBuilder &builder, Heap &heap, std::int64_t fileSize)
    : m_builder(builder)
    , m_heap(heap)
    , m_sharedLeft(fileSize + kMiB)
    , m_bytesLeft(kMostSizeInAll)
{
}

FrameId SnapshotRecords::frame(const Fields &fields, std::int64_t offset)
{
    Frame frame;
    if (fields.has(Word::Name))
        frame.name = text(fields[Word::Name], offset);
    if (fields.has(Word::Filename))
        frame.file = text(fields[Word::Filename], offset);
    constexpr std::int64_t kNoLine = -1; // what PyTorch writes where it does not know one
    constexpr std::int64_t kMostLine = std::numeric_limits<std::int32_t>::max();
    const auto line = fields.integer(Word::Line);
    const bool lineFits = line && *line >= kNoLine && *line <= kMostLine;
    if (lineFits && *line != kNoLine)
        frame.line = static_cast<std::int32_t>(*line);
    if (!lineFits || !fields.has(Word::Name) || !fields.has(Word::Filename))
        problem("A frame without a name, a file or a line.", offset);
    return m_builder.internFrame(frame);
}

Event SnapshotRecords::event(const Fields &fields, std::int64_t offset)
{
    m_layout.events |= fields.present();
    Event event;
    event.action = action(fields, offset);
    event.size = size(fields, Word::Size, offset);
    switch (event.action) {
    case Action::OutOfMemory:
        if (fields.has(Word::DeviceFree))
            event.deviceFree = size(fields, Word::DeviceFree, offset);
        break;
    case Action::Snapshot:
    case Action::UserDefined:
        break;
    default:
        event.address = address(fields, Word::Addr, offset);
        break;
    }
    event.stream = stream(fields, offset);
    event.time = time(fields, offset);
    event.stack = stack(fields, offset);
    if (fields.has(Word::PoolId))
        event.pool = pool(fields[Word::PoolId], offset);
    else if (fields.has(Word::SegmentPoolId))
        event.pool = pool(fields[Word::SegmentPoolId], offset);
    if (fields.has(Word::CompileContext) || fields.has(Word::UserMetadata))
        event.context = context(fields, offset);
    return event;
}

std::optional<Event> SnapshotRecords::shared(const Event &event, std::int64_t offset)
{
    constexpr std::int64_t kLeastEvent = 16; // bytes of the shortest event in a file
    m_sharedLeft -= kLeastEvent;
    if (m_sharedLeft < 0 || event.size > m_bytesLeft) {
        problem("An event named more often than the file can hold.", offset);
        return {};
    }
    m_bytesLeft -= event.size;
    return event;
}

Action SnapshotRecords::action(const Fields &fields, std::int64_t offset)
{
    const bool named = fields.has(Word::Action) && fields[Word::Action].isText();
    if (!named) {
        problem("An event without an action.", offset);
        return Action::Other;
    }
    const int word = static_cast<int>(wordOf(fields[Word::Action].text()));
    if (word < kFirstAction || word > static_cast<int>(Word::UserDefined)) {
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
    const auto value = fields.integer(Word::Stream);
    if (!value)
        problem("A record without a stream.", offset);
    if (!m_streamValue || *m_streamValue != value.value_or(0)) {
        m_streamValue = value.value_or(0);
        m_stream = m_builder.internStream(*m_streamValue);
    }
    return m_stream;
}

std::int64_t SnapshotRecords::time(const Fields &fields, std::int64_t offset)
{
    if (!fields.has(Word::TimeUs))
        return kNoTime;
    const Value &value = fields[Word::TimeUs];
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

StackId SnapshotRecords::stack(const Fields &fields, std::int64_t offset)
{
    if (!fields.has(Word::Frames))
        return StackId::None;
    const Value &value = fields[Word::Frames];
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

/// The stack of a list that was kept whole: very deep, built piece by piece, or with odd frames.
StackId SnapshotRecords::listedStack(const Value &list, std::int64_t offset)
{
    const Heap::Items &items = m_heap.items(m_heap.object(list));
    m_sharedLeft -= static_cast<std::int64_t>(items.size());
    if (m_sharedLeft < 0) {
        problem("A stack shared by more records than the file can hold.", offset);
        return StackId::None;
    }
    std::vector<FrameId> frames;
    frames.reserve(items.size());
    for (const Value &item : items) {
        if (item.isText()) { // a line that is already text, as in cpp_frames
            frames.push_back(m_builder.internFrame({item.text(), StringId::Empty, 0}));
            continue;
        }
        const Object object = item.isObject() ? m_heap.object(item) : Object();
        if (object.kind() == ObjectKind::Frame)
            frames.push_back(static_cast<FrameId>(object.index()));
        else if (object.kind() == ObjectKind::Dict)
            frames.push_back(frame(Fields(m_heap.items(object)), offset));
        else
            problem("A frame that is no record.", offset);
    }
    const StackId id = m_builder.internStack(frames);
    if (m_heap.object(list).kind() == ObjectKind::List)
        m_heap.object(list) = {ObjectKind::Stack, static_cast<std::uint64_t>(id)};
    return id;
}

PoolId SnapshotRecords::pool(const Value &value, std::int64_t offset)
{
    if (value.isObject()) {
        const Object object = m_heap.object(value);
        if (object.kind() == ObjectKind::Pair) {
            if (object.index() == 0)
                return PoolId::Default;
            return m_builder.internPool({pairFirst(object), pairSecond(object)});
        }
        if (object.kind() == ObjectKind::List || object.kind() == ObjectKind::Tuple) {
            const Heap::Items &items = m_heap.items(object);
            if (items.size() == 2 && items[0].kind == ValueKind::Int &&
                items[1].kind == ValueKind::Int)
                return m_builder.internPool({items[0].integer(), items[1].integer()});
        }
    }
    problem("A pool that is no pair of numbers.", offset);
    return PoolId::Default;
}

ContextId SnapshotRecords::context(const Fields &fields, std::int64_t offset)
{
    EventContext context;
    if (fields.has(Word::CompileContext))
        context.compileContext = text(fields[Word::CompileContext], offset);
    if (wordOf(context.compileContext) == Word::NotAvailable)
        context.compileContext = StringId::Empty;
    if (fields.has(Word::UserMetadata))
        context.userMetadata = text(fields[Word::UserMetadata], offset);
    if (context != m_contextValue) {
        m_contextValue = context;
        m_context = m_builder.internContext(context);
    }
    return m_context;
}

StringId SnapshotRecords::text(const Value &value, std::int64_t offset)
{
    if (value.isText())
        return value.text();
    if (value.kind == ValueKind::None)
        return StringId::Empty;
    if (value.kind == ValueKind::Opaque || m_sharedLeft < 0) {
        problem("A text that is no text.", offset);
        return StringId::Empty;
    }
    const std::string json =
        jsonText(m_heap, value, [this](StringId id) { return m_builder.text(id); });
    m_sharedLeft -= static_cast<std::int64_t>(json.size());
    return m_builder.internText(json);
}

int SnapshotRecords::device(const Fields &fields, std::int64_t offset)
{
    const auto value = fields.integer(Word::Device);
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
    record.hasAddress = fields.has(Word::Address);
    if (record.hasAddress)
        block.address = address(fields, Word::Address, offset);
    block.size = size(fields, Word::Size, offset);
    const Word state = fields.has(Word::State) && fields[Word::State].isText()
                           ? wordOf(fields[Word::State].text())
                           : Word::Unknown;
    if (state == Word::ActiveAllocated) {
        block.state = BlockState::Allocated;
    } else if (state != Word::Inactive) {
        block.state = BlockState::PendingFree;
        if (state != Word::ActivePendingFree && state != Word::ActiveAwaitingFree)
            problem("A block with a state that this version does not know.", offset);
    }
    block.stack = stack(fields, offset);
    block.requested = block.size;
    if (fields.has(Word::History))
        readHistory(fields, record, offset);
    if (block.state == BlockState::Inactive)
        block.requested = 0;
    else if (fields.has(Word::RequestedSize))
        block.requested = size(fields, Word::RequestedSize, offset);
    return record;
}

void SnapshotRecords::readHistory(const Fields &fields, BlockRecord &record, std::int64_t offset)
{
    const Value &value = fields[Word::History];
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
        const Object entry = item.isObject() ? m_heap.object(item) : Object();
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
    return {size(fields, Word::RealSize, offset), stack(fields, offset)};
}

Annotation SnapshotRecords::annotation(const Fields &fields, std::int64_t offset)
{
    Annotation annotation;
    if (fields.has(Word::Name))
        annotation.name = text(fields[Word::Name], offset);
    else
        problem("An annotation without a name.", offset);
    annotation.time = time(fields, offset);
    annotation.device = device(fields, offset);
    const Word stage = fields.has(Word::Stage) && fields[Word::Stage].isText()
                           ? wordOf(fields[Word::Stage].text())
                           : Word::Unknown;
    annotation.start = stage != Word::End;
    if (stage != Word::Start && stage != Word::End)
        problem("An annotation that neither starts nor ends.", offset);
    return annotation;
}

SegmentRecord SnapshotRecords::segment(const Fields &fields, std::int64_t offset)
{
    m_layout.segments |= fields.present();
    SegmentRecord record;
    FinalSegment &segment = record.segment;
    record.device = device(fields, offset);
    segment.address = address(fields, Word::Address, offset);
    segment.size = size(fields, Word::TotalSize, offset);
    segment.stream = stream(fields, offset);
    segment.stack = stack(fields, offset);
    if (fields.has(Word::SegmentPoolId))
        segment.pool = pool(fields[Word::SegmentPoolId], offset);
    if (fields.has(Word::SegmentType) && fields[Word::SegmentType].isText())
        segment.large = wordOf(fields[Word::SegmentType].text()) != Word::Small;
    if (fields.has(Word::IsExpandable))
        segment.expandable = fields[Word::IsExpandable].kind == ValueKind::Bool &&
                             fields[Word::IsExpandable].bits != 0;
    return record;
}

} // namespace vramscope::pickle
