// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_text.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/table/terminal_table.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace vramscope {

/// Widest line of a table for a terminal.
inline constexpr std::size_t kTableWidth = 100;
/// What sizes, shares and counts leave of it for the place where memory was allocated.
inline constexpr std::size_t kStackWidth = 62;

/// A part of a whole in percent with one decimal: "12.3 %", "<0.1 %"; empty where either is 0.
[[nodiscard]] std::string formatShare(Wide part, Wide whole);

/// The amount of a cost: "12.3 GiB", or "4.5 GiB·s" and "4.5 GiB·events" for bytes × time.
[[nodiscard]] std::string formatAmount(Wide amount, Cost cost, bool isTimed, ByteUnit unit);

/// A size, or "-" where it is not known.
[[nodiscard]] std::string formatKnown(Bytes bytes, bool isKnown, ByteUnit unit);

/// frameText() in at most `width` characters: folders in the middle of the path give way first,
/// then the middle of the file's name, then the place, and the name of the function last.
[[nodiscard]] std::string frameCell(const Trace &trace, FrameId frame, std::size_t width);

/// stackText() likewise.
[[nodiscard]] std::string stackCell(const Trace &trace, StackId stack, FrameOrigins &origins,
                                    std::size_t width);

/// A row of a table of groups: those that read the same, as stacks that differ further out do, are
/// put together.
struct GroupRow
{
    std::string text;
    Wide amount = 0;
    std::int64_t count = 0;
    std::int64_t groups = 1;
};

/// Adds to the row with the text of `row`, or appends it.
class GroupRows
{
public:
    void add(GroupRow row);
    /// The largest first, equals in the order in which they came.
    [[nodiscard]] std::vector<GroupRow> sorted() const;

private:
    std::vector<GroupRow> m_rows;
    std::unordered_map<std::string, std::size_t> m_places;
};

/// A table "size share blocks [stacks] head" of at most `most` rows (0: all) and one for the
/// others. The number of groups in a row is shown where one holds several, under `plural`.
[[nodiscard]] std::string groupTable(const std::vector<GroupRow> &rows, Wide whole, Cost cost,
                                     bool isTimed, std::string_view head, std::string_view plural,
                                     std::size_t most, ByteUnit unit);

} // namespace vramscope
