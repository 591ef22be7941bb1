// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/space_nodes.h"

#include <algorithm>

namespace vramscope {

namespace {

/// How many of the sorted addresses are `address` or less; without a branch that could be
/// mispredicted.
std::size_t countUpTo(const std::uint64_t *addresses, std::size_t count, std::uint64_t address)
{
    const std::uint64_t *from = addresses;
    while (count > 0) {
        const std::size_t half = (count + 1) / 2;
        from += from[half - 1] <= address ? half : 0;
        count -= half;
    }
    return static_cast<std::size_t>(from - addresses);
}

} // namespace

/// The leaf in which an address is or would be; it always exists.
std::size_t SpaceNodes::leafOf(std::uint64_t address) const
{
    return std::max<std::size_t>(countUpTo(m_begins.data(), m_begins.size(), address), 1) - 1;
}

SpaceNodes::Index SpaceNodes::lastUpTo(std::uint64_t address) const
{
    if (const Index found = beginningAt(address); found != kNone || m_leaves.empty())
        return found;
    const Leaf &leaf = *m_leaves[leafOf(address)];
    const std::size_t count = countUpTo(leaf.addresses.data(), leaf.count, address);
    if (count == 0) {
        const Index before = m_nodes[leaf.nodes.front()].previous;
        const bool isBehind = before != kNone && m_nodes[before].node.address > address;
        return isBehind ? m_nodes[before].previous : before; // a node outside the leaves
    }
    const Index last = leaf.nodes[count - 1];
    const Index beside = m_nodes[last].next;
    const bool isBeside =
        beside != kNone && !m_nodes[beside].isInLeaf && m_nodes[beside].node.address <= address;
    return isBeside ? beside : last;
}

SpaceNodes::Index SpaceNodes::add(Index before, const SpaceNode &node)
{
    Index added = static_cast<Index>(m_nodes.size());
    if (m_free.empty()) {
        m_nodes.emplace_back();
    } else {
        added = m_free.back();
        m_free.pop_back();
    }
    const Index after = before == kNone ? m_first : m_nodes[before].next;
    m_nodes[added] = {node, before, after};
    if (after != kNone)
        m_nodes[after].previous = added;
    (before == kNone ? m_first : m_nodes[before].next) = added;
    m_beginning.exchange(node.address, static_cast<std::int32_t>(added));
    return added;
}

SpaceNodes::Index SpaceNodes::insertBehind(Index before, const SpaceNode &node)
{
    const Index added = add(before, node);
    addToLeaf(added);
    return added;
}

SpaceNodes::Index SpaceNodes::insertBeside(Index before, const SpaceNode &node)
{
    keep(before);
    if (const Index after = m_nodes[before].next; after != kNone)
        keep(after); // found from the previous node until now
    return add(before, node);
}

void SpaceNodes::addToLeaf(Index node)
{
    const std::uint64_t address = m_nodes[node].node.address;
    m_nodes[node].isInLeaf = true;
    if (m_leaves.empty()) {
        m_leaves.push_back(std::make_unique<Leaf>());
        m_begins.push_back(0);
    }
    std::size_t at = leafOf(address);
    if (m_leaves[at]->count == kMostInLeaf) {
        split(at);
        at = leafOf(address);
    }
    Leaf &leaf = *m_leaves[at];
    const std::size_t place = countUpTo(leaf.addresses.data(), leaf.count, address);
    std::copy_backward(leaf.addresses.begin() + place, leaf.addresses.begin() + leaf.count,
                       leaf.addresses.begin() + leaf.count + 1);
    std::copy_backward(leaf.nodes.begin() + place, leaf.nodes.begin() + leaf.count,
                       leaf.nodes.begin() + leaf.count + 1);
    leaf.addresses[place] = address;
    leaf.nodes[place] = node;
    ++leaf.count;
}

void SpaceNodes::split(std::size_t leaf)
{
    Leaf &full = *m_leaves[leaf];
    auto upper = std::make_unique<Leaf>();
    constexpr std::size_t kHalf = kMostInLeaf / 2;
    upper->count = full.count - kHalf;
    std::copy_n(full.addresses.begin() + kHalf, upper->count, upper->addresses.begin());
    std::copy_n(full.nodes.begin() + kHalf, upper->count, upper->nodes.begin());
    full.count = kHalf;
    const auto behind = static_cast<std::ptrdiff_t>(leaf) + 1;
    m_begins.insert(m_begins.begin() + behind, upper->addresses.front());
    m_leaves.insert(m_leaves.begin() + behind, std::move(upper));
}

void SpaceNodes::erase(Index node)
{
    const Linked gone = m_nodes[node];
    (gone.previous == kNone ? m_first : m_nodes[gone.previous].next) = gone.next;
    if (gone.next != kNone)
        m_nodes[gone.next].previous = gone.previous;
    m_nodes[node].node.owner = kNoLife;
    m_free.push_back(node);
    m_beginning.take(gone.node.address);
    if (gone.isInLeaf)
        removeFromLeaf(gone.node.address, gone.next);
}

/// Takes the node that began at `address` out of its leaf; if its successor was found from it, that
/// one comes into a leaf instead.
void SpaceNodes::removeFromLeaf(std::uint64_t address, Index successor)
{
    const std::size_t at = leafOf(address);
    Leaf &leaf = *m_leaves[at];
    const std::size_t place = countUpTo(leaf.addresses.data(), leaf.count, address) - 1;
    if (successor != kNone && !m_nodes[successor].isInLeaf) {
        const std::uint64_t next = m_nodes[successor].node.address;
        if (at + 1 < m_begins.size() && m_begins[at + 1] <= next) {
            addToLeaf(successor);
            return removeFromLeaf(address, kNone);
        }
        leaf.addresses[place] = next;
        leaf.nodes[place] = successor;
        m_nodes[successor].isInLeaf = true;
        return;
    }
    std::copy(leaf.addresses.begin() + place + 1, leaf.addresses.begin() + leaf.count,
              leaf.addresses.begin() + place);
    std::copy(leaf.nodes.begin() + place + 1, leaf.nodes.begin() + leaf.count,
              leaf.nodes.begin() + place);
    if (--leaf.count > 0)
        return;
    const auto empty = static_cast<std::ptrdiff_t>(at);
    m_leaves.erase(m_leaves.begin() + empty);
    m_begins.erase(m_begins.begin() + empty);
    if (!m_begins.empty())
        m_begins.front() = 0;
}

} // namespace vramscope
