// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/slide_layout.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

constexpr double kLeading = 1.25;  ///< of a line, by its type
constexpr double kRowPadding = 13; ///< above and below together
constexpr double kMostRow = 66;
constexpr double kHeadHigh = 30;
constexpr double kLeastBars = 220; ///< width of a column of sizes
constexpr double kBarShare = 0.42; ///< of the table, at most
constexpr double kBarHigh = 28;
constexpr double kFigureGap = 8; ///< between a bar and its figure

std::string_view mainOf(std::string_view cell)
{
    return cell.substr(0, cell.find('\n'));
}

std::string_view belowOf(std::string_view cell)
{
    const std::size_t end = cell.find('\n');
    return end == std::string_view::npos ? std::string_view() : cell.substr(end + 1);
}

double longestWord(std::string_view text, double type, const Measure &measure)
{
    double longest = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        longest = std::max(longest, measure(text.substr(from, end - from), type, true));
        from = end + 1;
    }
    return longest;
}

/// The width that a column wants, and the one that it needs.
struct Wanted
{
    double wants = 0;
    double needs = 0;
};

Wanted wantedWidth(const SlideTable &table, std::size_t column, double type, double width,
                   const Measure &measure)
{
    constexpr double kRounding = 1; // a text as wide as its column must not wrap
    Wanted wanted;
    const auto take = [&](const std::string &text, double size) {
        const std::string whole = unbroken(text);
        wanted.wants = std::max(wanted.wants, measure(whole, size, true) + kRounding);
        wanted.needs = std::max(wanted.needs, longestWord(whole, size, measure) + kRounding);
    };
    take(table.columns[column], kLabelType);
    for (const auto &row : table.rows) {
        take(std::string(mainOf(row[column])), type);
        take(std::string(belowOf(row[column])), kLabelType);
    }
    if (table.sizes && table.sizes->column == column)
        return {std::max(kLeastBars, width * kBarShare), kLeastBars};
    if (!hasWords(table, column))
        wanted.needs = wanted.wants;
    return wanted;
}

/// The largest share of which no column takes more, so that all together have room. Where even that
/// is too much, words are cut before figures.
void fitInto(std::vector<double> &columns, const SlideTable &table,
             const std::vector<Wanted> &wanted, double width)
{
    const auto taken = [&](double most) {
        for (std::size_t at = 0; at < columns.size(); ++at)
            columns[at] = std::max(wanted[at].needs, std::min(wanted[at].wants, most));
        return std::accumulate(columns.begin(), columns.end(), 0.0);
    };
    double low = 0;
    double high = width;
    constexpr int kSteps = 30;
    for (int step = 0; step < kSteps; ++step)
        (taken((low + high) / 2) > width ? high : low) = (low + high) / 2;
    const double all = taken(low);
    if (all <= width)
        return;
    double words = 0;
    for (std::size_t at = 0; at < columns.size(); ++at)
        words += hasWords(table, at) ? columns[at] : 0;
    constexpr double kLeastWords = 0.25; // of the table
    const double kept = std::max(words - (all - width), std::min(words, kLeastWords * width));
    for (std::size_t at = 0; at < columns.size(); ++at)
        columns[at] *= width / (all - words + kept) * (hasWords(table, at) ? kept / words : 1);
}

std::vector<double> columnWidths(const SlideTable &table, double width, double type,
                                 const Measure &measure)
{
    const std::size_t count = table.columns.size();
    const double room = width - kCellGap * static_cast<double>(count - 1);
    std::vector<Wanted> wanted;
    std::vector<double> columns;
    for (std::size_t column = 0; column < count; ++column) {
        wanted.push_back(wantedWidth(table, column, type, room, measure));
        columns.push_back(wanted.back().wants);
    }
    const double all = std::accumulate(columns.begin(), columns.end(), 0.0);
    if (all > room) {
        fitInto(columns, table, wanted, room);
    } else {
        std::size_t rest = 0; // the last column of words takes it
        for (std::size_t column = 0; column < count; ++column)
            rest = hasWords(table, column) ? column : rest;
        columns[rest] += room - all;
    }
    for (std::size_t column = 0; column + 1 < count; ++column)
        columns[column] += kCellGap;
    return columns;
}

double textWidth(const TableLayout &layout, std::size_t column)
{
    return layout.columns[column] - (column + 1 < layout.columns.size() ? kCellGap : 0);
}

/// The cells in a type; whether each keeps to its lines.
bool layCells(const SlideTable &table, TableLayout &layout, double width, std::size_t most,
              const Measure &measure)
{
    layout.columns = columnWidths(table, width, layout.type, measure);
    layout.cells.clear();
    layout.rows.clear();
    bool fits = true;
    for (const auto &row : table.rows) {
        auto &cells = layout.cells.emplace_back();
        double high = 0;
        for (std::size_t column = 0; column < row.size(); ++column) {
            const double room = textWidth(layout, column);
            const bool strong =
                column == 0 || !hasWords(table, column) || table.strong == layout.cells.size() - 1;
            const std::string text = unbroken(mainOf(row[column]));
            TableLayout::Cell cell{wrapped(text, room, layout.type, strong, most + 1, measure), {}};
            if (cell.lines.size() > most) {
                fits = false;
                cell.lines = wrapped(text, room, layout.type, strong, most, measure);
            }
            const std::string below = unbroken(belowOf(row[column]));
            if (!below.empty())
                cell.below = wrapped(below, room, kLabelType, false, 1, measure).front();
            high = std::max(high, static_cast<double>(cell.lines.size()) * layout.type * kLeading +
                                      (below.empty() ? 0 : kLabelHigh));
            cells.push_back(std::move(cell));
        }
        layout.rows.push_back(high + kRowPadding);
    }
    return fits;
}

} // namespace

bool hasHead(const SlideTable &table)
{
    return std::ranges::any_of(table.columns,
                               [](const std::string &title) { return !title.empty(); });
}

bool hasWords(const SlideTable &table, std::size_t column)
{
    return std::ranges::find(table.words, static_cast<int>(column)) != table.words.end();
}

bool isBest(const SlideTable &table, std::size_t row, std::size_t column)
{
    return std::ranges::find(table.best, std::pair(row, column)) != table.best.end();
}

bool isBold(const SlideTable &table, std::size_t row, std::size_t column)
{
    const bool names = column == 0 && !table.columns[0].empty();
    return names || table.strong == row || isBest(table, row, column) ||
           (table.sizes && !hasWords(table, column));
}

SlideTable shownRows(SlideTable table)
{
    if (table.rows.size() <= kSlideRows)
        return table;
    if (table.strong && *table.strong >= kSlideRows) {
        std::swap(table.rows[kSlideRows - 1], table.rows[*table.strong]);
        table.strong = kSlideRows - 1;
    }
    table.rows.resize(kSlideRows);
    return table;
}

std::vector<std::string> leftOutRows(const SlideTable &table, const TableLayout &layout)
{
    std::vector<std::string> lines;
    const SlideTable shown = shownRows(table);
    const auto isCut = [](const TableLayout::Cell &cell) {
        return !cell.lines.empty() && cell.lines.back().ends_with("…");
    };
    for (const auto &row : table.rows) {
        const auto place = std::ranges::find(shown.rows, row);
        if (place != shown.rows.end() &&
            std::ranges::none_of(layout.cells[static_cast<std::size_t>(place - shown.rows.begin())],
                                 isCut))
            continue;
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string &title = table.columns[column];
            line += (line.empty() ? "" : "; ") + (title.empty() ? "" : title + ": ") + row[column];
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

double TableLayout::height() const
{
    return std::accumulate(rows.begin(), rows.end(), head);
}

double TableLayout::left(std::size_t column) const
{
    return std::accumulate(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(column),
                           0.0);
}

double TableLayout::top(std::size_t row) const
{
    return std::accumulate(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(row), head);
}

namespace {

double sizeScale(const SlideSizes &sizes, const TableLayout &layout)
{
    double most = sizes.limit;
    for (const double value : sizes.values)
        most = std::max(most, value);
    return most > 0 ? layout.barWide / most : 0;
}

/// Behind their bars, and not on the line of the limit.
void placeFigures(const SlideTable &table, TableLayout &layout, const Measure &measure)
{
    const SlideSizes &sizes = *table.sizes;
    const auto widthOf = [&](std::size_t row) {
        return measure(table.rows[row][sizes.column], layout.type, true);
    };
    double widest = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        widest = std::max(widest, widthOf(row));
    layout.barWide = textWidth(layout, sizes.column) - widest - 2 * kFigureGap;
    const double limit = sizes.limit * sizeScale(sizes, layout);
    const double text = measure(sizes.limitText, kLabelType, true);
    layout.limitText =
        layout.left(sizes.column) +
        std::max(limit - text / 2,
                 measure(table.columns[sizes.column], kLabelType, false) + kFigureGap);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double left = sizes.values[row] * sizeScale(sizes, layout) + kFigureGap;
        const bool crosses = left < limit + kFigureGap && left + widthOf(row) > limit - 4;
        layout.figures.push_back(crosses ? limit + kFigureGap : left);
    }
}

} // namespace

TableLayout tableLayout(const SlideTable &table, double width, double height,
                        const Measure &measure)
{
    TableLayout layout;
    layout.head = hasHead(table) ? kHeadHigh : 0;
    bool fits = false;
    const auto lay = [&](std::size_t lines) {
        fits = layCells(table, layout, width, lines, measure) && layout.height() <= height;
    };
    for (layout.type = 18; lay(kCellLines), !fits && layout.type > 16;)
        --layout.type;
    constexpr std::size_t kMostLines = 4;
    for (std::size_t lines = kCellLines + 1; !fits && lines <= kMostLines; ++lines)
        lay(lines);
    for (std::size_t lines = kMostLines; layout.height() > height && lines > 0; --lines)
        layCells(table, layout, width, lines, measure); // nothing fits: the texts are cut
    const double rest = height - layout.height();
    const auto count = static_cast<double>(std::max<std::size_t>(layout.rows.size(), 1));
    for (double &row : layout.rows)
        row = std::max(row, std::min(kMostRow, row + rest / count));
    if (table.sizes)
        placeFigures(table, layout, measure);
    return layout;
}

SizeBar sizeBar(const SlideTable &table, const TableLayout &layout, std::size_t row)
{
    const double high = std::min(kBarHigh, layout.rows[row] - 10);
    return {layout.left(table.sizes->column), layout.top(row) + (layout.rows[row] - high) / 2,
            table.sizes->values[row] * sizeScale(*table.sizes, layout), high};
}

SizeBar limitLine(const SlideTable &table, const TableLayout &layout)
{
    return {layout.left(table.sizes->column) + table.sizes->limit * sizeScale(*table.sizes, layout),
            layout.head - 4, 0, layout.height() - layout.head + 4};
}

double tableRoom(const SlideTable &table, double height, const Measure &measure)
{
    return tableLayout(table, kContentWide, height * kMostTableShare, measure).height();
}

} // namespace vramscope
