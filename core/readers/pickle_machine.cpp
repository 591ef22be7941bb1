// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_machine.h"

#include "core/readers/pickle_opcodes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vramscope::pickle {

namespace {

constexpr int kNewestProtocol = 5;
constexpr std::int64_t kReportBytes = 256 * 1024; // at most some milliseconds of work
constexpr std::uint64_t kWordBytes = 8;
constexpr std::size_t kLongestName = 200; // of a class, in a message

template<class Number>
Number littleEndian(const std::uint8_t *at)
{
    static_assert(std::endian::native == std::endian::little, "pickles are little endian");
    Number value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The number that the first `length` bytes of a word stand for, at most eight.
std::uint64_t signedWord(std::uint64_t word, std::size_t length)
{
    if (length == 0)
        return 0;
    const std::size_t unused = 8 * (kWordBytes - length);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(word << unused) >> unused);
}

/// The number after BININT1, BININT2 or BININT, of which only the last has a sign.
std::uint64_t smallNumber(std::uint8_t opcode, const std::uint8_t *at)
{
    if (opcode == kBinInt1)
        return *at;
    if (opcode == kBinInt2)
        return littleEndian<std::uint16_t>(at);
    return static_cast<std::uint64_t>(std::int64_t(littleEndian<std::int32_t>(at)));
}

/// The bytes of an instruction that the fast loop runs as soon as it is whole in the window; 0 of
/// the others.
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

// The most values that wait on the stack: the events of a C++ pickle wait all, at over 40 bytes
// each; a plain million is always allowed.
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
    , m_mostValues(static_cast<std::size_t>(
          std::max(kFewestMostValues, input.size() / kBytesPerWaitingValue)))
{
}

Result<Value> Machine::run()
{
    std::int64_t nextReport = 0;
    while (!m_stopped && !m_error) {
        m_opcodeOffset = m_in.offset();
        if (m_opcodeOffset >= nextReport) {
            nextReport = m_opcodeOffset + kReportBytes;
            if (!report())
                break;
        }
        if (!runCommon() || !step())
            break;
    }
    if (m_error)
        return *m_error;
    return m_stack.back();
}

/// Runs the instructions that nearly all of a snapshot consists of, as long as they are whole in
/// the window, and stops before any other. The cursor is kept in a register between the calls.
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
    if (const auto failure = m_shape.failure()) {
        m_error = failure;
        return false;
    }
    if (m_heap.full())
        return fail(ErrorCode::Unsupported,
                    "The file holds more containers than VRAMscope can number; record fewer "
                    "events with max_entries.");
    const double done = static_cast<double>(m_in.offset()) /
                        static_cast<double>(std::max<std::int64_t>(1, m_in.size()));
    if (m_progress && !m_progress(done))
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

template<class Number>
bool Machine::number(Number &value)
{
    if (!need(sizeof(Number)))
        return false;
    value = littleEndian<Number>(m_in.cursor());
    m_in.advance(sizeof(Number));
    return true;
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

bool Machine::stepScalar(std::uint8_t opcode)
{
    std::uint8_t length1 = 0;
    std::uint32_t length4 = 0;
    std::uint64_t length8 = 0;
    switch (opcode) {
    case kNone:
        return push(Value());
    case kNewTrue:
    case kNewFalse:
        return push(ValueKind::Bool, opcode == kNewTrue);
    case kLong1:
        return number(length1) && longNumber(length1);
    case kLong4:
        return number(length4) && longNumber(length4);
    case kBinFloat:
        // The only number that is big endian.
        if (!number(length8))
            return false;
        return push(ValueKind::Float, __builtin_bswap64(length8));
    case kShortBinUnicode:
    case kShortBinString:
        return number(length1) && text(length1);
    case kBinUnicode:
    case kBinString:
        return number(length4) && text(length4);
    case kBinUnicode8:
        return number(length8) && text(length8);
    case kShortBinBytes:
        return number(length1) && skipBytes(length1);
    case kBinBytes:
        return number(length4) && skipBytes(length4);
    case kBinBytes8:
    case kByteArray8:
        return number(length8) && skipBytes(length8);
    default:
        return stepContainer(opcode);
    }
}

bool Machine::stepContainer(std::uint8_t opcode)
{
    std::size_t height = 0;
    switch (opcode) {
    case kEmptySet:
        return push(m_heap.add(ObjectKind::EmptyList));
    case kAppend:
    case kSetItem: {
        const std::size_t count = opcode == kAppend ? 1 : 2;
        if (m_stack.size() <= count)
            return malformed("an item without its container");
        return fill(opcode == kSetItem, m_stack.size() - count);
    }
    case kAddItems:
        return popMark(height) && fill(false, height);
    case kList:
    case kDict:
    case kFrozenSet: {
        if (!popMark(height))
            return false;
        const bool isDict = opcode == kDict;
        m_stack.insert(height, m_heap.add(isDict ? ObjectKind::EmptyDict : ObjectKind::EmptyList));
        return fill(isDict, height + 1);
    }
    case kEmptyTuple:
        return tuple(0);
    case kTuple1:
        return tuple(1);
    case kTuple2:
        return tuple(2);
    case kTuple3:
        return tuple(3);
    case kTuple:
        return popMark(height) && tuple(m_stack.size() - height);
    default:
        return stepMemo(opcode);
    }
}

bool Machine::stepMemo(std::uint8_t opcode)
{
    std::uint8_t slot1 = 0;
    std::uint32_t slot4 = 0;
    std::uint64_t slot = 0;
    switch (opcode) {
    case kBinPut:
        return number(slot1) && memoize(slot1);
    case kLongBinPut:
        return number(slot4) && memoize(slot4);
    case kPut:
        return decimal(slot) && memoize(slot);
    case kGet:
        return decimal(slot) && recall(slot);
    default:
        return stepStack(opcode);
    }
}

bool Machine::stepStack(std::uint8_t opcode)
{
    std::size_t height = 0;
    switch (opcode) {
    case kProto: {
        std::uint8_t protocol = 0;
        if (!number(protocol))
            return false;
        if (protocol > kNewestProtocol)
            return fail(ErrorCode::Unsupported, "The pickle has protocol " +
                                                    std::to_string(protocol) +
                                                    "; write it again with protocol 2 to 5.");
        m_protocol = protocol;
        return true;
    }
    case kFrame: {
        std::uint64_t length = 0;
        return number(length); // frames only help writers; their length says nothing new
    }
    case kStop:
        if (m_stack.empty())
            return malformed("it ends without a value");
        m_stopped = true;
        return true;
    case kPop:
        // Python's: takes the mark where there is nothing above it.
        if (!m_marks.empty() && m_marks.back() == m_stack.size()) {
            m_marks.pop_back();
            return true;
        }
        if (m_stack.empty())
            return malformed("it takes a value that is not there");
        m_stack.cut(m_stack.size() - 1);
        return true;
    case kPopMark:
        if (!popMark(height))
            return false;
        m_stack.cut(height);
        return true;
    case kDup:
        if (m_stack.empty())
            return malformed("it takes a value that is not there");
        return push(m_stack.back());
    default:
        return refuse(opcode);
    }
}

bool Machine::refuse(std::uint8_t opcode)
{
    const auto *refused = std::ranges::find(kRefusedOpcodes, opcode, &RefusedOpcode::code);
    if (refused == std::end(kRefusedOpcodes)) {
        if (std::ranges::find(kTextOpcodes, opcode) != std::end(kTextOpcodes))
            return fail(ErrorCode::Unsupported, "The pickle holds text values of protocol 0; "
                                                "write it again with protocol 2 to 5.");
        return malformed("an unknown instruction");
    }
    std::string name = refused->name;
    std::string module;
    std::string member;
    if (opcode == kGlobal) {
        if (!line(module) || !line(member))
            return false;
        name += " " + module + "." + member;
    } else if (opcode == kStackGlobal && m_stack.size() >= 2) {
        const Value &first = m_stack[m_stack.size() - 2];
        const Value &second = m_stack.back();
        if (first.isText() && second.isText())
            name += " " + std::string(m_shape.text(first.text()).substr(0, kLongestName)) + "." +
                    std::string(m_shape.text(second.text()).substr(0, kLongestName));
    }
    return fail(ErrorCode::Refused,
                "The pickle asks to run code (" + name +
                    "), which a memory snapshot never does and VRAMscope never will; open the "
                    "file that torch.cuda.memory._dump_snapshot() wrote.");
}

bool Machine::line(std::string &text)
{
    for (;;) {
        if (!need(1))
            return false;
        const auto c = static_cast<char>(*m_in.cursor());
        m_in.advance(1);
        if (c == '\n')
            return true;
        if (text.size() == kLongestName)
            return malformed("a line without an end");
        text.push_back(c);
    }
}

bool Machine::decimal(std::uint64_t &value)
{
    std::string digits;
    if (!line(digits))
        return false;
    constexpr std::size_t kMostDigits = 18;
    if (digits.empty() || digits.size() > kMostDigits ||
        !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        return malformed("a memo slot that is no number");
    value = std::stoull(digits);
    return true;
}

bool Machine::longNumber(std::uint64_t length)
{
    if (length > kWordBytes + 1)
        return skipBytes(length);
    if (!need(static_cast<std::size_t>(length)))
        return false;
    const std::size_t kept = std::min(length, kWordBytes);
    std::uint64_t word = 0;
    std::memcpy(&word, m_in.cursor(), kept);
    m_in.advance(static_cast<std::size_t>(length));
    return push(ValueKind::Int, signedWord(word, kept));
}

bool Machine::text(std::uint64_t length)
{
    if (!need(static_cast<std::size_t>(length)))
        return false;
    const std::string_view text(reinterpret_cast<const char *>(m_in.cursor()),
                                static_cast<std::size_t>(length));
    m_in.advance(static_cast<std::size_t>(length));
    return push(ValueKind::Text, static_cast<std::uint64_t>(m_shape.intern(text)));
}

bool Machine::skipBytes(std::uint64_t length)
{
    if (length > static_cast<std::uint64_t>(m_in.left()))
        return need(static_cast<std::size_t>(length)); // says that the file ends too early
    while (length > 0) {
        if (!need(1))
            return false;
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(length, m_in.available()));
        m_in.advance(count);
        length -= count;
    }
    return push(ValueKind::Opaque, 0);
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

bool Machine::emptyDict()
{
    if (!push(m_heap.add(ObjectKind::EmptyDict)))
        return false;
    m_in.advance(m_shape.readAheadInDict(m_heap, m_stack.back(), m_in));
    return true;
}

} // namespace vramscope::pickle
