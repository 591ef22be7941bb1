// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_heap.h"

#include <algorithm>

namespace vramscope::pickle {

namespace {

constexpr std::size_t kNode = 4; // what a node itself costs, in values

} // namespace

void Heap::justify(std::int64_t bytes)
{
    constexpr std::int64_t kBytesPerKept = 16;
    m_mostKept =
        std::max(m_mostKept, kFewestKept + static_cast<std::size_t>(bytes / kBytesPerKept));
}

bool Heap::reserve(std::size_t count)
{
    if (m_kept + count + kNode > m_mostKept) {
        m_overfull = true;
        return false;
    }
    m_kept += count + kNode;
    return true;
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

void Heap::replace(const Value &value, Object object)
{
    Object &replaced = this->object(value);
    if (hasItems(replaced) && replaced.index() != 0) {
        Items &items = m_nodes[replaced.index()];
        m_kept -= std::min(m_kept, items.size());
        items = {};
    }
    replaced = object;
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
