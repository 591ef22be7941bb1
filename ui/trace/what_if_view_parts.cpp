// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/what_if_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/help_link.h"
#include "ui/support/row_delegate.h"
#include "ui/support/setting_field.h"
#include "ui/timeline/reserved_plot.h"
#include "ui/trace/what_if_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

void WhatIfView::build()
{
    m_exact->setProperty("role", u"dim"_s);
    m_exact->setWordWrap(true);
    m_exact->setTextFormat(Qt::PlainText);
    m_advice->setWordWrap(true);
    m_advice->setTextFormat(Qt::PlainText);
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy->setText(u"Copy setting"_s);
    m_copy->setAccessibleName(u"Copy setting, the recommended one"_s);
    QHBoxLayout *advice = row({{m_advice, 1}, {m_copy, 0, Qt::AlignTop}}, kStyleSpacing);
    QHBoxLayout *exact =
        row({{m_exact, 1}, {helpLink(u"what-if"_s), 0, Qt::AlignTop}}, kStyleSpacing);
    setUpTable();
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_table);
    m_parts->addWidget(m_plot);
    m_parts->setStretchFactor(0, 1);
    m_parts->setStretchFactor(1, 1);
    m_parts->setSizes({640, 320}); // settings have long names
    m_body->setLayout(
        column({exact, advice, makeSettings(), m_problems, {m_parts, 1}, m_basis}, 4));
    setLayout(column({{m_body, 1}, {m_empty, 1}}, kStyleSpacing, {4, 4, 4, 4}));
}

QLayout *WhatIfView::makeSettings()
{
    auto *capacity = new QLabel(u"&Memory of the device"_s);
    capacity->setBuddy(m_capacity);
    capacity->setToolTip(u"What the device has for the allocator, such as 80 GiB less what the "
                         "context and other processes take; empty: what the recording tells"_s);
    m_capacity->setAccessibleName(u"Memory of the device for the allocator"_s);
    m_capacity->setFixedWidth(fontMetrics().averageCharWidth() * 28);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(90);
    m_progress->setAccessibleName(u"Simulation"_s);
    m_progress->hide();
    m_run->hide();
    m_problems->setProperty("role", u"bad"_s);
    m_problems->setWordWrap(true);
    m_problems->setTextFormat(Qt::PlainText);
    m_problems->hide();
    return row({m_own->makeLabel(), {m_own, 1}, capacity, m_capacity, m_progress, m_run}, 6);
}

void WhatIfView::setUpTable()
{
    m_model->setFindings(nullptr);
    m_table->setModel(m_model);
    m_table->setAccessibleName(u"Settings of the allocator"_s);
    setUpRowTable(*m_table);
    m_table->setIconSize({26, 10});
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(WhatIfModel::Setting, Qt::AscendingOrder);
    fitColumns();
    m_table->installEventFilter(this);
}

// The space bar draws a row or does not, in any of its columns.
bool WhatIfView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::Resize)
        fitColumns();
    if (watched != m_table || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent *>(event)->key() != Qt::Key_Space)
        return QWidget::eventFilter(watched, event);
    const QModelIndex name = m_table->currentIndex().siblingAtColumn(WhatIfModel::Setting);
    const bool drawn = name.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    m_model->setData(name, drawn ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    return true;
}

// Beside the chart, where there is little room, secondary figures are left out before a name is
// cut.
void WhatIfView::fitColumns()
{
    constexpr int kWidestName = 60; // in digits
    constexpr int kNarrowestName = 30;
    const bool isBeside = m_parts->orientation() == Qt::Horizontal;
    const int digit = m_table->fontMetrics().averageCharWidth();
    const QAbstractItemView *view = m_table;        // where the hint is public
    const auto widthOf = [this, view](int column) { // whatever the last one is stretched to
        return std::max(view->sizeHintForColumn(column),
                        m_table->horizontalHeader()->sectionSizeHint(column));
    };
    int room = m_table->viewport()->width();
    for (int column = WhatIfModel::Setting + 1; column < m_model->columnCount(); ++column) {
        m_table->setColumnHidden(column, false);
        room -= widthOf(column);
        m_table->setColumnWidth(column, widthOf(column));
    }
    for (const int column : {WhatIfModel::Retries, WhatIfModel::Calls, WhatIfModel::Stranded}) {
        if (!isBeside || room >= digit * kNarrowestName)
            break;
        room += widthOf(column);
        m_table->setColumnHidden(column, true);
    }
    m_table->setHorizontalScrollBarPolicy(isBeside ? Qt::ScrollBarAlwaysOff
                                                   : Qt::ScrollBarAsNeeded);
    m_table->resizeColumnToContents(WhatIfModel::Setting);
    const int most = digit * (isBeside ? kNarrowestName / 2 : kWidestName);
    m_table->setColumnWidth(WhatIfModel::Setting,
                            std::min(m_table->columnWidth(WhatIfModel::Setting),
                                     isBeside ? std::max(room, most) : most));
}

void WhatIfView::refreshLines()
{
    std::vector<ReservedLine> lines;
    for (const std::size_t row : m_model->drawn())
        lines.push_back({m_model->nameOf(row), row, &m_findings->row(row).result});
    std::optional<Bytes> capacity;
    if (m_findings && m_findings->whatIfs.capacity != kUnknownCapacity)
        capacity = m_findings->whatIfs.capacity;
    m_plot->setLines(lines, capacity);
    refreshSamples();
}

// Drawn rows carry samples of their curves; others carry nothing.
void WhatIfView::refreshSamples()
{
    std::vector<QIcon> samples;
    const double ratio = devicePixelRatioF();
    const std::vector<std::size_t> drawn = m_model->drawn();
    for (std::size_t row = 0; m_findings && row < m_findings->rowCount(); ++row) {
        QPixmap sample(m_table->iconSize() * ratio);
        sample.setDevicePixelRatio(ratio);
        sample.fill(Qt::transparent);
        if (std::ranges::find(drawn, row) != drawn.end()) {
            QPainter painter(&sample);
            painter.setPen(reservedPen(row, themeOf(this)));
            painter.drawLine(QPointF(0, 5), QPointF(26, 5));
        }
        samples.emplace_back(sample);
        samples.back().addPixmap(sample, QIcon::Selected); // in the colour of its curve
    }
    m_model->setSamples(std::move(samples));
}

// Side by side where a table over a chart would be too low.
void WhatIfView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const auto wanted = height() < 520 ? Qt::Horizontal : Qt::Vertical;
    if (m_parts->orientation() != wanted || !event->oldSize().isValid()) {
        m_parts->setOrientation(wanted);
        m_parts->setSizes(wanted == Qt::Horizontal ? QList<int>{6600, 3400}
                                                   : QList<int>{5000, 5000});
    }
    fitColumns();
}

void WhatIfView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        refreshSamples();
    QWidget::changeEvent(event);
}

} // namespace vramscope
