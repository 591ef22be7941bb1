// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_assembly.h"

#include "core/readers/cancel_guard.h"
#include "core/readers/pickle_json.h"
#include "core/trace/trace_format.h"

#include <algorithm>

namespace vramscope::pickle {

namespace {

// Settings may share their values; PyTorch has a dozen of them.
constexpr std::size_t kMostSettings = 1000;
constexpr std::size_t kMostSettingsText = std::size_t(1) << 20;

Error noSnapshot(const char *what)
{
    return {ErrorCode::NotRecognized,
            std::string("The file is complete but no memory snapshot: it holds ") + what +
                "; open a file that torch.cuda.memory._dump_snapshot() wrote."};
}

} // namespace

/// The alternating keys and values of a dict; empty for another value, which is a problem.
const Heap::Items &Assembly::pairsOf(const Value &dict, const char *noDict)
{
    static const Heap::Items kNone;
    const Object object = m_heap.objectOf(dict);
    if (object.kind() != ObjectKind::Dict && object.kind() != ObjectKind::EmptyDict)
        m_builder.addProblem(noDict);
    return object.kind() == ObjectKind::Dict ? m_heap.items(object) : kNone;
}

Result<void> Assembly::assemble(const Value &top)
{
    const Object object = m_heap.objectOf(top);
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
                    Fields(m_heap.items(entry)).has("total_size"_word));
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
    if (!fields.has("segments"_word) && !fields.has("device_traces"_word))
        return noSnapshot("a dict without \"segments\" and \"device_traces\"");
    m_shape.records().layout().top = fields.present();
    if (fields.has("segments"_word))
        addSegments(fields["segments"_word]);
    else
        m_builder.addProblem("A snapshot without segments.");
    if (fields.has("device_traces"_word))
        addTraces(fields["device_traces"_word]);
    else
        m_builder.addProblem("A snapshot without traces of the devices.");
    addHost(fields);
    if (fields.has("allocator_settings"_word))
        addSettings(fields["allocator_settings"_word]);
    if (fields.has("external_annotations"_word)) {
        for (const Annotation &annotation :
             m_shape.takeAnnotations(fields["external_annotations"_word], -1))
            m_builder.addAnnotation(annotation);
    }
    if (fields.has("source_code"_word))
        addSources(fields["source_code"_word]);
    addExtras(fields);
    // A profiler's snapshot lists the CPU after the GPUs; a rehearsed one has categories, too.
    const bool hasCategories = (m_shape.records().layout().events & keys("category"_word)) != 0;
    if (hasCategories && m_traces > 0 && !m_isRehearsed)
        m_builder.setHost(m_traces - 1);
    return {};
}

void Assembly::addSegments(const Value &list)
{
    for (SegmentRecord &record : m_shape.takeSegments(list, -1)) {
        m_ascend.add(record.segment, record.blocks);
        m_devices = std::max(m_devices, record.device + 1);
        m_builder.addSegment(record.device, record.segment, record.blocks);
        record.blocks = {};
    }
}

void Assembly::addTraces(const Value &list)
{
    const Object object = m_heap.objectOf(list);
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
    m_traces = device;
    m_devices = std::max(m_devices, device);
}

/// Pinned memory of the host, which PyTorch records with that of the devices on request
/// (record_pinned_host_memory). It becomes an extra device after them.
void Assembly::addHost(const Fields &fields)
{
    constexpr int kMostDevice = 65535;
    const int host = std::min(m_devices, kMostDevice);
    bool isThere = false;
    if (fields.has("host_segments"_word)) {
        for (SegmentRecord &record : m_shape.takeSegments(fields["host_segments"_word], -1)) {
            m_builder.addSegment(host, record.segment, record.blocks);
            isThere = true;
        }
    }
    if (fields.has("host_traces"_word)) {
        EventLog events = m_shape.takeEvents(fields["host_traces"_word], -1);
        isThere = isThere || events.count() > 0;
        if (events.count() > 0)
            m_builder.addEvents(host, std::move(events));
    }
    if (isThere)
        m_builder.setHost(host);
}

/// A setting or an extra, as JSON. False if it is too long to keep.
bool Assembly::addNamed(StringId name, const Value &value, std::size_t &textLeft, bool isSetting)
{
    const std::string_view text = m_builder.text(name);
    const std::string json = jsonText(m_heap, value, m_builder);
    if (text.size() + json.size() > textLeft)
        return false;
    textLeft -= text.size() + json.size();
    if (isSetting)
        m_builder.addSetting(text, json);
    else {
        m_isRehearsed = m_isRehearsed || text == kRehearsedKey;
        m_builder.addExtra(text, json);
    }
    return true;
}

void Assembly::addSettings(const Value &dict)
{
    const Heap::Items &items = pairsOf(dict, "Allocator settings that are no dict.");
    m_shape.records().layout().settings = Fields(items).present();
    std::size_t textLeft = kMostSettingsText;
    for (std::size_t at = 0; at + 1 < std::min(items.size(), 2 * kMostSettings); at += 2) {
        if (items[at].isText() && !addNamed(items[at].text(), items[at + 1], textLeft, true))
            m_builder.addProblem("An allocator setting that is too long to keep.");
    }
    if (items.size() > 2 * kMostSettings)
        m_builder.addProblem("More allocator settings than any PyTorch has.");
}

/// The additions of torch-snapkit: the text of each source file by its path.
void Assembly::addSources(const Value &dict)
{
    const Heap::Items &items = pairsOf(dict, "Source code that is no dict.");
    for (std::size_t at = 0; at + 1 < items.size(); at += 2) {
        if (items[at].isText() && items[at + 1].isText())
            m_builder.addSource({items[at].text(), items[at + 1].text()});
        else
            m_builder.addProblem("Source code that is no text.");
    }
}

/// Everything other than the known parts of a snapshot.
void Assembly::addExtras(const Fields &fields)
{
    constexpr KeySet kParts = keys("segments"_word, "device_traces"_word, "allocator_settings"_word,
                                   "external_annotations"_word, "source_code"_word,
                                   "host_segments"_word, "host_traces"_word);
    if (!fields.hasOthers(kParts))
        return;
    const std::vector<Value> pairs = fields.others(kParts);
    std::size_t textLeft = kMostSettingsText;
    for (std::size_t at = 0; at + 1 < pairs.size(); at += 2) {
        if (!pairs[at].isText() || !addNamed(pairs[at].text(), pairs[at + 1], textLeft, false))
            m_builder.addProblem("A value beside the parts of a snapshot that cannot be kept.");
    }
}

Result<void> endSnapshot(ByteWindow &input, TraceBuilder &builder, const std::string &what,
                         const Progress &progress)
{
    const auto isFiller = [](std::uint8_t byte) {
        return byte == 0 || byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
    };
    while (input.ensure(1)) {
        if (progress && !progress(input.fraction()))
            return readingCancelled();
        const std::uint8_t *const other = std::find_if_not(input.cursor(), input.end(), isFiller);
        input.advance(static_cast<std::size_t>(other - input.cursor()));
        if (other != input.end()) {
            builder.addProblem("Bytes after the end of " + what + '.', input.offset());
            break;
        }
    }
    if (!input.status().ok())
        return input.status().error();
    for (const std::string &anomaly : input.anomalies())
        builder.addProblem(anomaly);
    return {};
}

Result<std::shared_ptr<const Trace>> finishSnapshot(const Value &top, TraceBuilder &builder,
                                                    Heap &heap, SnapshotShape &shape, int protocol)
{
    if (const auto failure = shape.failure())
        return *failure;
    if (heap.overfull())
        builder.addProblem("Values outside the layout of a snapshot were too many to keep.");
    Assembly assembly(builder, heap, shape);
    if (const auto assembled = assembly.assemble(top); !assembled.ok())
        return assembled.error();
    builder.setFormat("pytorch-snapshot");
    if (assembly.isOfAscend()) {
        builder.setProducer(std::string(kAscendProducer));
        builder.addProblem("Recorded on Ascend by torch_npu, whose allocator adds 32 bytes to "
                           "each request before it rounds it to 512 bytes. The rest of its rules "
                           "is taken to be PyTorch's: what no event shows may differ.");
    } else if (assembly.isRehearsed()) {
        builder.setProducer(std::string(kRehearsedProducer));
    } else {
        builder.setProducer(producerOf(shape.records().layout()));
    }
    builder.setProtocol(protocol);
    return builder.finish();
}

} // namespace vramscope::pickle
