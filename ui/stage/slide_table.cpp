// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/slide_table.h"

#include "core/deck/slide_layout.h"
#include "ui/stage/slide.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

namespace vramscope {

namespace {

constexpr double kCellLeading = 1.25; ///< of a line, by its type

QColor toneColor(SlideTone tone, const Theme &theme)
{
    return tone == SlideTone::Good      ? theme.good
           : tone == SlideTone::Warning ? theme.warn
           : tone == SlideTone::Bad     ? theme.bad
                                        : theme.accent;
}

/// A table on the way to a painter.
struct PaintedTable
{
    const SlideTable &table;
    const TableLayout &layout;
    const Theme &theme;
    QPainter &painter;

    void text(const std::string &what, const QRectF &place, double points, bool bold,
              const QColor &color, Qt::Alignment side) const
    {
        painter.setFont(slideFont(points, bold));
        painter.setPen(color);
        painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextDontClip,
                         toQString(what));
    }

    [[nodiscard]] QRectF placeOf(std::size_t column, double top, double height) const
    {
        const double gap = column + 1 < layout.columns.size() ? kCellGap : 0;
        return {layout.left(column), top, layout.columns[column] - gap, height};
    }

    [[nodiscard]] Qt::Alignment sideOf(std::size_t column) const
    {
        const bool isSize = table.sizes && table.sizes->column == column;
        return hasWords(table, column) || isSize ? Qt::AlignLeft : Qt::AlignRight;
    }

    void line(double y) const
    {
        const double wide = layout.left(layout.columns.size());
        painter.fillRect(QRectF(0, y - 0.5, wide, 1), theme.line);
    }

    void cell(std::size_t row, std::size_t column) const
    {
        const TableLayout::Cell &cell = layout.cells[row][column];
        const bool labels = !hasHead(table) && column == 0;
        const bool bold = !labels && isBold(table, row, column);
        const double each = layout.type * kCellLeading;
        const double high =
            static_cast<double>(cell.lines.size()) * each + (cell.below.empty() ? 0 : kLabelHigh);
        QRectF place = placeOf(column, layout.top(row) + (layout.rows[row] - high) / 2, each);
        if (table.sizes && table.sizes->column == column) {
            const SizeBar bar = sizeBar(table, layout, row);
            painter.fillRect(QRectF(bar.left, bar.top, bar.width, bar.height),
                             toneColor(table.sizes->tones[row], theme));
            place.setLeft(bar.left + layout.figures[row]);
        }
        for (const std::string &each_line : cell.lines) {
            text(each_line, place, layout.type, bold,
                 labels                       ? theme.dim
                 : isBest(table, row, column) ? theme.good
                                              : theme.text,
                 sideOf(column));
            place.translate(0, each);
        }
        place.setHeight(kLabelHigh);
        text(cell.below, place, kLabelType, false, theme.dim, sideOf(column));
    }

    void limit() const
    {
        constexpr double kThick = 2;
        constexpr double kWide = 200;
        const SizeBar bar = limitLine(table, layout);
        painter.fillRect(QRectF(bar.left - kThick / 2 - 1.5, bar.top, kThick + 3, bar.height),
                         theme.card);
        painter.fillRect(QRectF(bar.left - kThick / 2, bar.top, kThick, bar.height), theme.text);
        text(table.sizes->limitText, {layout.limitText, bar.top - kLabelHigh, kWide, kLabelHigh},
             kLabelType, true, theme.text, Qt::AlignLeft);
    }

    void all() const
    {
        if (layout.head > 0) {
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                text(unbroken(table.columns[column]), placeOf(column, 0, layout.head - 6),
                     kLabelType, false, theme.dim, sideOf(column));
            line(layout.head);
        }
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                cell(row, column);
            line(layout.top(row) + layout.rows[row]);
        }
        if (table.sizes && table.sizes->limit > 0)
            limit();
    }
};

} // namespace

SlideTableView::SlideTableView(SlideTable table, QWidget *parent)
    : QWidget(parent)
    , m_table(std::move(table))
{
    setBackgroundRole(QPalette::Base);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SlideTableView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.scale(kViewPoint, kViewPoint);
    const SlideTable table = shownRows(m_table);
    const TableLayout layout =
        tableLayout(table, width() / kViewPoint, height() / kViewPoint, slideWidth);
    PaintedTable{table, layout, themeOf(this), painter}.all();
}

} // namespace vramscope
