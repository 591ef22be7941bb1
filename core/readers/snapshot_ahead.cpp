// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_bytes.h"
#include "core/readers/pickle_opcodes.h"
#include "core/readers/snapshot_shape.h"

#include <cstring>

// What a snapshot mostly consists of, read in one go instead of instruction by instruction: dicts
// whose keys are known words, and lists of frames. Reading ahead decides nothing: what it finds
// goes the way of every dict and list, and at anything unusual it leaves all to the machine.

namespace vramscope::pickle {

namespace {

/// The bytes of a reference to a memo slot; 0 of any other instruction.
std::size_t referenceSize(std::uint8_t opcode)
{
    if (opcode == kBinGet)
        return 2;
    return opcode == kLongBinGet ? 5 : 0;
}

std::uint32_t referenceSlot(const std::uint8_t *at)
{
    return *at == kBinGet ? at[1] : littleEndian<std::uint32_t>(at + 1);
}

/// The references that `at` begins with, up to anything else.
std::span<const std::uint8_t> referenceRun(const std::uint8_t *at, const std::uint8_t *end)
{
    const std::uint8_t *last = at;
    while (last != end) {
        const std::size_t size = referenceSize(*last);
        if (size == 0 || static_cast<std::size_t>(end - last) < size)
            break;
        last += size;
    }
    return {at, last};
}

} // namespace

std::size_t SnapshotShape::readAheadInList(Heap &heap, const Value &list, const ByteWindow &input)
{
    if (heap.object(list).kind() != ObjectKind::EmptyList)
        return 0;
    const auto known = stackAhead(heap, {input.cursor(), input.end()});
    if (!known)
        return 0;
    heap.object(list) = Object(ObjectKind::Stack, static_cast<std::uint64_t>(known->stack));
    return known->size + 1;
}

/// The stack that the references at the front of `ahead` make, where APPENDS follows them.
std::optional<FrameRuns::Run> SnapshotShape::stackAhead(const Heap &heap,
                                                        std::span<const std::uint8_t> ahead)
{
    if (ahead.empty() || referenceSize(ahead.front()) == 0)
        return {};
    if (const auto known = m_runs.expected(ahead, kAppends))
        return known;
    const std::uint8_t *const end = ahead.data() + ahead.size();
    const auto run = referenceRun(ahead.data(), end);
    if (run.data() + run.size() == end || *(run.data() + run.size()) != kAppends)
        return {};
    const auto known = m_runs.find(run);
    return known ? known : decode(heap, run);
}

/// The stack of a run that was not seen before; nothing where it refers to more than frames.
std::optional<FrameRuns::Run> SnapshotShape::decode(const Heap &heap,
                                                    std::span<const std::uint8_t> run)
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
    const StackId stack = m_builder.internStack(m_frames);
    m_runs.remember(run, stack);
    return FrameRuns::Run{stack, static_cast<std::uint32_t>(run.size())};
}

/// Reads the pairs of one dict into m_ahead; false where it is not as flat as an event is.
class DictAhead
{
public:
    DictAhead(SnapshotShape &shape, const Heap &heap, const ByteWindow &input)
        : m_shape(shape)
        , m_ahead(shape.m_ahead)
        , m_heap(heap)
        , m_first(input.cursor())
        , m_at(input.cursor())
        , m_end(input.end())
    {
    }

    /// How many bytes the dict takes from behind EMPTY_DICT to SETITEMS; 0: it is left alone.
    std::size_t read()
    {
        m_ahead.count = 0;
        m_ahead.list = AheadDict::kNoList;
        m_ahead.dictRemembered = take(kMemoize);
        if (!take(kMark))
            return 0;
        while (!take(kSetItems)) {
            if (m_ahead.count == m_ahead.values.size() || !key() || !value())
                return 0;
        }
        return static_cast<std::size_t>(m_at - m_first);
    }

private:
    // The longest instruction of a key or number; so close to the end of the window all is left.
    static constexpr std::ptrdiff_t kLongest = 2 + std::ptrdiff_t(kWordBytes);

    bool take(std::uint8_t opcode)
    {
        if (m_at == m_end || *m_at != opcode)
            return false;
        ++m_at;
        return true;
    }

    void add(const Value &value) { m_ahead.values[m_ahead.count++] = value; }

    // Events name the same keys in the same order over and over.
    bool key()
    {
        if (m_end - m_at < kLongest)
            return false;
        AheadDict::Key &expected = m_ahead.keys[m_ahead.count / 2];
        if (expected.size > 0 && std::memcmp(m_at, expected.bytes.data(), expected.size) == 0) {
            m_at += expected.size;
            add({ValueKind::Text, static_cast<std::uint64_t>(expected.text)});
            return true;
        }
        const std::size_t size = referenceSize(*m_at);
        Value value;
        if (size == 0 || !m_heap.recall(referenceSlot(m_at), value) || !value.isText())
            return false;
        expected.size = static_cast<std::uint8_t>(size);
        std::memcpy(expected.bytes.data(), m_at, size);
        expected.text = value.text();
        m_at += size;
        add(value);
        return true;
    }

    bool value()
    {
        if (m_end - m_at < kLongest)
            return false;
        const std::uint8_t opcode = *m_at;
        switch (opcode) {
        case kBinGet:
        case kLongBinGet: {
            Value value;
            if (!m_heap.recall(referenceSlot(m_at), value))
                return false;
            m_at += referenceSize(opcode);
            add(value);
            return true;
        }
        case kBinInt1:
            return number(m_at[1], 2);
        case kBinInt2:
            return number(littleEndian<std::uint16_t>(m_at + 1), 3);
        case kBinInt:
            return number(
                static_cast<std::uint64_t>(std::int64_t(littleEndian<std::int32_t>(m_at + 1))), 5);
        case kLong1:
            return m_at[1] <= kWordBytes &&
                   number(signedWord(littleEndian<std::uint64_t>(m_at + 2), m_at[1]), 2 + m_at[1]);
        case kEmptyList:
            return stack();
        default:
            return false;
        }
    }

    bool number(std::uint64_t bits, std::ptrdiff_t size)
    {
        m_at += size;
        add({ValueKind::Int, bits});
        return true;
    }

    // A list of frames, or an empty one.
    bool stack()
    {
        if (m_ahead.list != AheadDict::kNoList)
            return false;
        ++m_at;
        m_ahead.list = m_ahead.count;
        m_ahead.listRemembered = take(kMemoize);
        m_ahead.stack = ObjectKind::EmptyList;
        if (take(kMark)) {
            const auto known = m_shape.stackAhead(m_heap, {m_at, m_end});
            if (!known)
                return false;
            m_at += known->size + 1;
            m_ahead.stack = Object(ObjectKind::Stack, static_cast<std::uint64_t>(known->stack));
        }
        add({});
        return true;
    }

    SnapshotShape &m_shape;
    AheadDict &m_ahead;
    const Heap &m_heap;
    const std::uint8_t *m_first;
    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
};

std::size_t SnapshotShape::readAheadInDict(Heap &heap, const Value &dict, const ByteWindow &input)
{
    const std::size_t size = DictAhead(*this, heap, input).read();
    if (size == 0)
        return 0;
    // Only now does anything happen, in the order in which the machine would have done it.
    if (m_ahead.dictRemembered && heap.memoize(heap.memoCount(), dict))
        memoChanged();
    if (m_ahead.list != AheadDict::kNoList) {
        const Value list = heap.add(m_ahead.stack);
        m_ahead.values[m_ahead.list] = list;
        if (m_ahead.listRemembered && heap.memoize(heap.memoCount(), list))
            memoChanged();
    }
    if (m_ahead.count > 0)
        fillDict(heap, dict, std::span(m_ahead.values).first(m_ahead.count), input.offset());
    return size;
}

} // namespace vramscope::pickle
