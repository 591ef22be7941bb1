// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_machine.h"

#include "core/base/expected_rows.h"
#include "core/readers/pickle_heap.h"
#include "core/readers/pickle_opcodes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vramscope::pickle {

namespace {

constexpr std::int64_t kReportBytes = std::int64_t(256) << 10; // at most some milliseconds of work

/// The number after BININT1, BININT2 or BININT, of which only the last has a sign.
std::uint64_t smallNumber(std::uint8_t opcode, const std::uint8_t *at)
{
    if (opcode == kBinInt1)
        return *at;
    if (opcode == kBinInt2)
        return littleEndian<std::uint16_t>(at);
    return static_cast<std::uint64_t>(std::int64_t(littleEndian<std::int32_t>(at)));
}

/// The size of an instruction that the fast loop runs once it is complete in the window; 0 for
/// other instructions.
std::size_t commonSize(std::uint8_t opcode)
{
    switch (opcode) {
    case kMemoize:
    case kEmptyDict:
    case kEmptyList:
    case kMark:
    case kAppends:
    case kSetItems:
        return 1;
    case kBinGet:
    case kBinInt1:
        return 2;
    case kBinInt2:
        return 3;
    case kLongBinGet:
    case kBinInt:
        return 5;
    default:
        return 0;
    }
}

// The most values that wait on the stack: all events of a C++ pickle wait there, at over 40 bytes
// each; a million is always allowed.
constexpr std::int64_t kFewestMostValues = 1'000'000;
constexpr std::int64_t kBytesPerWaitingValue = 16;

} // namespace

void Shape::fillDict(Heap &heap, const Value &dict, std::span<const Value> pairs, std::int64_t)
{
    Object &object = heap.object(dict);
    if (object.kind() == ObjectKind::EmptyDict) {
        object = heap.keep(ObjectKind::Dict, pairs);
    } else if (object.kind() == ObjectKind::Dict) {
        heap.extend(object, pairs);
    }
}

void Shape::fillList(Heap &heap, const Value &list, std::span<const Value> items, std::int64_t)
{
    Object &object = heap.object(list);
    if (object.kind() == ObjectKind::EmptyList) {
        object = heap.keep(ObjectKind::List, items);
    } else if (object.kind() == ObjectKind::List) {
        heap.extend(object, items);
    }
}

Object Shape::makeTuple(Heap &heap, std::span<const Value> items)
{
    return heap.keep(ObjectKind::Tuple, items);
}

Machine::Machine(ByteWindow &input, Heap &heap, Shape &shape, const Progress &progress)
    : m_in(input)
    , m_heap(heap)
    , m_shape(shape)
    , m_progress(progress)
{
}

Result<Value> Machine::run()
{
    while (!m_stopped && !m_error) {
        m_opcodeOffset = m_in.offset();
        if (m_opcodeOffset >= m_nextReport && !report())
            break;
        if (!runCommon() || !step())
            break;
    }
    if (m_error)
        return *m_error;
    return m_stack.back();
}

/// Runs the instructions that make up nearly all of a snapshot, while they are complete in the
/// window, and stops before any other. The cursor stays in a register between the calls.
bool Machine::runCommon()
{
    const std::uint8_t *at = m_in.cursor();
    const std::uint8_t *const stop = at + std::min<std::size_t>(m_in.available(), kReportBytes);
    const auto synchronize = [&] {
        m_in.advance(static_cast<std::size_t>(at - m_in.cursor()));
        m_opcodeOffset = m_in.offset();
        return true;
    };
    const auto isWhole = [&](std::ptrdiff_t size) { return stop - at >= size; };
    bool ok = true;
    while (ok && at < stop) {
        const std::uint8_t opcode = *at;
        std::ptrdiff_t size = 1;
        switch (opcode) {
        case kBinGet:
        case kLongBinGet: {
            size = opcode == kBinGet ? 2 : 5;
            if (!isWhole(size))
                return synchronize();
            Value value;
            const std::uint64_t slot =
                opcode == kBinGet ? at[1] : littleEndian<std::uint32_t>(at + 1);
            if (!m_heap.recall(slot, value)) {
                synchronize();
                return recall(slot); // says what is wrong
            }
            ok = push(value);
            break;
        }
        case kBinInt1:
        case kBinInt2:
        case kBinInt:
            size = opcode == kBinInt1 ? 2 : opcode == kBinInt2 ? 3 : 5;
            if (!isWhole(size))
                return synchronize();
            ok = push(ValueKind::Int, smallNumber(opcode, at + 1));
            break;
        case kLong1:
            if (!isWhole(2 + std::ptrdiff_t(kWordBytes)) || at[1] > kWordBytes)
                return synchronize();
            size = 2 + at[1];
            ok = push(ValueKind::Int, signedWord(littleEndian<std::uint64_t>(at + 2), at[1]));
            break;
        case kMemoize:
            synchronize();
            ok = memoize(m_heap.memoCount());
            break;
        case kEmptyList:
            ok = push(m_heap.add(ObjectKind::EmptyList));
            break;
        case kEmptyDict:
        case kMark:
            ++at;
            synchronize();
            ok = opcode == kMark ? mark() : emptyDict();
            at = m_in.cursor();
            continue;
        case kAppends:
        case kSetItems: {
            synchronize();
            std::size_t height = 0;
            ok = popMark(height) && fill(opcode == kSetItems, height);
            break;
        }
        default:
            return synchronize();
        }
        at += size;
    }
    synchronize();
    return ok;
}

bool Machine::report()
{
    m_nextReport = m_in.offset() + kReportBytes;
    justify();
    if (const auto failure = m_shape.failure()) {
        m_error = failure;
        return false;
    }
    if (m_heap.full())
        return fail(ErrorCode::Unsupported,
                    "The file holds more containers than VRAMscope can number; record fewer "
                    "events with max_entries.");
    if (m_progress && !m_progress(m_in.fraction()))
        return fail(ErrorCode::Cancelled, "Reading was cancelled.");
    return true;
}

bool Machine::fail(ErrorCode code, std::string detail)
{
    m_error = Error{code, std::move(detail), m_opcodeOffset};
    return false;
}

bool Machine::malformed(const char *what)
{
    return fail(ErrorCode::Malformed, std::string("The pickle is damaged: ") + what +
                                          "; copy the file again or record it again.");
}

bool Machine::need(std::size_t count)
{
    if (m_in.ensure(count))
        return true;
    if (!m_in.status().ok()) {
        m_error = m_in.status().error();
        return false;
    }
    m_error = Error{ErrorCode::Truncated,
                    "The file ends before its pickle does: it was not written or copied to the "
                    "end; copy it again or record it again.",
                    m_in.size()};
    return false;
}

/// Ensures `count` bytes, a piece at a time: a long text must not delay a user who wants to stop.
bool Machine::needAll(std::size_t count)
{
    constexpr auto kPiece = static_cast<std::size_t>(kReportBytes);
    for (std::size_t piece = kPiece; piece < count; piece += kPiece) {
        if (!need(piece) || !report())
            return false;
    }
    return need(count);
}

/// Allows what the existing bytes justify.
void Machine::justify()
{
    const std::int64_t bytes = m_in.size();
    m_heap.justify(bytes);
    m_shape.justify(bytes);
    m_heap.expect(expectedInAll(m_heap.objectCount(), m_in.offset(), bytes),
                  expectedInAll(m_heap.memoCount(), m_in.offset(), bytes));
    m_mostValues =
        static_cast<std::size_t>(std::max(kFewestMostValues, bytes / kBytesPerWaitingValue));
}

bool Machine::tooMany()
{
    return malformed("more values wait than the file can use");
}

bool Machine::popMark(std::size_t &height)
{
    if (m_marks.empty() || m_marks.back() > m_stack.size())
        return malformed("a container without its start");
    height = m_marks.back();
    m_marks.pop_back();
    return true;
}

bool Machine::step()
{
    if (!need(1))
        return false;
    const std::uint8_t opcode = *m_in.cursor();
    if (const std::size_t size = commonSize(opcode); size > 0)
        return need(size); // for the loop above, once the window has moved on
    m_in.advance(1);
    return stepScalar(opcode);
}

bool Machine::fill(bool isDict, std::size_t height)
{
    if (height == 0 || (isDict && (m_stack.size() - height) % 2 != 0))
        return malformed("an item without its container");
    const Value container = m_stack[height - 1];
    if (!container.isObject())
        return malformed("an item in what is no container");
    const ObjectKind kind = m_heap.object(container).kind();
    const bool looksLikeList = kind == ObjectKind::EmptyList || kind == ObjectKind::List ||
                               kind == ObjectKind::Stack || kind == ObjectKind::EventList;
    const bool looksLikeTuple = kind == ObjectKind::Tuple || kind == ObjectKind::Pair;
    if (looksLikeTuple || (kind != ObjectKind::Dropped && looksLikeList == isDict))
        return malformed("an item in the wrong kind of container");
    const std::span<const Value> items = m_stack.from(height);
    if (!items.empty()) {
        if (isDict)
            m_shape.fillDict(m_heap, container, items, m_opcodeOffset);
        else
            m_shape.fillList(m_heap, container, items, m_opcodeOffset);
    }
    m_stack.cut(height);
    return true;
}

bool Machine::tuple(std::size_t count)
{
    if (m_stack.size() < count)
        return malformed("a tuple of values that are not there");
    const std::size_t height = m_stack.size() - count;
    const Object object = m_shape.makeTuple(m_heap, m_stack.from(height));
    m_stack.cut(height);
    return push(m_heap.add(object));
}

bool Machine::memoize(std::uint64_t slot)
{
    if (m_stack.empty())
        return malformed("it remembers a value that is not there");
    // Writers number the slots from 0, and each costs at least a byte.
    if (slot > static_cast<std::uint64_t>(m_in.offset()))
        return malformed("a memo slot beyond what the file can fill");
    if (m_heap.memoize(slot, m_stack.back()))
        m_shape.memoChanged();
    return true;
}

bool Machine::recall(std::uint64_t slot)
{
    Value value;
    if (!m_heap.recall(slot, value))
        return malformed("it recalls a value that was never remembered");
    return push(value);
}

bool Machine::mark()
{
    if (!m_stack.empty() && m_stack.back().isObject()) {
        const std::size_t consumed = m_shape.readAheadInList(m_heap, m_stack.back(), m_in);
        if (consumed > 0) {
            m_in.advance(consumed);
            return true;
        }
    }
    if (m_marks.size() >= m_mostValues)
        return malformed("it is nested too deeply");
    m_marks.push_back(m_stack.size());
    return true;
}

/// The dicts of a list are consecutive; bytes that were scanned ahead are not scanned again.
bool Machine::emptyDict()
{
    for (;;) {
        if (!push(m_heap.add(ObjectKind::EmptyDict)))
            return false;
        const Shape::Ahead ahead = m_shape.readAheadInDict(m_heap, m_stack.back(), m_in);
        m_in.advance(ahead.size);
        if (!ahead.isFollowed)
            return true;
        m_in.advance(1);
    }
}

} // namespace vramscope::pickle
