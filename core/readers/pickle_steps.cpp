// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_heap.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/pickle_opcodes.h"

#include <algorithm>

// The instructions of a pickle that are rare in a snapshot, one at a time.

namespace vramscope::pickle {

namespace {

constexpr std::size_t kLongestName = 200; // of a class, in a message

} // namespace

template<class Number>
bool Machine::number(Number &value)
{
    if (!need(sizeof(Number)))
        return false;
    value = littleEndian<Number>(m_in.cursor());
    m_in.advance(sizeof(Number));
    return true;
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
        // The only big-endian number.
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
                                                    "; write it again with protocol 5 or less.");
        m_protocol = protocol;
        return true;
    }
    case kFrame: {
        std::uint64_t length = 0;
        return number(length); // frames only help writers; their length adds nothing
    }
    case kStop:
        if (m_stack.empty())
            return malformed("it ends without a value");
        m_stopped = true;
        return true;
    case kPop:
        // As in Python: takes the mark if nothing is above it.
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
        return stepText(opcode);
    }
}

bool Machine::refuse(std::uint8_t opcode)
{
    const auto *refused = std::ranges::find(kRefusedOpcodes, opcode, &RefusedOpcode::code);
    if (refused == std::end(kRefusedOpcodes))
        return malformed("an unknown instruction");
    std::string name = refused->name;
    std::string module;
    std::string member;
    if (opcode == kGlobal) {
        if (!line(module, kLongestName) || !line(member, kLongestName))
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

bool Machine::decimal(std::uint64_t &value)
{
    constexpr std::size_t kMostDigits = 18;
    std::string digits;
    if (!line(digits, kMostDigits))
        return false;
    if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
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
    if (length > kLongestText) {
        m_shape.problem("A text too long to keep.", m_opcodeOffset);
        return skipBytes(length);
    }
    if (!needAll(static_cast<std::size_t>(length)))
        return false;
    const std::string_view text(reinterpret_cast<const char *>(m_in.cursor()),
                                static_cast<std::size_t>(length));
    m_in.advance(static_cast<std::size_t>(length));
    return push(Value::of(m_shape.intern(text)));
}

bool Machine::skipBytes(std::uint64_t length)
{
    while (length > 0) {
        if (!need(1) || (m_in.offset() >= m_nextReport && !report()))
            return false;
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(length, m_in.available()));
        m_in.advance(count);
        length -= count;
    }
    return push(ValueKind::Opaque, 0);
}

} // namespace vramscope::pickle
