// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/readers/pickle_heap.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope::pickle {

/// Decides what a pickle's containers become. The machine calls it whenever a container receives
/// items; the default keeps them all whole, so that any pickle can be read without knowing its
/// meaning.
class Shape
{
public:
    virtual ~Shape() = default;

    virtual StringId intern(std::string_view text) = 0;
    [[nodiscard]] virtual std::string_view text(StringId id) const = 0;
    /// `pairs` (keys and values in turn) go into a dict. `offset`: where in the file.
    virtual void fillDict(Heap &heap, const Value &dict, std::span<const Value> pairs,
                          std::int64_t offset);
    /// `items` go to the end of a list or set.
    virtual void fillList(Heap &heap, const Value &list, std::span<const Value> items,
                          std::int64_t offset);
    /// A tuple of `items`.
    virtual Object makeTuple(Heap &heap, std::span<const Value> items);
    /// Called at a MARK that follows a list: may fill `list` from the next bytes and return how
    /// many bytes after the cursor that took, APPENDS included; 0 if it did nothing. Only for
    /// speed.
    virtual std::size_t readAheadInList(Heap &, const Value & /*list*/, const ByteWindow &)
    {
        return 0;
    }
    /// What readAheadInDict() took.
    struct Ahead
    {
        std::size_t size = 0;
        bool isFollowed = false; ///< by EMPTY_DICT for a dict that can be read ahead as well
    };
    /// Reads ahead after EMPTY_DICT, up to and including SETITEMS.
    virtual Ahead readAheadInDict(Heap &, const Value & /*dict*/, ByteWindow &) { return {}; }
    /// A memo slot was written again with another value.
    virtual void memoChanged() {}
    /// Counts an anomaly of the file.
    virtual void problem(const char *kind, std::int64_t offset) = 0;
    /// `bytes` of the file are known to exist; they justify memory.
    virtual void justify(std::int64_t /*bytes*/) {}
    /// A failure that ends the reading.
    [[nodiscard]] virtual std::optional<Error> failure() const { return {}; }
};

/// Runs the instructions of one pickle, protocol 0 to 5. Builds no object by name: an instruction
/// that names a class or runs code ends the reading with Refused. Memory grows only with the bytes
/// read: no length, index or count in the file is believed before the bytes that justify it.
class Machine
{
public:
    Machine(ByteWindow &input, Heap &heap, Shape &shape, const Progress &progress);

    /// Reads up to STOP and returns the value left on the stack.
    [[nodiscard]] Result<Value> run();
    /// The protocol that the pickle declares.
    [[nodiscard]] int protocol() const { return m_protocol; }

private:
    bool runCommon();
    bool step();
    bool stepScalar(std::uint8_t opcode);
    bool stepContainer(std::uint8_t opcode);
    bool stepMemo(std::uint8_t opcode);
    bool stepStack(std::uint8_t opcode);
    bool stepText(std::uint8_t opcode);
    bool refuse(std::uint8_t opcode);

    bool need(std::size_t count);
    bool needAll(std::size_t count);
    template<class Number>
    bool number(Number &value);
    bool decimal(std::uint64_t &value);
    bool longNumber(std::uint64_t length);
    bool text(std::uint64_t length);
    bool skipBytes(std::uint64_t length);
    bool line(std::string &text, std::size_t most);
    bool decimalInt(std::string_view digits);
    bool quotedText(std::string_view line);
    bool escapedText(std::string_view line);

    [[gnu::always_inline]] bool push(ValueKind kind, std::uint64_t bits)
    {
        if (m_stack.size() >= m_mostValues)
            return tooMany();
        m_stack.push(kind, bits);
        return true;
    }
    bool push(Value value) { return push(value.kind, value.bits); }
    bool tooMany();
    bool popMark(std::size_t &height);
    bool fill(bool isDict, std::size_t height);
    bool tuple(std::size_t count);
    bool memoize(std::uint64_t slot);
    bool recall(std::uint64_t slot);
    bool mark();
    bool emptyDict();
    bool report();
    void justify();
    bool fail(ErrorCode code, std::string detail);
    bool malformed(const char *what);

    ByteWindow &m_in;
    Heap &m_heap;
    Shape &m_shape;
    const Progress &m_progress;
    ValueStack m_stack;
    std::vector<std::size_t> m_marks; // heights of the stack
    std::size_t m_mostValues = 0;
    std::int64_t m_nextReport = 0;
    std::int64_t m_opcodeOffset = 0;
    int m_protocol = 0;
    bool m_stopped = false;
    std::optional<Error> m_error;
};

} // namespace vramscope::pickle
