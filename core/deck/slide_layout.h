// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/pptx.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

// The grid of a slide and the layout of its texts, the same on a screen, in PDF and in .pptx: only
// the widths of the letters differ. Lengths are in points of a slide of 960 × 540.

inline constexpr double kSlideWide = 960;
inline constexpr double kSlideHigh = 540;
inline constexpr double kSlideSide = 58; ///< margin at the left and the right
inline constexpr double kContentWide = kSlideWide - 2 * kSlideSide;
inline constexpr double kProblemTop = 14; ///< in the upper margin
inline constexpr double kTitleTop = 43;
inline constexpr double kTitleHigh = 72;
inline constexpr double kTitleType = 30;
inline constexpr double kLeastTitleType = 24;
inline constexpr double kKickerTop = 119;
inline constexpr double kBodyTop = 150;
inline constexpr double kBodyEnd = 490;
inline constexpr double kFootTop = 504;
inline constexpr double kFootType = 11;
inline constexpr double kPageWide = 60; ///< of the number of the page, in the foot
inline constexpr double kLabelType = 14;
inline constexpr double kLabelHigh = 18; ///< a line of it
inline constexpr double kNoteType = 16;
inline constexpr double kMostTableShare = 0.5; ///< of the content's height, under a picture
inline constexpr double kPartGap = 16;         ///< between a picture and its table, above a note
inline constexpr std::size_t kSlideRows = 5;
inline constexpr std::size_t kCellLines = 2; ///< more only if a text would be cut
inline constexpr double kCellGap = 20;

/// The width of a text of a size, bold or not.
using Measure = std::function<double(std::string_view text, double points, bool bold)>;

/// The text with blanks that do not break between a number and what it counts: "174 GiB",
/// "8 × H200".
[[nodiscard]] std::string unbroken(std::string_view text);

/// A text wrapped into at most `most` lines of a width; the last ends with "…" if more is left.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width, double points,
                                               bool bold, std::size_t most, const Measure &measure);

/// A title in at most two lines, in the largest type with which it fits; two lines part after a
/// clause where they can.
struct TitleLines
{
    std::vector<std::string> lines;
    double type = kTitleType;
};
[[nodiscard]] TitleLines titleLines(std::string_view title, double width, const Measure &measure);

/// The rows that a slide has room for, the strong one among them.
[[nodiscard]] SlideTable shownRows(SlideTable table);
/// Where a table's parts are, from its upper left corner.
struct TableLayout
{
    struct Cell
    {
        std::vector<std::string> lines;
        std::string below; ///< in the type of labels
    };
    double type = 18;
    double head = 0; ///< its height; 0: none
    std::vector<double> columns;
    std::vector<double> rows;
    std::vector<std::vector<Cell>> cells;
    double barWide = 0;          ///< of the largest size
    double limitText = 0;        ///< where it begins, at the right of the head
    std::vector<double> figures; ///< where those of the sizes begin, from their column's left edge

    [[nodiscard]] double height() const;
    [[nodiscard]] double left(std::size_t column) const;
    [[nodiscard]] double top(std::size_t row) const;
};

/// A bar or the limit of the column of sizes.
struct SizeBar
{
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
};
[[nodiscard]] SizeBar sizeBar(const SlideTable &table, const TableLayout &layout, std::size_t row);
/// A line without width, from the head to the last row.
[[nodiscard]] SizeBar limitLine(const SlideTable &table, const TableLayout &layout);

[[nodiscard]] bool hasHead(const SlideTable &table);
[[nodiscard]] bool hasWords(const SlideTable &table, std::size_t column);
/// Whether a cell is emphasised: names, figures with bars, the best and what is recommended.
[[nodiscard]] bool isBold(const SlideTable &table, std::size_t row, std::size_t column);
[[nodiscard]] bool isBest(const SlideTable &table, std::size_t row, std::size_t column);

/// Figures are as wide as they need, words share the rest; in the largest type, of 18 to 16 points,
/// in which no cell has more than two lines.
[[nodiscard]] TableLayout tableLayout(const SlideTable &table, double width, double height,
                                      const Measure &measure);

/// The rows that are not shown, or of which a text is cut, a line each with the titles of their
/// columns.
[[nodiscard]] std::vector<std::string> leftOutRows(const SlideTable &table,
                                                   const TableLayout &layout);

/// The height that a table takes under a picture.
[[nodiscard]] double tableRoom(const SlideTable &table, double height, const Measure &measure);

} // namespace vramscope
