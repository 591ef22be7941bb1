// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/intervals.h"
#include "core/profile/operator_costs.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

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
