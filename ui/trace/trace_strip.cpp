// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_strip.h"

#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/trace/findings.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolTip>

namespace vramscope {

using namespace Qt::StringLiterals;

TraceStrip::TraceStrip(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_devices(new QComboBox)
    , m_recorded(new ElidedLabel(Qt::ElideRight))
    , m_active(new QLabel)
    , m_reserved(new QLabel)
    , m_chips(new QHBoxLayout)
{
    setProperty("role", u"strip"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_devices->setAccessibleName(tr("Device"));
    for (const auto &device : m_document->devices)
        m_devices->addItem(device->summary.outOfMemory.empty()
                               ? tr("Device %1").arg(device->summary.device)
                               : tr("Device %1 · out of memory").arg(device->summary.device));
    m_recorded->setProperty("role", u"dim"_s);
    m_chips->setSpacing(8);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(18);
    layout->addWidget(m_devices);
    layout->addWidget(m_recorded);
    layout->addWidget(m_active);
    layout->addWidget(m_reserved);
    layout->addLayout(m_chips);
    layout->addStretch(1);

    connect(m_devices, &QComboBox::activated, this,
            [this](int index) { Q_EMIT deviceChosen(static_cast<std::size_t>(index)); });
}

void TraceStrip::setDevice(std::size_t device)
{
    m_device = device;
    m_devices->setCurrentIndex(static_cast<int>(device));
    refresh();
}

void TraceStrip::setUnit(ByteUnit unit)
{
    m_unit = unit;
    refresh();
}

void TraceStrip::refresh()
{
    const DeviceSummary &summary = m_document->devices[m_device]->summary;
    m_recorded->setFullText(recordedText());
    m_active->setText(tr("peak active <b>%1</b>").arg(bytesText(summary.peakActive, m_unit)));
    m_active->setToolTip(
        tr("Most bytes in live allocations: %1").arg(exactBytesText(summary.peakActive, m_unit)));
    m_reserved->setText(tr("peak reserved <b>%1</b>").arg(bytesText(summary.peakReserved, m_unit)));
    m_reserved->setToolTip(tr("Most bytes the allocator held of the device: %1")
                               .arg(exactBytesText(summary.peakReserved, m_unit)));
    addChips();
}

void TraceStrip::addChips()
{
    while (QLayoutItem *item = m_chips->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Finding &finding : findings(*m_document, m_device, m_unit)) {
        auto *chip = new QPushButton(finding.text);
        chip->setProperty("role", finding.bad ? u"bad-chip"_s : u"chip"_s);
        chip->setToolTip(finding.explanation);
        chip->setAccessibleDescription(finding.explanation);
        chip->setCursor(Qt::PointingHandCursor);
        connect(chip, &QPushButton::clicked, this, [this, chip, finding] {
            if (finding.event)
                Q_EMIT eventWanted(*finding.event);
            else
                QToolTip::showText(chip->mapToGlobal(QPoint(0, chip->height())),
                                   finding.explanation, chip);
        });
        m_chips->addWidget(chip);
    }
}

QString TraceStrip::recordedText() const
{
    const DeviceSummary &summary = m_document->devices[m_device]->summary;
    QStringList parts = {toQString(m_document->trace->producer())};
    if (!m_document->devices[m_device]->hasHistory()) {
        parts << tr("no history");
    } else {
        parts << tr("%1 events").arg(countText(summary.events));
        parts << (summary.timeSpan ? toQString(formatMicroseconds(*summary.timeSpan))
                                   : tr("no times recorded"));
    }
    parts << tr("%1 stacks").arg(countText(summary.stacks));
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

} // namespace vramscope
