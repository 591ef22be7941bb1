// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/profile/breakdown.h"
#include "core/profile/intervals.h"
#include "core/profile/profile.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

/// What an operator took, in nanoseconds.
struct OperatorCost
{
    std::int64_t hostSelf = 0;    ///< its duration less that of its children, 0 at least
    std::int64_t waiting = 0;     ///< of hostSelf: in calls that wait for the device
    std::int64_t deviceSelf = 0;  ///< work that it launched, and none of its children
    std::int64_t deviceTotal = 0; ///< the same of itself and all within it
    std::int64_t launches = 0;    ///< pieces of work of itself and all within it
};

/// Goes over the operators of a profile with what each took: there may be tens of millions, of
/// which only those that hold each other are looked at together.
class OperatorCostWalk
{
public:
    /// With the device times of these rows of work alone.
    OperatorCostWalk(const Profile &profile, WorkRows rows);

    /// Calls open(row) for each operator, parents before children, and close(row, cost) once all
    /// within it are closed.
    template<class Open, class Close>
    void run(Open open, Close close)
    {
        for (std::uint32_t row = 0; row < m_operators.count(); ++row) {
            closeUpTo(m_operators.parent[row], close);
            open(row);
            enter(row);
        }
        closeUpTo(kNoRow, close);
    }

private:
    struct OpenOperator
    {
        std::uint32_t row;
        std::size_t firstWait; // in m_waits
        OperatorCost cost;
    };
    struct Wait
    {
        std::uint32_t within; // an operator
        std::int64_t time;
    };
    void enter(std::uint32_t row);
    OperatorCost leave();
    template<class Close>
    void closeUpTo(std::uint32_t parent, Close close)
    {
        while (!m_open.empty() && m_open.back().row != parent) {
            const std::uint32_t row = m_open.back().row;
            close(row, leave());
        }
    }

    /// What an operator launched itself.
    struct Launched
    {
        std::int64_t time = 0;
        std::int64_t count = 0;
    };
    void addWork(const Profile &profile, WorkRows rows);
    [[nodiscard]] bool hasLaunched(std::uint32_t row) const
    {
        return (m_hasLaunched[row / kBits] >> row % kBits & 1) != 0;
    }

    const OperatorColumns &m_operators;
    static constexpr std::uint32_t kBits = 64;
    std::vector<std::uint64_t> m_hasLaunched; // a bit for each row
    std::vector<Launched> m_launched;         // of those alone, in their order
    std::size_t m_nextLaunched = 0;
    std::vector<Wait> m_waits; // by operator
    std::size_t m_nextWait = 0;
    std::vector<OpenOperator> m_open;
};

/// The same of each operator of a profile, by its row.
struct OperatorCosts
{
    std::vector<std::int64_t> hostSelf;
    std::vector<std::int64_t> waiting;
    std::vector<std::int64_t> deviceSelf;
    std::vector<std::int64_t> deviceTotal;
    std::vector<std::int64_t> launches;
};

/// With the device times of these rows of work alone.
[[nodiscard]] OperatorCosts operatorCosts(const Profile &profile, WorkRows rows);

/// The nn.Module in which each operator ran: as the file states it of the operator, else the
/// innermost Python function "nn.Module: …" around it, else that of the operator around it, and
/// where `ofForward` says so, of the forward operator that it is the backward of. Empty: not known.
[[nodiscard]] std::vector<StringId> operatorModules(const Profile &profile, bool ofForward);

/// What operators are put together by.
enum class OperatorGrouping : std::uint8_t {
    Name,
    Shapes, ///< name, shapes and types of the inputs
    Path,   ///< the names of the operators around it
    Module, ///< the nn.Module in which it ran
};

/// Operators of one group.
struct OperatorRow
{
    StringId name = StringId::Empty;   ///< by module: of the module, Empty where none is known
    StringId shapes = StringId::Empty; ///< by shapes
    StringId types = StringId::Empty;
    std::uint32_t parent = kNoRow; ///< by path: the row of the operators around it
    std::int64_t count = 0;
    std::int64_t hostSelf = 0;
    std::int64_t waiting = 0;   ///< of hostSelf
    std::int64_t hostTotal = 0; ///< of those not within another of the same group
    std::int64_t deviceSelf = 0;
    std::int64_t deviceTotal = 0; ///< of those not within another of the same group
    std::int64_t launches = 0;    ///< the same
};

struct OperatorTable
{
    OperatorGrouping grouping = OperatorGrouping::Name;
    std::vector<OperatorRow> rows;  ///< in order of their first operator: parents before children
    std::vector<std::uint32_t> row; ///< of each operator; kNoRow: it does not count

    /// Rows by device time, then host time, then name: the way to show them.
    [[nodiscard]] std::vector<std::uint32_t> sorted(const Profile &profile) const;
};

struct OperatorTableOptions
{
    OperatorGrouping grouping = OperatorGrouping::Name;
    /// By path and by module: a backward operator, which runs on a thread of its own, stands below
    /// the forward one whose gradient it computes, where that is known.
    bool belowForward = false;
    /// Only operators that start within one of these; empty: all.
    std::span<const TimeInterval> within;
};

/// With the device times of these rows of work alone.
[[nodiscard]] OperatorTable operatorTable(const Profile &profile, WorkRows work,
                                          const OperatorTableOptions &options = {});

/// The call path of a row of a table by path: "outer > inner".
[[nodiscard]] std::string pathText(const Profile &profile, const OperatorTable &table,
                                   std::uint32_t row);

} // namespace vramscope
