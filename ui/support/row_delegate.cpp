// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/row_delegate.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QTableView>

namespace vramscope {

namespace {

constexpr int kMostTexts = 4000; // the cells of two tables as high as a large screen

/// Whether nothing but a line of text is to be painted, in the colour of text.
bool isPlain(const QStyleOptionViewItem &cell)
{
    const QStyle::State special = QStyle::State_Selected | QStyle::State_HasFocus |
                                  QStyle::State_MouseOver | QStyle::State_Editing;
    return cell.features == QStyleOptionViewItem::HasDisplay && !(cell.state & special) &&
           (cell.state & QStyle::State_Enabled) && cell.backgroundBrush.style() == Qt::NoBrush &&
           cell.direction == Qt::LeftToRight && !cell.text.contains(QChar::LineSeparator);
}

} // namespace

RowDelegate::RowDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
    , m_texts(kMostTexts)
{
}

// As QCommonStyle does.
RowDelegate::LaidOut *RowDelegate::layOut(const QStyleOptionViewItem &cell)
{
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, cell.widget) + 1;
    const QRect inside = style->subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget)
                             .adjusted(margin, 0, -margin, 0);
    auto *made = new LaidOut{cell.font, {}, {}};
    made->layout.setText(
        QFontMetrics(cell.font).elidedText(cell.text, cell.textElideMode, inside.width()));
    made->layout.setFont(cell.font);
    QTextOption how(QStyle::visualAlignment(cell.direction, cell.displayAlignment));
    how.setWrapMode(QTextOption::ManualWrap);
    how.setTextDirection(cell.direction);
    made->layout.setTextOption(how);
    made->layout.setCacheEnabled(true);
    made->layout.beginLayout();
    made->layout.createLine().setLineWidth(inside.width());
    made->layout.endLayout();
    const QRect lines =
        QStyle::alignedRect(Qt::LayoutDirectionAuto, cell.displayAlignment & Qt::AlignVertical_Mask,
                            made->layout.boundingRect().size().toSize(), inside);
    made->place = QPointF(inside.x(), lines.top()) - cell.rect.topLeft();
    return made;
}

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                        const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    if (!isPlain(cell))
        return QStyledItemDelegate::paint(painter, option, index);
    if (cell.text.isEmpty())
        return;
    const Key key{cell.text, cell.rect.size(), cell.displayAlignment};
    const LaidOut *known = m_texts.object(key);
    if (!known || known->font != cell.font) {
        m_texts.insert(key, layOut(cell));
        known = m_texts.object(key);
    }
    if (!known)
        return;
    const bool active = cell.state & QStyle::State_Active;
    painter->setPen(
        cell.palette.color(active ? QPalette::Normal : QPalette::Inactive, QPalette::Text));
    known->layout.draw(painter, cell.rect.topLeft() + known->place);
}

void setUpPlainRows(QTableView &table, int padding)
{
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + padding);
    table.horizontalHeader()->setHighlightSections(false);
}

void setUpRowTable(QTableView &table)
{
    constexpr int kPadding = 6;
    table.setItemDelegate(new RowDelegate(&table));
    setUpPlainRows(table, kPadding);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setStretchLastSection(true);
}

} // namespace vramscope
