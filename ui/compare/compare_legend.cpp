// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_legend.h"

#include "core/analysis/replayed/summary.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSampleWidth = 34;

QString tipOf(const ComparedTrace &trace, ByteUnit unit)
{
    const DeviceSummary &summary = trace.shown().summary();
    QStringList lines{trace.path.isEmpty() ? trace.title : trace.path};
    lines << u"device %1, %2"_s.arg(summary.device).arg(countedText(summary.events, "event"));
    lines << u"peak active: %1"_s.arg(exactBytesText(summary.peakActive, unit));
    if (summary.isReservedKnown)
        lines << u"peak reserved: %1"_s.arg(exactBytesText(summary.peakReserved, unit));
    if (!summary.outOfMemory.empty())
        lines << u"ran out of memory"_s;
    lines << u"Click to hide or show its curve."_s;
    return lines.join(u'\n');
}

} // namespace

QIcon lineSample(std::size_t trace, qreal pixelRatio)
{
    QIcon icon;
    for (const QIcon::State state : {QIcon::On, QIcon::Off}) {
        QPixmap pixmap(QSize(kSampleWidth, 12) * pixelRatio);
        pixmap.setDevicePixelRatio(pixelRatio);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QPen pen(QColor(colorOf(trace)), 2);
        pen.setCapStyle(Qt::FlatCap);
        if (!strokesOf(trace).isEmpty()) {
            QList<double> widths = strokesOf(trace);
            for (double &each : widths)
                each /= pen.widthF(); // Qt counts in widths of the pen
            pen.setDashPattern(widths);
        }
        if (state == QIcon::Off)
            painter.setOpacity(0.3);
        painter.setPen(pen);
        painter.drawLine(0, 6, kSampleWidth, 6);
        painter.end();
        icon.addPixmap(pixmap, QIcon::Normal, state);
    }
    return icon;
}

CompareLegend::CompareLegend(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setStyled(*this, u"strip"_s);
    m_grid->setContentsMargins(16, 6, 16, 6);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(2);
}

void CompareLegend::setTraces(const ComparisonDocument &document)
{
    m_document = document;
    m_shown.resize(document.traces.size(), true);
    refresh();
}

void CompareLegend::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void CompareLegend::refresh()
{
    for (const Cell &cell : m_cells) {
        m_grid->removeWidget(cell.whole);
        cell.whole->hide();
        cell.whole->deleteLater(); // it may have sent what led here
    }
    m_cells.clear();
    for (std::size_t at = 0; at < m_document.traces.size(); ++at)
        addTrace(at);
    arrange();
}

void CompareLegend::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

// Every recording gets the same room; of names that do not fit the middle is left out.
void CompareLegend::arrange()
{
    const int narrowest = m_namesAlone ? 280 : 170;
    constexpr int kAround = 26; // the button's margins
    const int count = std::max(1, static_cast<int>(m_cells.size()));
    const QMargins margins = m_grid->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    const int columns = room / count < narrowest ? (count + 1) / 2 : count;
    const int each = room / columns - m_grid->horizontalSpacing();
    for (std::size_t at = 0; at < m_cells.size(); ++at) {
        const Cell &cell = m_cells[at];
        m_grid->removeWidget(cell.whole);
        m_grid->addWidget(cell.whole, static_cast<int>(at) / columns,
                          static_cast<int>(at) % columns);
        const QString letter = letterOf(at) + u"  "_s;
        const int taken = kSampleWidth + kAround + fontMetrics().horizontalAdvance(letter) +
                          (cell.devices ? cell.devices->sizeHint().width() + 6 : 0);
        const ComparedTrace &trace = m_document.traces[at];
        const QString name = m_namesAlone ? titleOf(trace, at).mid(letter.size()) : trace.title;
        QString text =
            letter + fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(0, each - taken));
        cell.button->setText(text.replace(u'&', u"&&"_s));
    }
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

void CompareLegend::addTrace(std::size_t at)
{
    const ComparedTrace &trace = m_document.traces[at];
    const bool hasHistory = trace.shown().hasHistory();
    Cell cell{new QWidget, new QPushButton(lineSample(at, devicePixelRatioF()), {}), nullptr};
    auto *row = new QHBoxLayout(cell.whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    cell.whole->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    cell.button->setIconSize({kSampleWidth, 12});
    cell.button->setCheckable(true);
    cell.button->setChecked(m_shown[at] && hasHistory);
    cell.button->setEnabled(hasHistory);
    cell.button->setProperty("role", u"curve"_s);
    cell.button->setToolTip(
        hasHistory ? tipOf(trace, m_unit)
                   : u"%1 was recorded without history: it has no curve."_s.arg(trace.title));
    cell.button->setAccessibleName(u"Curve of %1  %2"_s.arg(letterOf(at), trace.title));
    connect(cell.button, &QPushButton::toggled, this, [this, at](bool shown) {
        m_shown[at] = shown;
        Q_EMIT shownChanged(at, shown);
    });
    row->addWidget(cell.button);
    if (trace.document->devices.size() > 1 && !m_namesAlone) {
        cell.devices = choiceBox(u"Device of %1"_s.arg(letterOf(at)));
        for (const auto &device : trace.document->devices)
            cell.devices->addItem(u"device %1"_s.arg(device->device().device));
        cell.devices->setCurrentIndex(static_cast<int>(trace.device));
        connect(cell.devices, &QComboBox::activated, this, [this, at](int device) {
            Q_EMIT deviceChosen(at, static_cast<std::size_t>(device));
        });
        row->addWidget(cell.devices);
    }
    row->addStretch(1);
    m_cells.push_back(cell);
}

} // namespace vramscope
