// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/page_writer.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QFontMetricsF>
#include <QPagedPaintDevice>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

namespace {

constexpr double kPadding = 5 * kPixel; // left and right of a cell
constexpr double kRowGap = 3 * kPixel;  // above and below its text

} // namespace

// Each as wide as its widest text, where all fit; else those that want more than an equal share
// divide what the others leave.
std::vector<double> PageWriter::columnWidths(const ReportTable &table)
{
    const QFontMetricsF metrics(font(kSmall, true), &m_device);
    std::vector<double> widths(table.rows.columns().size(), 2 * kPadding);
    const auto widen = [&](const std::vector<std::string> &cells) {
        for (std::size_t at = 0; at < cells.size() && at < widths.size(); ++at)
            widths[at] = std::max(widths[at], metrics.horizontalAdvance(toQString(cells[at])) +
                                                  2 * kPadding + kPixel);
    };
    widen(table.headings);
    for (const auto &row : table.rows.rows())
        widen(row);
    if (std::accumulate(widths.begin(), widths.end(), 0.0) <= m_width)
        return widths;
    std::vector<std::size_t> order(widths.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return widths[at]; });
    double left = m_width;
    auto wanting = order.begin();
    for (; wanting != order.end(); ++wanting) {
        const double share = left / static_cast<double>(order.end() - wanting);
        if (widths[*wanting] > share)
            break;
        left -= widths[*wanting];
    }
    // By their roots, so that a very long text takes no more of the others than it must.
    double roots = 0;
    for (auto at = wanting; at != order.end(); ++at)
        roots += std::sqrt(widths[*at]);
    for (auto at = wanting; at != order.end(); ++at)
        widths[*at] = left * std::sqrt(widths[*at]) / roots;
    return widths;
}

double PageWriter::rowHeight(const std::vector<std::string> &cells,
                             const std::vector<double> &widths, const QFont &font)
{
    double height = 0;
    for (std::size_t at = 0; at < cells.size(); ++at)
        height =
            std::max(height, textHeight(toQString(cells[at]), font, widths[at] - 2 * kPadding));
    return height + 2 * kRowGap;
}

void PageWriter::paintRow(const ReportTable &table, const std::vector<std::string> &cells,
                          const std::vector<double> &widths, const QFont &font, const QColor &color)
{
    const double height = rowHeight(cells, widths, font);
    m_painter.setFont(font);
    m_painter.setPen(color);
    double x = 0;
    for (std::size_t at = 0; at < cells.size(); ++at) {
        QTextOption option = m_wrapping;
        option.setAlignment(table.rows.columns()[at] == Align::Right ? Qt::AlignRight
                                                                     : Qt::AlignLeft);
        m_painter.drawText(QRectF(x + kPadding, m_y + kRowGap, widths[at] - 2 * kPadding, height),
                           toQString(cells[at]), option);
        x += widths[at];
    }
    m_y += height;
    m_painter.setPen(QPen(lightTheme().line, kPixel));
    m_painter.drawLine(QPointF(0, m_y), QPointF(x, m_y));
}

void PageWriter::paintPairs(const ReportTable &table)
{
    constexpr std::size_t kBeside = 3;
    constexpr double kGap = 16 * kPixel;
    const auto &pairs = table.rows.rows();
    const std::size_t rows = (pairs.size() + kBeside - 1) / kBeside;
    const double width = (m_width - kGap * (kBeside - 1)) / kBeside;
    const QFont plain = font(kSmall);
    const auto paintCell = [&](const QRectF &place, const std::string &text, Qt::Alignment side,
                               const QColor &color) {
        QTextOption option = m_wrapping;
        option.setAlignment(side);
        m_painter.setPen(color);
        m_painter.drawText(place, toQString(text), option);
    };
    const QFontMetricsF metrics(plain, &m_device);
    // A value takes what it needs, but leaves its name some room.
    const auto valueWidth = [&](const std::vector<std::string> &pair) {
        return std::min(metrics.horizontalAdvance(toQString(pair[1])) + kPixel, width * 0.6);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        double height = 0;
        for (std::size_t at = row; at < pairs.size(); at += rows) {
            const double value = valueWidth(pairs[at]);
            const double name = width - value - kPadding;
            height = std::max({height, textHeight(toQString(pairs[at][0]), plain, name),
                               textHeight(toQString(pairs[at][1]), plain, value)});
        }
        height += 2 * kRowGap;
        ensure(height);
        m_painter.setFont(plain);
        for (std::size_t column = 0; row + column * rows < pairs.size(); ++column) {
            const auto &pair = pairs[row + column * rows];
            const double x = static_cast<double>(column) * (width + kGap);
            const double value = valueWidth(pair);
            const double y = m_y + kRowGap;
            paintCell({x, y, width - value - kPadding, height}, pair[0], Qt::AlignLeft,
                      lightTheme().dim);
            paintCell({x + width - value, y, value, height}, pair[1], Qt::AlignRight,
                      lightTheme().text);
            m_painter.setPen(QPen(lightTheme().line, kPixel));
            m_painter.drawLine(QPointF(x, m_y + height), QPointF(x + width, m_y + height));
        }
        m_y += height;
    }
    m_y += 10 * kPixel;
}

void PageWriter::operator()(const ReportTable &table)
{
    if (table.shape == ReportTable::Shape::Pairs)
        return paintPairs(table);
    const std::vector<double> widths = columnWidths(table);
    const QFont plain = font(kSmall);
    const QFont bold = font(kSmall, true);
    const bool headed =
        std::ranges::any_of(table.headings, [](const std::string &one) { return !one.empty(); });
    const auto paintHead = [&] {
        if (headed)
            paintRow(table, table.headings, widths, bold, lightTheme().dim);
    };
    paintHead();
    for (const auto &row : table.rows.rows()) {
        const int page = m_page;
        ensure(rowHeight(row, widths, plain));
        if (m_page != page)
            paintHead();
        paintRow(table, row, widths, plain, lightTheme().text);
    }
    m_y += 10 * kPixel;
}

} // namespace vramscope
