// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operator_table.h"

#include "core/base/bytes.h"
#include "core/profile/pair_ids.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

std::uint32_t number(StringId id)
{
    return static_cast<std::uint32_t>(id);
}

/// Gives operators, parents before children, the numbers of their groups.
class OperatorGroups
{
public:
    OperatorGroups(const Profile &profile, const OperatorTableOptions &options)
        : m_operators(profile.operators())
    {
        if (options.grouping != OperatorGrouping::Name)
            m_ids.reserve(m_operators.count());
        switch (options.grouping) {
        case OperatorGrouping::Name: // whose ids are at hand
            m_most = profile.textCount();
            return;
        case OperatorGrouping::Shapes:
            byShapes();
            return;
        case OperatorGrouping::Path:
            byPath(kNoRow);
            if (options.belowForward)
                belowForward();
            return;
        case OperatorGrouping::Module:
            for (const StringId module : operatorModules(profile, options.belowForward))
                m_ids.push_back(number(module));
            return;
        }
    }

    [[nodiscard]] std::uint32_t of(std::size_t at) const
    {
        return m_ids.empty() ? number(m_operators.name[at]) : m_ids[at];
    }
    [[nodiscard]] std::size_t most() const
    {
        const auto largest = std::ranges::max_element(m_ids);
        return largest == m_ids.end() ? m_most
                                      : std::max<std::size_t>(std::size_t(*largest) + 1, m_most);
    }
    /// By path: the group around a group; kNoRow.
    [[nodiscard]] std::uint32_t outer(std::uint32_t id) const { return m_pairs.pair(id).first; }
    [[nodiscard]] StringId name(std::uint32_t id) const
    {
        return static_cast<StringId>(m_pairs.pair(id).second);
    }

private:
    void byShapes()
    {
        PairIds inputs;
        for (std::size_t at = 0; at < m_operators.count(); ++at)
            m_ids.push_back(
                m_pairs.id(number(m_operators.name[at]), inputs.id(number(m_operators.shapes[at]),
                                                                   number(m_operators.types[at]))));
    }
    void byPath(std::uint32_t root)
    {
        for (std::size_t at = 0; at < m_operators.count(); ++at) {
            const std::uint32_t parent = m_operators.parent[at];
            m_ids.push_back(
                m_pairs.id(parent == kNoRow ? root : m_ids[parent], number(m_operators.name[at])));
        }
        m_most = m_pairs.size();
    }
    /// From the paths of forward operators as they are, so that whatever a file links cannot loop.
    void belowForward()
    {
        const std::vector<std::uint32_t> plain = m_ids;
        for (std::size_t at = 0; at < m_operators.count(); ++at) {
            const std::uint32_t forward = m_operators.forward[at];
            const std::uint32_t parent = m_operators.parent[at];
            const std::uint32_t outer = forward != kNoRow  ? plain[forward]
                                        : parent != kNoRow ? m_ids[parent]
                                                           : kNoRow;
            m_ids[at] = m_pairs.id(outer, number(m_operators.name[at]));
        }
        m_most = m_pairs.size();
    }

    const OperatorColumns &m_operators;
    PairIds m_pairs;
    std::size_t m_most = 0; // groups
    std::vector<std::uint32_t> m_ids;
};

bool isWithin(std::span<const TimeInterval> windows, std::int64_t time)
{
    return windows.empty() || std::ranges::any_of(windows, [&](const TimeInterval &each) {
               return each.start <= time && time < each.end;
           });
}

/// Adds operators to their rows.
class RowSums
{
public:
    RowSums(const OperatorColumns &operators, OperatorTable &table)
        : m_operators(operators)
        , m_table(table)
    {
    }

    void open(std::uint32_t at)
    {
        const std::uint32_t row = m_table.row[at];
        if (row >= m_open.size())
            m_open.resize(m_table.rows.size());
        ++m_open[row];
    }

    /// Once all within it are closed.
    void close(std::uint32_t at, const OperatorCost &cost)
    {
        const std::uint32_t row = m_table.row[at];
        OperatorRow &sums = m_table.rows[row];
        ++sums.count;
        sums.hostSelf = wrappingSum(sums.hostSelf, cost.hostSelf);
        sums.waiting = wrappingSum(sums.waiting, cost.waiting);
        sums.deviceSelf = wrappingSum(sums.deviceSelf, cost.deviceSelf);
        if (--m_open[row] > 0) // within one of its own group
            return;
        sums.hostTotal = wrappingSum(
            sums.hostTotal, wrappingDifference(m_operators.end[at], m_operators.start[at]));
        sums.deviceTotal = wrappingSum(sums.deviceTotal, cost.deviceTotal);
        sums.launches += cost.launches;
    }

private:
    const OperatorColumns &m_operators;
    OperatorTable &m_table;
    std::vector<std::uint32_t> m_open; ///< of each row: how many of it hold the operator at hand
};

/// The row of a path, added with those of all around it, which come first.
std::uint32_t pathRow(const OperatorGroups &groups, std::uint32_t path,
                      std::vector<std::uint32_t> &rowOf, std::vector<OperatorRow> &rows)
{
    std::vector<std::uint32_t> missing;
    std::uint32_t outer = path;
    for (; outer != kNoRow && rowOf[outer] == kNoRow; outer = groups.outer(outer))
        missing.push_back(outer);
    for (std::size_t at = missing.size(); at-- > 0;) {
        const std::uint32_t around = at + 1 < missing.size() ? missing[at + 1] : outer;
        rowOf[missing[at]] = static_cast<std::uint32_t>(rows.size());
        rows.push_back(
            {groups.name(missing[at]), {}, {}, around == kNoRow ? kNoRow : rowOf[around]});
    }
    return rowOf[path];
}

} // namespace

OperatorTable operatorTable(const Profile &profile, WorkRows work,
                            const OperatorTableOptions &options)
{
    const OperatorColumns &operators = profile.operators();
    const OperatorGroups groups(profile, options);
    OperatorTable table;
    table.grouping = options.grouping;
    table.row.assign(operators.count(), kNoRow);
    std::vector<std::uint32_t> rowOf(groups.most(), kNoRow);
    RowSums sums(operators, table);
    const auto open = [&](std::uint32_t at) {
        if (!isWithin(options.within, operators.start[at]))
            return;
        const std::uint32_t group = groups.of(at);
        if (options.grouping == OperatorGrouping::Path) {
            table.row[at] = pathRow(groups, group, rowOf, table.rows);
        } else {
            if (rowOf[group] == kNoRow) {
                rowOf[group] = static_cast<std::uint32_t>(table.rows.size());
                OperatorRow row{operators.name[at]};
                if (options.grouping == OperatorGrouping::Module)
                    row.name = static_cast<StringId>(group);
                if (options.grouping == OperatorGrouping::Shapes) {
                    row.shapes = operators.shapes[at];
                    row.types = operators.types[at];
                }
                table.rows.push_back(row);
            }
            table.row[at] = rowOf[group];
        }
        sums.open(at);
    };
    OperatorCostWalk(profile, work).run(open, [&](std::uint32_t at, const OperatorCost &cost) {
        if (table.row[at] != kNoRow)
            sums.close(at, cost);
    });
    return table;
}

std::vector<std::uint32_t> OperatorTable::sorted(const Profile &profile) const
{
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const OperatorRow &one = rows[a];
        const OperatorRow &other = rows[b];
        if (one.deviceTotal != other.deviceTotal)
            return one.deviceTotal > other.deviceTotal;
        if (one.hostTotal != other.hostTotal)
            return one.hostTotal > other.hostTotal;
        return profile.text(one.name) < profile.text(other.name);
    });
    return order;
}

std::string pathText(const Profile &profile, const OperatorTable &table, std::uint32_t row)
{
    std::string text(profile.text(table.rows[row].name));
    for (std::uint32_t at = table.rows[row].parent; at != kNoRow; at = table.rows[at].parent)
        text.insert(0, std::string(profile.text(table.rows[at].name)) + " > ");
    return text;
}

} // namespace vramscope
