// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace vramscope::pickle {

/// The longest text that is kept; a megabyte of source is a long one.
inline constexpr std::size_t kLongestText = std::size_t(16) << 20;

/// The longest number that is kept.
inline constexpr std::uint64_t kWordBytes = 8;

/// The number at `at` in a pickle's usual byte order.
template<class Number>
[[nodiscard]] Number littleEndian(const std::uint8_t *at)
{
    static_assert(std::endian::native == std::endian::little, "pickles are little endian");
    Number value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The number in the first `length` bytes of a word, at most eight.
[[nodiscard]] inline std::uint64_t signedWord(std::uint64_t word, std::size_t length)
{
    if (length == 0)
        return 0;
    const std::size_t unused = 8 * (kWordBytes - length);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(word << unused) >> unused);
}

// As wide as a value's bits, which are copied with it: a byte of it that was just written would
// delay each load of the whole.
enum class ValueKind : std::uint64_t {
    None,
    Bool,
    Int,    ///< the low 64 bits
    Float,  ///< bits of the double
    Text,   ///< StringId
    Opaque, ///< bytes, or a number of more than 64 bits: not kept
    Object, ///< index of a container in the heap
};

/// One value on the stack: a scalar, or a reference to a container.
struct Value
{
    ValueKind kind = ValueKind::None;
    std::uint64_t bits = 0;

    [[nodiscard]] static Value of(StringId text)
    {
        return {ValueKind::Text, static_cast<std::uint64_t>(text)};
    }
    bool operator==(const Value &) const = default;
    [[nodiscard]] bool isText() const { return kind == ValueKind::Text; }
    [[nodiscard]] bool isObject() const { return kind == ValueKind::Object; }
    [[nodiscard]] StringId text() const { return static_cast<StringId>(bits); }
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
};

/// The current state of a container. The first kinds exist in any pickle; those from Frame on are a
/// snapshot's containers as soon as they are filled, which need no node.
enum class ObjectKind : std::uint8_t {
    EmptyList,
    EmptyDict,
    List,      ///< node of items; also sets
    Dict,      ///< node of keys and values in turn
    Tuple,     ///< node of items
    Dropped,   ///< a container that was not kept
    Frame,     ///< FrameId
    Stack,     ///< StackId: a list of frames
    Event,     ///< log and row
    EventList, ///< log
    Block,     ///< index of a record
    Segment,
    Annotation,
    History,
    Pair, ///< a tuple of two small numbers, none negative
};

/// A container: its kind and an index whose meaning depends on the kind, in eight bytes.
class Object
{
public:
    static constexpr std::uint64_t kMostIndex = (std::uint64_t(1) << 56) - 1;

    /// `index`: a number, or the id of a text, frame or stack.
    template<class Index = std::uint64_t>
    Object(ObjectKind kind = ObjectKind::EmptyList, Index index = {})
        : m_packed(static_cast<std::uint64_t>(kind) << 56 | static_cast<std::uint64_t>(index))
    {
    }
    [[nodiscard]] ObjectKind kind() const { return static_cast<ObjectKind>(m_packed >> 56); }
    [[nodiscard]] std::uint64_t index() const { return m_packed & kMostIndex; }

private:
    std::uint64_t m_packed;
};

/// The numbers of a Pair, 28 bits each.
inline constexpr int kPairBits = 28;
[[nodiscard]] inline bool fitsPair(const Value &value)
{
    return value.kind == ValueKind::Int && value.bits >> kPairBits == 0;
}
[[nodiscard]] inline Object makePair(const Value &first, const Value &second)
{
    return {ObjectKind::Pair, first.bits << kPairBits | second.bits};
}
[[nodiscard]] inline std::int64_t pairFirst(Object pair)
{
    return static_cast<std::int64_t>(pair.index() >> kPairBits);
}
[[nodiscard]] inline std::int64_t pairSecond(Object pair)
{
    return static_cast<std::int64_t>(pair.index() & ((std::uint64_t(1) << kPairBits) - 1));
}

/// Stores the pickled values: containers, the items of those that are kept whole, and the memo.
/// About four bytes per memo slot and eight per container.
class Heap
{
public:
    using Items = std::vector<Value>;

    /// Allows as many values as a file justifies with `bytes` known to exist.
    void justify(std::int64_t bytes);
    /// A new container; returns its reference.
    Value add(Object object)
    {
        m_objects.push_back(object);
        return {ValueKind::Object, m_objects.size() - 1};
    }
    [[nodiscard]] Object &object(const Value &value) { return m_objects[value.bits]; }
    [[nodiscard]] const Object &object(const Value &value) const { return m_objects[value.bits]; }
    /// The object of any value; Dropped if it is not a container.
    [[nodiscard]] Object objectOf(const Value &value) const
    {
        return value.isObject() ? object(value) : Object(ObjectKind::Dropped);
    }
    [[nodiscard]] std::size_t objectCount() const { return m_objects.size(); }

    /// Keeps items whole and returns their object. Past what the file justifies, items that are not
    /// part of a snapshot are not kept, and the object is Dropped.
    Object keep(ObjectKind kind, std::span<const Value> items);
    /// Appends items to a List or Dict.
    void extend(Object &object, std::span<const Value> items);
    /// Forgets a container whose content has been used.
    void drop(const Value &value) { replace(value, ObjectKind::Dropped); }
    /// Replaces a container; its items are forgotten.
    void replace(const Value &value, Object object);
    /// True when something was not kept.
    [[nodiscard]] bool overfull() const { return m_overfull; }
    /// The items of a List, Dict or Tuple.
    [[nodiscard]] Items &items(Object object) { return m_nodes[object.index()]; }
    [[nodiscard]] const Items &items(Object object) const { return m_nodes[object.index()]; }
    [[nodiscard]] bool hasItems(Object object) const
    {
        return object.kind() == ObjectKind::List || object.kind() == ObjectKind::Dict ||
               object.kind() == ObjectKind::Tuple;
    }

    /// Writes a memo slot. Returns true if it had another value before.
    bool memoize(std::uint64_t slot, const Value &value);
    /// False if the slot was never written.
    [[nodiscard]] bool recall(std::uint64_t slot, Value &value) const;
    /// Makes room for these total numbers of containers and memo slots.
    void expect(std::size_t objects, std::size_t slots);
    /// The container in a memo slot, or null.
    [[nodiscard]] const Object *recallObject(std::uint64_t slot) const
    {
        if (slot >= m_memo.size() || m_memo[slot] >> kMemoShift != kMemoObject)
            return nullptr;
        return &m_objects[m_memo[slot] & kMemoIndex];
    }
    /// Whether a memo slot was ever written.
    [[nodiscard]] bool isWritten(std::uint64_t slot) const
    {
        return slot < m_memo.size() && m_memo[slot] != 0;
    }
    /// Whether the slots written are those before memoCount(): then MEMOIZE overwrites none.
    [[nodiscard]] bool isDense() const { return m_memo.size() == m_memoCount; }
    /// The number of written slots, which is the slot that MEMOIZE writes next.
    [[nodiscard]] std::uint64_t memoCount() const { return m_memoCount; }
    /// True when indices no longer fit into a memo slot.
    [[nodiscard]] bool full() const
    {
        return m_objects.size() > kMemoIndex || m_others.size() > kMemoIndex;
    }

private:
    // A slot is two bits of kind and 30 of index; all zero is a slot never written.
    static constexpr int kMemoShift = 30;
    static constexpr std::uint32_t kMemoIndex = (1U << kMemoShift) - 1;
    static constexpr std::uint32_t kMemoText = 1;
    static constexpr std::uint32_t kMemoObject = 2;
    static constexpr std::uint32_t kMemoOther = 3;

    static constexpr std::size_t kFewestKept = std::size_t(1) << 22; // whatever the file's size

    bool reserve(std::size_t count);

    std::vector<Object> m_objects;
    std::vector<Items> m_nodes{Items{}}; // the first is that of every empty tuple
    std::size_t m_kept = 0;
    std::size_t m_mostKept = kFewestKept;
    bool m_overfull = false;
    std::vector<std::uint32_t> m_memo;
    std::vector<Value> m_others; // memoised scalars other than texts
    std::uint64_t m_memoCount = 0;
};

inline bool Heap::memoize(std::uint64_t slot, const Value &value)
{
    std::uint32_t packed = 0;
    if (value.isObject()) {
        packed = kMemoObject << kMemoShift | static_cast<std::uint32_t>(value.bits);
    } else if (value.isText() && value.bits <= kMemoIndex) {
        packed = kMemoText << kMemoShift | static_cast<std::uint32_t>(value.bits);
    } else {
        // Repeating the same value costs the file a byte each.
        if (m_others.empty() || m_others.back() != value)
            m_others.push_back(value);
        packed = kMemoOther << kMemoShift | static_cast<std::uint32_t>(m_others.size() - 1);
    }
    if (slot == m_memo.size())
        m_memo.push_back(0);
    else if (slot > m_memo.size())
        m_memo.resize(slot + 1);
    const std::uint32_t before = m_memo[slot];
    m_memo[slot] = packed;
    if (before == 0)
        ++m_memoCount;
    return before != 0 && before != packed;
}

inline bool Heap::recall(std::uint64_t slot, Value &value) const
{
    if (slot >= m_memo.size() || m_memo[slot] == 0)
        return false;
    const std::uint32_t index = m_memo[slot] & kMemoIndex;
    switch (m_memo[slot] >> kMemoShift) {
    case kMemoText:
        value = {ValueKind::Text, index};
        break;
    case kMemoObject:
        value = {ValueKind::Object, index};
        break;
    default:
        value = m_others[index];
        break;
    }
    return true;
}

/// The values that wait for their container. A vector with a push of one compare and two stores: a
/// snapshot pushes some twenty values per event.
class ValueStack
{
public:
    [[gnu::always_inline]] void push(ValueKind kind, std::uint64_t bits)
    {
        if (m_size == m_values.size())
            grow();
        Value &top = m_values[m_size++];
        top.kind = kind;
        top.bits = bits;
    }
    void push(Value value) { push(value.kind, value.bits); }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const Value &operator[](std::size_t at) const { return m_values[at]; }
    [[nodiscard]] const Value &back() const { return m_values[m_size - 1]; }
    /// The values from `height` to the top.
    [[nodiscard]] std::span<const Value> from(std::size_t height) const
    {
        return std::span(m_values).subspan(height, m_size - height);
    }
    /// Takes all values from `height` up.
    void cut(std::size_t height)
    {
        assert(height <= m_size);
        m_size = height;
    }
    /// Puts a value below those from `height` up.
    void insert(std::size_t height, Value value)
    {
        push(value);
        const auto begin = m_values.begin();
        const auto last = begin + static_cast<std::ptrdiff_t>(m_size);
        std::rotate(begin + static_cast<std::ptrdiff_t>(height), last - 1, last);
    }

private:
    void grow() { m_values.resize(std::max<std::size_t>(1024, 2 * m_values.size())); }

    std::vector<Value> m_values;
    std::size_t m_size = 0;
};

} // namespace vramscope::pickle
