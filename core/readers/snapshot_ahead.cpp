// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_opcodes.h"
#include "core/readers/snapshot_shape.h"

#include <algorithm>
#include <bit>

// Reads the bulk of a snapshot in one go instead of instruction by instruction: dicts whose keys
// are known words, and lists of frames. Reading ahead decides nothing: its results take the way of
// every dict and list, and at anything unusual it leaves all to the machine.

namespace vramscope::pickle {

namespace {

using Plain = ScanMeaning::PlainEvent;

/// Nothing if the form has other keys than such an event, or values of other kinds.
std::optional<Plain> plainEventOf(const ScannedForm &form, const FieldPlaces &places)
{
    constexpr KeySet kNeeded =
        keys("action"_word, "addr"_word, "size"_word, "stream"_word, "time_us"_word);
    constexpr KeySet kAllowed = kNeeded | keys("frames"_word, "compile_context"_word,
                                               "user_metadata"_word, "category"_word);
    if ((places.present & kNeeded) != kNeeded || (places.present & ~kAllowed) != 0 ||
        places.hasUnknown || std::popcount(places.present) != form.count)
        return {};
    bool isPlain = true;
    const auto field = [&](Word key, ScannedKind kind, ScannedKind other) {
        if ((places.present & keys(key)) == 0)
            return Plain::kNowhere;
        const std::size_t at = places.at[static_cast<std::size_t>(key)] / 2; // of the pairs
        isPlain = isPlain && (form.fields[at].kind == kind || form.fields[at].kind == other);
        return at;
    };
    using enum ScannedKind;
    Plain plain;
    plain.action = field("action"_word, Reference, Reference);
    plain.address = field("addr"_word, Number, Number);
    plain.size = field("size"_word, Number, Number);
    plain.stream = field("stream"_word, Number, Number);
    plain.time = field("time_us"_word, Number, Number);
    plain.frames = field("frames"_word, Frames, Reference);
    for (std::size_t text = 0; text < plain.texts.size(); ++text)
        plain.texts[text] = field(Plain::kTexts[text], Text, Reference);
    for (std::size_t at = 0; at < form.count; ++at) {
        if (form.fields[at].kind == Frames || form.fields[at].kind == Text)
            plain.own.push_back(at);
    }
    return isPlain ? std::optional(plain) : std::nullopt;
}

} // namespace

std::size_t SnapshotShape::readAheadInList(Heap &heap, const Value &list, const ByteWindow &input)
{
    if (heap.object(list).kind() != ObjectKind::EmptyList)
        return 0;
    StackId stack = StackId::None;
    const std::size_t size = stackAhead(heap, {input.cursor(), input.end()}, stack);
    if (size > 0)
        heap.object(list) = Object(ObjectKind::Stack, stack);
    return size;
}

/// The stack of the references at the front of `ahead`, and their bytes with the APPENDS that
/// follows them; 0 if something else follows.
std::size_t SnapshotShape::stackAhead(const Heap &heap, std::span<const std::uint8_t> ahead,
                                      StackId &stack)
{
    if (ahead.empty() || referenceSize(ahead.front()) == 0)
        return 0;
    std::uint32_t number = m_runs.expected(ahead, kAppends);
    auto run = number > 0 ? m_runs.bytes(number) : referenceRun(ahead);
    if (run.size() == ahead.size() || ahead[run.size()] != kAppends)
        return 0;
    if (number == 0)
        number = m_runs.number(run);
    m_stacks.resize(m_runs.end(), RunStacks::kNotKnown);
    // Entry 0 is shared by runs for which there is no room.
    if (number == 0 || m_stacks[number] == RunStacks::kNotKnown) {
        const auto decoded = decode(heap, run);
        if (!decoded)
            return 0;
        m_stacks[number] = *decoded;
    }
    stack = m_stacks[number];
    return run.size() + 1;
}

/// The stack of a new run; nothing if it refers to more than frames.
std::optional<StackId> SnapshotShape::decode(const Heap &heap, std::span<const std::uint8_t> run)
{
    m_frames.clear();
    for (std::size_t at = 0; at < run.size(); at += referenceSize(run[at])) {
        const Object *object = heap.recallObject(referenceSlot(run.data() + at));
        if (!object || object->kind() != ObjectKind::Frame)
            return {};
        m_frames.push_back(static_cast<FrameId>(object->index()));
    }
    if (m_frames.size() == kFullBatch)
        return {};
    return m_builder.internStack(m_frames);
}

/// Other bytes were looked at.
void SnapshotShape::lookAt(const ByteWindow::Seen &seen)
{
    m_seen = seen.number;
    m_seenBegin = seen.begin;
    m_nextDict = 0;
    m_ahead = nullptr;
    const auto *const scan = std::any_cast<DictScan>(&seen.made);
    if (scan == nullptr)
        return;
    const auto known = std::ranges::find(m_meanings, scan, &ScanMeaning::scan);
    m_ahead = known != m_meanings.end() ? &*known : &m_meanings.emplace_back();
    if (m_ahead->scan != scan || m_ahead->age != scan->age)
        *m_ahead = {scan, scan->age, {}};
    m_ahead->forms.resize(scan->forms.size());
    const auto numbering = std::ranges::find(m_runStacks, scan->numbering, &RunStacks::numbering) -
                           m_runStacks.begin();
    m_numbering = static_cast<std::size_t>(numbering);
    if (m_numbering == m_runStacks.size()) {
        constexpr std::size_t kMost = 8; // more than the threads that look: each has a current one
        if (m_numbering == kMost)
            m_runStacks.erase(m_runStacks.begin());
        m_runStacks.push_back({scan->numbering, {}});
        m_numbering = m_runStacks.size() - 1;
    }
}

/// The dict scanned at the cursor, if any.
const DictScan::Dict *SnapshotShape::scannedDict(ByteWindow &input)
{
    if (!m_isMemoSteady)
        return nullptr;
    if (const ByteWindow::Seen seen = input.seen(); seen.number != m_seen)
        lookAt(seen);
    if (m_ahead == nullptr || input.cursor() < m_seenBegin)
        return nullptr;
    const auto here = static_cast<std::size_t>(input.cursor() - m_seenBegin);
    const std::vector<DictScan::Dict> &dicts = m_ahead->scan->dicts;
    while (m_nextDict < dicts.size() && dicts[m_nextDict].begin < here)
        ++m_nextDict;
    const bool isHere = m_nextDict < dicts.size() && dicts[m_nextDict].begin == here;
    return isHere ? &dicts[m_nextDict] : nullptr;
}

/// Looks up the keys of a form; false if one is not a text.
bool SnapshotShape::learnForm(const Heap &heap, std::uint32_t form)
{
    const ScannedForm &scanned = m_ahead->scan->forms[form];
    ScanMeaning::Form &known = m_ahead->forms[form];
    for (std::size_t at = 0; at < scanned.count; ++at) {
        Value &key = known.pairs[2 * at];
        if (!heap.recall(scanned.fields[at].key, key) || !key.isText())
            return false;
        known.pairs[2 * at + 1] = {};
    }
    known.places = FieldPlaces(std::span(known.pairs).first(2 * std::size_t(scanned.count)));
    known.plainEvent = plainEventOf(scanned, known.places);
    return known.isKnown = true;
}

/// The stack of a scanned list of references; nothing if it refers to more than frames.
std::optional<StackId> SnapshotShape::stackOfRun(const Heap &heap, std::uint64_t bits)
{
    if (bits == 0)
        return StackId::None;
    const RunPlace run(bits);
    std::vector<StackId> &stacks = m_runStacks[m_numbering].stacks;
    if (run.number >= stacks.size())
        stacks.resize(run.number + 1, RunStacks::kNotKnown);
    StackId &known = stacks[run.number];
    if (known == RunStacks::kNotKnown) {
        const std::span bytes(m_seenBegin, m_ahead->scan->size);
        const auto stack = decode(heap, referenceRun(bytes.subspan(run.begin)));
        if (!stack)
            return {};
        known = *stack;
    }
    return known;
}

/// Whether the memo has everything that the dict refers to; otherwise the machine reads it.
bool SnapshotShape::isUnderstood(const Heap &heap, const DictScan::Dict &dict)
{
    const ScannedForm &form = m_ahead->scan->forms[dict.form];
    const std::uint64_t *const values = m_ahead->scan->values.data() + dict.firstValue;
    for (std::size_t at = 0; at < form.count; ++at) {
        const std::uint64_t bits = values[at];
        if (form.fields[at].kind == ScannedKind::Reference && !heap.isWritten(bits))
            return false;
        if (form.fields[at].kind == ScannedKind::Frames && !stackOfRun(heap, bits))
            return false;
    }
    return true;
}

/// A value of a dict; `before`: the previous dict of this form had it, often the same.
Value SnapshotShape::valueOf(Heap &heap, ScannedField field, std::uint64_t bits,
                             const Value &before)
{
    Value value;
    switch (field.kind) {
    case ScannedKind::Number:
        return {ValueKind::Int, bits};
    case ScannedKind::Reference:
        (void)heap.recall(bits, value);
        return value;
    case ScannedKind::None:
        return value;
    case ScannedKind::Bool:
        return {ValueKind::Bool, bits};
    case ScannedKind::Text: {
        const std::string_view text(reinterpret_cast<const char *>(m_seenBegin) + (bits >> 8),
                                    bits & 0xFF);
        const bool isSame = before.isText() && m_builder.text(before.text()) == text;
        value = isSame ? before : Value::of(m_builder.internText(text));
        break;
    }
    case ScannedKind::Pair:
        value = heap.add(Object(ObjectKind::Pair, bits));
        break;
    case ScannedKind::Frames:
        value = heap.add(
            bits == 0 ? Object(ObjectKind::EmptyList)
                      : Object(ObjectKind::Stack, stackOfRun(heap, bits).value_or(StackId::None)));
        break;
    }
    if (field.isRemembered)
        (void)heap.memoize(heap.memoCount(), value);
    return value;
}

/// The stack of a list of frames or of a reference to one; nothing for anything else.
std::optional<StackId> SnapshotShape::stackOf(const Heap &heap, ScannedField field,
                                              std::uint64_t bits)
{
    if (field.kind == ScannedKind::Frames)
        return stackOfRun(heap, bits);
    const Object *const object = heap.recallObject(bits);
    if (object == nullptr || object->kind() != ObjectKind::Stack)
        return {};
    return static_cast<StackId>(object->index());
}

/// Takes most events of a file: like takeDict(), but without creating the pairs. Returns false and
/// does nothing for any other dict.
bool SnapshotShape::takePlainEvent(Heap &heap, const Value &dict, const DictScan::Dict &scanned)
{
    const ScannedForm &form = m_ahead->scan->forms[scanned.form];
    ScanMeaning::Form &known = m_ahead->forms[scanned.form];
    const Plain &plain = *known.plainEvent;
    const std::uint64_t *const values = m_ahead->scan->values.data() + scanned.firstValue;
    const auto number = [&](std::size_t at) { return static_cast<std::int64_t>(values[at]); };
    const auto isReference = [&](std::size_t at) {
        return form.fields[at].kind == ScannedKind::Reference;
    };
    std::array<StringId, Plain::kTexts.size()> texts{};
    for (std::size_t text = 0; text < texts.size(); ++text) {
        const std::size_t at = plain.texts[text];
        Value value;
        if (at == Plain::kNowhere || !isReference(at))
            continue;
        if (!heap.recall(values[at], value) || !value.isText())
            return false;
        texts[text] = value.text();
    }
    std::optional<StackId> stack = StackId::None;
    if (plain.frames != Plain::kNowhere)
        stack = stackOf(heap, form.fields[plain.frames], values[plain.frames]);
    Value action;
    if (!stack || !heap.recall(values[plain.action], action))
        return false;
    std::optional<Event> event =
        m_records.plainEvent(known.places.present, action, number(plain.address),
                             number(plain.size), number(plain.stream), number(plain.time));
    if (!event)
        return false;
    if (form.isRemembered)
        (void)heap.memoize(heap.memoCount(), dict);
    for (const std::size_t at : plain.own) { // in the order of writing
        if (form.fields[at].kind == ScannedKind::Frames) {
            (void)valueOf(heap, form.fields[at], values[at], {});
        } else {
            Value &text = known.pairs[2 * at + 1];
            text = valueOf(heap, form.fields[at], values[at], text);
            for (std::size_t which = 0; which < texts.size(); ++which)
                texts[which] = plain.texts[which] == at ? text.text() : texts[which];
        }
    }
    event->stack = *stack;
    event->context = m_records.context(texts);
    heap.object(dict) = Object(ObjectKind::Event, m_events.add(*event));
    return true;
}

/// False if the dict is left to the machine.
bool SnapshotShape::takeDict(Heap &heap, const Value &dict, const DictScan::Dict &scanned,
                             std::int64_t offset)
{
    ScanMeaning::Form &known = m_ahead->forms[scanned.form];
    if (!known.isKnown && !learnForm(heap, scanned.form))
        return false;
    if (!heap.isDense()) // a memo slot may change on the way
        return false;
    if (known.plainEvent && takePlainEvent(heap, dict, scanned))
        return true;
    if (!isUnderstood(heap, scanned))
        return false;
    // Only now are changes made, in the order of the machine.
    const ScannedForm &form = m_ahead->scan->forms[scanned.form];
    const std::uint64_t *const values = m_ahead->scan->values.data() + scanned.firstValue;
    if (form.isRemembered)
        (void)heap.memoize(heap.memoCount(), dict);
    for (std::size_t at = 0; at < form.count; ++at) {
        Value &value = known.pairs[2 * at + 1];
        value = valueOf(heap, form.fields[at], values[at], value);
    }
    const std::span pairs = std::span(known.pairs).first(2 * std::size_t(form.count));
    constexpr std::int64_t kSetItemsSize = 1; // where the machine would have noticed it
    fillRecord(heap, dict, Fields(pairs, known.places), pairs,
               offset + scanned.size - kSetItemsSize);
    return true;
}

Shape::Ahead SnapshotShape::readAheadInDict(Heap &heap, const Value &dict, ByteWindow &input)
{
    const DictScan::Dict *const scanned = scannedDict(input);
    if (scanned == nullptr || !takeDict(heap, dict, *scanned, input.offset()))
        return {};
    const std::vector<DictScan::Dict> &dicts = m_ahead->scan->dicts;
    const bool isFollowed = ++m_nextDict < dicts.size() &&
                            dicts[m_nextDict].begin == scanned->begin + scanned->size + 1;
    return {scanned->size, isFollowed};
}

} // namespace vramscope::pickle
