// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace vramscope {

/// A max-tree over a constant sequence: for any range the greatest value and its first position,
/// and all positions above a threshold in time proportional to the answer. The values are not
/// copied: the caller keeps them. Costs one value per 15 of the sequence. `Less` orders the values:
/// with std::greater<> the tree finds the smallest.
template<class T, class Less = std::less<>>
class MaxTree
{
public:
    static constexpr std::size_t kFan = 16;

    MaxTree() = default;
    explicit MaxTree(std::span<const T> values)
        : m_values(values)
    {
        std::span<const T> below = values;
        while (below.size() > 1) {
            std::vector<T> level((below.size() + kFan - 1) / kFan);
            for (std::size_t at = 0; at < level.size(); ++at) {
                T most = below[at * kFan]; // without a branch: the greatest is unpredictable
                const std::size_t end = std::min(below.size(), (at + 1) * kFan);
                for (std::size_t each = at * kFan + 1; each < end; ++each)
                    most = Less{}(most, below[each]) ? below[each] : most;
                level[at] = most;
            }
            m_levels.push_back(std::move(level));
            below = m_levels.back();
        }
    }

    [[nodiscard]] std::size_t size() const { return m_values.size(); }

    /// The index of the greatest value in [first, last), the first of equals. The range must not be
    /// empty.
    [[nodiscard]] std::size_t argMax(std::size_t first, std::size_t last) const;

    /// Calls visit(index) for each index in [first, last) whose value is greater than `threshold`,
    /// ascending.
    template<class Visit>
    void forEachAbove(std::size_t first, std::size_t last, const T &threshold, Visit &&visit) const
    {
        if (first < last)
            visitAbove(m_levels.size(), 0, first, last, threshold, visit);
    }

private:
    [[nodiscard]] const T &at(std::size_t level, std::size_t index) const
    {
        return level == 0 ? m_values[index] : m_levels[level - 1][index];
    }
    // How many leaves one node of a level covers.
    [[nodiscard]] static std::size_t span(std::size_t level)
    {
        std::size_t leaves = 1;
        while (level-- > 0)
            leaves *= kFan;
        return leaves;
    }
    template<class Visit>
    void visitAbove(std::size_t level, std::size_t node, std::size_t first, std::size_t last,
                    const T &threshold, Visit &visit) const
    {
        if (!Less{}(threshold, at(level, node)))
            return;
        if (level == 0) {
            visit(node);
            return;
        }
        const std::size_t width = span(level - 1);
        const std::size_t children = level == 1 ? m_values.size() : m_levels[level - 2].size();
        const std::size_t begin = std::max(node * kFan, first / width);
        const std::size_t end = std::min({(node + 1) * kFan, children, (last + width - 1) / width});
        for (std::size_t child = begin; child < end; ++child)
            visitAbove(level - 1, child, first, last, threshold, visit);
    }

    std::span<const T> m_values;
    std::vector<std::vector<T>> m_levels;
};

template<class T, class Less>
std::size_t MaxTree<T, Less>::argMax(std::size_t first, std::size_t last) const
{
    std::size_t best = first;
    std::size_t at = first;
    while (at < last) {
        // The widest aligned node that starts here and ends inside the range.
        std::size_t level = 0;
        std::size_t width = 1;
        while (level < m_levels.size() && at % (width * kFan) == 0 && at + width * kFan <= last) {
            width *= kFan;
            ++level;
        }
        if (Less{}(m_values[best], this->at(level, at / width))) {
            std::size_t node = at / width;
            const T greatest = this->at(level, node);
            while (level > 0) { // descend to its first leaf
                node *= kFan;
                --level;
                while (Less{}(this->at(level, node), greatest))
                    ++node;
            }
            best = node;
        }
        at += width;
    }
    return best;
}

} // namespace vramscope
