// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_text.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/table/terminal_table.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// Widest line of a table for a terminal.
inline constexpr std::size_t kTableWidth = 100;
/// What sizes, shares and counts leave of it for the place where memory was allocated.
inline constexpr std::size_t kStackWidth = 62;

/// A paragraph of a terminal, ended by a line feed; empty of an empty text.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t width = kTableWidth);

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
/// Rows of the same text together; the largest first, equals in the order in which they came.
[[nodiscard]] std::vector<GroupRow> mergedRows(std::vector<GroupRow> rows);
/// Live allocations by the place that made them, in at most `width` characters.
[[nodiscard]] std::vector<GroupRow> placeRows(const Trace &trace, FrameOrigins &origins,
                                              std::span<const LiveGroup> groups,
                                              std::size_t width = kStackWidth);

/// How a table of groups reads.
struct GroupLook
{
    Wide whole = 0; ///< that shares are of
    Cost cost = Cost::Live;
    bool isTimed = true;
    std::string head = "allocated in";
    std::string plural = "stacks"; ///< heads the number of groups, where a row has several
    std::size_t most = 0;          ///< rows, and one for the others; 0: all
    ByteUnit unit = ByteUnit::Binary;
    /// For a report: rows below this part of the whole, 1/1000, join the others; 0: none.
    Wide leastPart = 0;
};
/// Size, share, blocks, groups and text of the rows.
[[nodiscard]] DataTable groupTable(std::span<const GroupRow> rows, const GroupLook &look);

} // namespace vramscope
