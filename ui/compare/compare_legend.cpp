// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_legend.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSampleWidth = 34;

QString tipOf(const ComparedTrace &trace, ByteUnit unit)
{
    const DeviceSummary &summary = trace.shown().summary;
    QStringList lines{trace.path.isEmpty() ? trace.title : trace.path};
    lines << CompareLegend::tr("device %1, %2 events")
                 .arg(summary.device)
                 .arg(countText(summary.events));
    lines << CompareLegend::tr("peak active: %1").arg(exactBytesText(summary.peakActive, unit));
    if (summary.isReservedKnown)
        lines << CompareLegend::tr("peak reserved: %1")
                     .arg(exactBytesText(summary.peakReserved, unit));
    if (!summary.outOfMemory.empty())
        lines << CompareLegend::tr("ran out of memory");
    lines << CompareLegend::tr("Click to hide or show its curve.");
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
    , m_row(new QHBoxLayout(this))
{
    setProperty("role", u"strip"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_row->setContentsMargins(16, 6, 16, 6);
    m_row->setSpacing(8);
}

void CompareLegend::setTraces(const ComparisonDocument &document)
{
    m_document = document;
    m_shown.resize(document.traces.size(), true);
    refresh();
}

void CompareLegend::setUnit(ByteUnit unit)
{
    m_unit = unit;
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
    while (QLayoutItem *item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater(); // it may have sent what led here
        delete item;
    }
    for (std::size_t at = 0; at < m_document.traces.size(); ++at)
        addTrace(at);
    m_row->addStretch(1);
}

void CompareLegend::addTrace(std::size_t at)
{
    const ComparedTrace &trace = m_document.traces[at];
    const bool hasHistory = trace.shown().hasHistory();
    QString text = u"%1  %2"_s.arg(letterOf(at), trace.title);
    auto *button =
        new QPushButton(lineSample(at, devicePixelRatioF()), text.replace(u'&', u"&&"_s));
    button->setIconSize({kSampleWidth, 12});
    button->setCheckable(true);
    button->setChecked(m_shown[at] && hasHistory);
    button->setEnabled(hasHistory);
    button->setProperty("role", u"curve"_s);
    button->setToolTip(
        hasHistory ? tipOf(trace, m_unit)
                   : tr("%1 was recorded without history: it has no curve.").arg(trace.title));
    button->setAccessibleName(tr("Curve of %1").arg(text));
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    button->setMaximumWidth(button->sizeHint().width());
    connect(button, &QPushButton::toggled, this, [this, at](bool shown) {
        m_shown[at] = shown;
        Q_EMIT shownChanged(at, shown);
    });
    m_row->addWidget(button, 100);
    if (trace.document->devices.size() < 2)
        return;
    auto *devices = new QComboBox;
    devices->setAccessibleName(tr("Device of %1").arg(letterOf(at)));
    for (const auto &device : trace.document->devices)
        devices->addItem(tr("device %1").arg(device->recorded.device));
    devices->setCurrentIndex(static_cast<int>(trace.device));
    connect(devices, &QComboBox::activated, this,
            [this, at](int device) { Q_EMIT deviceChosen(at, static_cast<std::size_t>(device)); });
    m_row->addWidget(devices);
}

} // namespace vramscope
