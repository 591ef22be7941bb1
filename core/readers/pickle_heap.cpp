// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_heap.h"

#include "core/base/expected_rows.h"

#include <algorithm>

namespace vramscope::pickle {

namespace {

constexpr std::size_t kNode = 4; // the cost of a node itself, in values

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

void Heap::expect(std::size_t objects, std::size_t slots)
{
    reserveFor(m_objects, objects);
    reserveFor(m_memo, slots);
}

} // namespace vramscope::pickle
