// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_reader.h"

#include "core/readers/pickle_json.h"
#include "core/readers/snapshot_shape.h"

#include <algorithm>

namespace vramscope {

using namespace pickle;

namespace {

constexpr std::size_t kFewestKept = std::size_t(1) << 22; // values, whatever the file's size
constexpr std::int64_t kBytesPerKept = 16;

// Settings may share their values; PyTorch has a dozen of them.
constexpr std::size_t kMostSettings = 1000;
constexpr std::size_t kMostSettingsText = std::size_t(1) << 20;

/// The reference: every container whole.
class WholeShape final : public Shape
{
public:
    explicit WholeShape(TraceBuilder &builder)
        : m_builder(builder)
    {
    }
    StringId intern(std::string_view text) override { return m_builder.internText(text); }
    std::string_view text(StringId id) const override { return m_builder.text(id); }

private:
    TraceBuilder &m_builder;
};

/// Puts the value that a pickle left behind into a trace.
class Assembly
{
public:
    Assembly(TraceBuilder &builder, Heap &heap, SnapshotShape &shape)
        : m_builder(builder)
        , m_heap(heap)
        , m_shape(shape)
    {
    }
    Result<void> assemble(const Value &top);

private:
    Result<void> assembleDict(const Value &top);
    void addSegments(const Value &list);
    void addTraces(const Value &list);
    void addSettings(const Value &dict);

    TraceBuilder &m_builder;
    Heap &m_heap;
    SnapshotShape &m_shape;
};

Error noSnapshot(const char *what)
{
    return {ErrorCode::NotRecognized,
            std::string("The file is a valid pickle but no memory snapshot: it holds ") + what +
                "; open a file that torch.cuda.memory._dump_snapshot() wrote."};
}

Result<void> Assembly::assemble(const Value &top)
{
    const Object object = top.isObject() ? m_heap.object(top) : Object(ObjectKind::Dropped);
    switch (object.kind()) {
    case ObjectKind::Dict:
        return assembleDict(top);
    case ObjectKind::EmptyDict:
        return noSnapshot("an empty dict");
    case ObjectKind::List: {
        const auto isSegment = [&](const Value &item) {
            if (!item.isObject())
                return false;
            const Object entry = m_heap.object(item);
            return entry.kind() == ObjectKind::Segment ||
                   (entry.kind() == ObjectKind::Dict &&
                    Fields(m_heap.items(entry)).has(Word::TotalSize));
        };
        if (std::ranges::none_of(m_heap.items(object), isSegment))
            return noSnapshot("a list without segments");
        addSegments(top);
        return {};
    }
    case ObjectKind::EmptyList:
        return noSnapshot("an empty list");
    default:
        return noSnapshot(top.isObject() ? "one record" : "one plain value");
    }
}

Result<void> Assembly::assembleDict(const Value &top)
{
    const Fields fields(m_heap.items(m_heap.object(top)));
    if (!fields.has(Word::Segments) && !fields.has(Word::DeviceTraces))
        return noSnapshot("a dict without \"segments\" and \"device_traces\"");
    m_shape.records().layout().top = fields.present();
    if (fields.has(Word::Segments))
        addSegments(fields[Word::Segments]);
    else
        m_builder.addProblem("A snapshot without segments.");
    if (fields.has(Word::DeviceTraces))
        addTraces(fields[Word::DeviceTraces]);
    else
        m_builder.addProblem("A snapshot without traces of the devices.");
    if (fields.has(Word::AllocatorSettings))
        addSettings(fields[Word::AllocatorSettings]);
    if (fields.has(Word::ExternalAnnotations)) {
        for (const Annotation &annotation :
             m_shape.takeAnnotations(fields[Word::ExternalAnnotations], -1))
            m_builder.addAnnotation(annotation);
    }
    return {};
}

void Assembly::addSegments(const Value &list)
{
    for (SegmentRecord &record : m_shape.takeSegments(list, -1)) {
        m_builder.addSegment(record.device, record.segment, record.blocks);
        record.blocks = {};
    }
}

void Assembly::addTraces(const Value &list)
{
    const Object object = list.isObject() ? m_heap.object(list) : Object(ObjectKind::Dropped);
    if (object.kind() == ObjectKind::EmptyList)
        return;
    if (!m_heap.hasItems(object)) {
        m_builder.addProblem("Traces of the devices that are no list of lists.");
        return;
    }
    const Heap::Items items = m_heap.items(object);
    int device = 0;
    for (const Value &item : items) {
        EventLog events = m_shape.takeEvents(item, -1);
        if (events.count() > 0)
            m_builder.addEvents(device, std::move(events));
        ++device;
    }
}

void Assembly::addSettings(const Value &dict)
{
    const Object object = dict.isObject() ? m_heap.object(dict) : Object(ObjectKind::Dropped);
    if (object.kind() == ObjectKind::EmptyDict)
        return;
    if (object.kind() != ObjectKind::Dict) {
        m_builder.addProblem("Allocator settings that are no dict.");
        return;
    }
    const Heap::Items &items = m_heap.items(object);
    m_shape.records().layout().settings = Fields(items).present();
    const auto text = [this](StringId id) { return m_builder.text(id); };
    std::size_t textLeft = kMostSettingsText;
    for (std::size_t at = 0; at + 1 < std::min(items.size(), 2 * kMostSettings); at += 2) {
        if (!items[at].isText())
            continue;
        const std::string_view name = m_builder.text(items[at].text());
        const std::string value = jsonText(m_heap, items[at + 1], text);
        if (name.size() + value.size() > textLeft) {
            m_builder.addProblem("An allocator setting that is too long to keep.");
            continue;
        }
        textLeft -= name.size() + value.size();
        m_builder.addSetting(name, value);
    }
    if (items.size() > 2 * kMostSettings)
        m_builder.addProblem("More allocator settings than any PyTorch has.");
}

/// Python's HTML viewer pads with zeros; anything else behind the end is odd.
bool endsCleanly(ByteWindow &input)
{
    if (input.left() == 0 || !input.ensure(1))
        return true;
    return std::all_of(input.cursor(), input.end(), [](std::uint8_t byte) { return byte == 0; });
}

Result<std::shared_ptr<const Trace>> read(ByteWindow &input, const Progress &progress, bool whole)
{
    TraceBuilder builder;
    Heap heap(kFewestKept + static_cast<std::size_t>(input.size() / kBytesPerKept));
    SnapshotShape shape(builder, heap, input.size());
    WholeShape wholeShape(builder);
    Machine machine(input, heap, whole ? static_cast<Shape &>(wholeShape) : shape, progress);
    const auto top = machine.run();
    if (!top.ok())
        return top.error();
    if (const auto failure = shape.failure())
        return *failure;
    if (heap.overfull())
        builder.addProblem("Values outside the layout of a snapshot were too many to keep.");
    if (!endsCleanly(input))
        builder.addProblem("Bytes after the end of the pickle.", input.offset());
    if (const auto assembled = Assembly(builder, heap, shape).assemble(*top); !assembled.ok())
        return assembled.error();
    builder.setFormat("pytorch-snapshot");
    builder.setProducer(producerOf(shape.records().layout()));
    builder.setProtocol(machine.protocol());
    return builder.finish();
}

} // namespace

Result<std::shared_ptr<const Trace>> readSnapshot(ByteWindow &input, const Progress &progress)
{
    return read(input, progress, false);
}

Result<std::shared_ptr<const Trace>> readSnapshotSlowly(ByteWindow &input)
{
    return read(input, {}, true);
}

} // namespace vramscope
