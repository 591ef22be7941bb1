// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_map.h"
#include "core/analysis/replayed/lifetimes.h"
#include "core/base/bytes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace vramscope {

/// A range of addresses in the replay of an address space: a block, or free. Free neighbours of the
/// same segment are always one node.
struct SpaceNode
{
    std::uint64_t address = 0;
    Bytes size = 0;
    LifeIndex owner = kNoLife;
    std::uint32_t segment = 0; ///< equal for ranges that the allocator treats as one segment
    Bytes page = 0;            ///< of an expandable segment; else the size of the whole segment
    Bytes phase = 0;           ///< where its pages begin, modulo the page
    bool expandable = false;
    bool pending = false;

    [[nodiscard]] std::uint64_t end() const { return address + static_cast<std::uint64_t>(size); }
};

/// Nodes by address, for a replay in which some thousand live at a time and millions come and go:
/// neighbours are known at once, the beginning of a node is found by a hash, and any other place in
/// short sorted leaves of addresses. Nodes keep their index while they live; a new one reuses the
/// memory of a removed one.
class SpaceNodes
{
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = UINT32_MAX;

    [[nodiscard]] SpaceNode &operator[](Index node) { return m_nodes[node].node; }
    [[nodiscard]] const SpaceNode &operator[](Index node) const { return m_nodes[node].node; }
    [[nodiscard]] Index first() const { return m_first; }
    [[nodiscard]] Index next(Index node) const { return m_nodes[node].next; }
    [[nodiscard]] Index previous(Index node) const { return m_nodes[node].previous; }

    /// The node that begins at `address`, or kNone.
    [[nodiscard]] Index beginningAt(std::uint64_t address) const
    {
        const std::int32_t found = m_beginning.find(address);
        return found == AddressMap::kNone ? kNone : static_cast<Index>(found);
    }
    /// The last node that begins at `address` or before, or kNone.
    [[nodiscard]] Index lastUpTo(std::uint64_t address) const;
    /// Adds a node after `before`, the last one that begins before it; kNone: before all others.
    /// Its address must be unused. References to nodes are void afterwards.
    Index insertBehind(Index before, const SpaceNode &node);
    /// Adds a node that may soon go again: it is in no leaf but is found from `before`, until that
    /// one goes or the new one is kept.
    Index insertBeside(Index before, const SpaceNode &node);
    /// Makes `node` findable by itself from now on.
    void keep(Index node)
    {
        if (!m_nodes[node].isInLeaf)
            addToLeaf(node);
    }
    void erase(Index node);

private:
    static constexpr std::size_t kMostInLeaf = 128;

    struct Linked
    {
        SpaceNode node;
        Index previous = kNone;
        Index next = kNone;
        bool isInLeaf = false; ///< otherwise the previous node is
    };
    /// Addresses of consecutive nodes; at least one.
    struct Leaf
    {
        std::size_t count = 0;
        std::array<std::uint64_t, kMostInLeaf> addresses;
        std::array<Index, kMostInLeaf> nodes;
    };
    [[nodiscard]] std::size_t leafOf(std::uint64_t address) const;
    [[nodiscard]] Index add(Index before, const SpaceNode &node);
    void addToLeaf(Index node);
    void removeFromLeaf(std::uint64_t address, Index successor);
    void split(std::size_t leaf);

    std::vector<Linked> m_nodes;
    std::vector<Index> m_free; // removed nodes
    AddressMap m_beginning;    // most requests are for the beginning of a node
    Index m_first = kNone;
    std::vector<std::uint64_t> m_begins; // by leaf: its first address; the first leaf's counts as 0
    std::vector<std::unique_ptr<Leaf>> m_leaves;
};

} // namespace vramscope
