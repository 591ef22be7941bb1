// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_heap.h"

namespace vramscope::pickle {

bool Heap::reserve(std::size_t count)
{
    constexpr std::size_t kNode = 4; // what a node itself costs, in values
    if (!overfull())
        m_kept += count + kNode;
    return !overfull();
}

Object Heap::keep(ObjectKind kind, std::span<const Value> items)
{
    if (items.empty())
        return {kind, 0};
    if (!reserve(items.size()))
        return ObjectKind::Dropped;
    m_nodes.emplace_back(items.begin(), items.end());
    return {kind, m_nodes.size() - 1};
}

void Heap::extend(Object &object, std::span<const Value> items)
{
    if (!reserve(items.size())) {
        object = ObjectKind::Dropped;
        return;
    }
    Items &own = m_nodes[object.index()];
    own.insert(own.end(), items.begin(), items.end());
}

void Heap::drop(const Value &value)
{
    Object &dropped = object(value);
    if (hasItems(dropped) && dropped.index() != 0)
        m_nodes[dropped.index()] = {};
    dropped = ObjectKind::Dropped;
}

bool Heap::memoize(std::uint64_t slot, const Value &value)
{
    std::uint32_t packed = 0;
    if (value.isObject()) {
        packed = kMemoObject << kMemoShift | static_cast<std::uint32_t>(value.bits);
    } else if (value.isText() && value.bits <= kMemoIndex) {
        packed = kMemoText << kMemoShift | static_cast<std::uint32_t>(value.bits);
    } else {
        // The same value again and again costs the file a byte each.
        if (m_others.empty() || m_others.back() != value)
            m_others.push_back(value);
        packed = kMemoOther << kMemoShift | static_cast<std::uint32_t>(m_others.size() - 1);
    }
    if (slot >= m_memo.size())
        m_memo.resize(slot + 1);
    const std::uint32_t before = m_memo[slot];
    m_memo[slot] = packed;
    if (before == 0)
        ++m_memoCount;
    return before != 0 && before != packed;
}

bool Heap::recall(std::uint64_t slot, Value &value) const
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

} // namespace vramscope::pickle
