// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_strip.h"

#include "core/analysis/replayed/summary.h"
#include "core/print/finding_text.h"

#include "ui/support/elided_label.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolTip>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBetweenFigures = 18; // between figures
constexpr int kSideMargin = 16;
constexpr int kMargin = 8;
constexpr int kNarrowMargin = 4;

} // namespace

TraceStrip::TraceStrip(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_devices(new QComboBox)
    , m_recorded(new ElidedLabel(Qt::ElideRight))
    , m_active(new QLabel)
    , m_reserved(new QLabel)
    , m_figures(new QHBoxLayout)
    , m_chips(new QHBoxLayout)
    , m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    setProperty("role", u"strip"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_devices->setAccessibleName(u"Device"_s);
    for (const auto &device : m_document->devices)
        m_devices->addItem(device->summary().outOfMemory.empty()
                               ? u"Device %1"_s.arg(device->summary().device)
                               : u"Device %1 · out of memory"_s.arg(device->summary().device));
    m_recorded->setProperty("role", u"dim"_s);
    m_chips->setSpacing(8);

    m_figures->setSpacing(kBetweenFigures);
    m_figures->addWidget(m_devices);
    m_figures->addWidget(m_recorded);
    m_figures->addWidget(m_active);
    m_figures->addWidget(m_reserved);
    m_figures->addStretch(1);
    m_rows->addLayout(m_figures);
    m_rows->addLayout(m_chips, 1);

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
    const DeviceSummary &summary = m_document->devices[m_device]->summary();
    m_recorded->setFullText(recordedText());
    m_active->setText(u"peak active <b>%1</b>"_s.arg(bytesText(summary.peakActive, m_unit)));
    m_active->setToolTip(u"Most bytes in blocks of live allocations after any event: %1"_s.arg(
        exactBytesText(summary.peakActive, m_unit)));
    const bool known = summary.isReservedKnown;
    m_reserved->setText(
        u"peak reserved <b>%1</b>"_s.arg(known ? bytesText(summary.peakReserved, m_unit) : u"–"_s));
    m_reserved->setToolTip(
        known ? u"Most bytes the allocator held of the device after any event: %1"_s.arg(
                    exactBytesText(summary.peakReserved, m_unit))
              : u"The recording holds no segments, so what the allocator held "
                "of the device is not known"_s);
    addChips();
    arrange();
}

void TraceStrip::setOneLine(bool oneLine)
{
    m_isOneLine = oneLine;
    arrange();
}

QSize TraceStrip::minimumSizeHint() const
{
    return {320, QWidget::minimumSizeHint().height()};
}

void TraceStrip::resizeEvent(QResizeEvent *event)
{
    arrange();
    QWidget::resizeEvent(event);
}

int TraceStrip::figuresWidth(bool withRecorded) const
{
    int width = 0;
    for (const QWidget *figure : std::initializer_list<QWidget *>{m_devices, m_active, m_reserved})
        width += figure->sizeHint().width() + kBetweenFigures;
    return withRecorded ? width + m_recorded->sizeHint().width() + kBetweenFigures : width;
}

void TraceStrip::arrange()
{
    int chips = 0;
    for (const QPushButton *chip : m_chipButtons)
        chips += chip->sizeHint().width() + m_chips->spacing();
    const int margin = m_isOneLine ? kNarrowMargin : kMargin;
    m_rows->setContentsMargins(kSideMargin, margin, kSideMargin, margin);
    const int inner = width() - 2 * kSideMargin;
    const bool narrow = inner < figuresWidth(true) + chips;
    const bool below = narrow && !m_isOneLine;
    m_recorded->setVisible(!narrow || below);
    m_rows->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_rows->setSpacing(below ? 6 : kBetweenFigures);
    fitChips(below ? inner : narrow ? inner - figuresWidth(false) : chips);
}

void TraceStrip::fitChips(int room)
{
    if (!m_more)
        return;
    const int reserve = m_more->sizeHint().width() + m_chips->spacing();
    int used = 0;
    std::size_t shown = 0;
    for (; shown < m_chipButtons.size(); ++shown) {
        const int wanted = m_chipButtons[shown]->sizeHint().width() + m_chips->spacing();
        const bool last = shown + 1 == m_chipButtons.size();
        if (used + wanted + (last ? 0 : reserve) > room + m_chips->spacing())
            break;
        used += wanted;
    }
    for (std::size_t at = 0; at < m_chipButtons.size(); ++at)
        m_chipButtons[at]->setVisible(at < shown);
    m_more->setVisible(shown < m_chipButtons.size());
    m_more->setText(u"%1 more"_s.arg(m_chipButtons.size() - shown));
    const auto actions = m_more->menu()->actions();
    for (std::size_t at = 0; at < m_chipButtons.size(); ++at)
        actions[static_cast<qsizetype>(at)]->setVisible(at >= shown);
}

void TraceStrip::addChips()
{
    while (QLayoutItem *item = m_chips->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_chipButtons.clear();
    m_findings = findingsSoFar(*m_document->devices[m_device]);
    m_more = new QPushButton;
    m_more->setProperty("role", u"chip"_s);
    m_more->setMenu(new QMenu(m_more));
    for (const Finding &finding : m_findings) {
        const QString text =
            toQString(findingText(*m_document->devices[m_device], finding, m_unit));
        const QString explanation = explanationOf(finding);
        auto *chip = new QPushButton(text);
        chip->setProperty("role", finding.isBad() ? u"bad-chip"_s : u"chip"_s);
        chip->setToolTip(explanation);
        chip->setAccessibleDescription(explanation);
        chip->setCursor(Qt::PointingHandCursor);
        chip->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(chip, &QPushButton::clicked, this,
                [this, chip, finding] { follow(finding, chip); });
        connect(m_more->menu()->addAction(text), &QAction::triggered, this,
                [this, finding] { follow(finding, m_more); });
        m_chips->addWidget(chip);
        m_chipButtons.push_back(chip);
    }
    m_more->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_chips->addWidget(m_more);
    m_chips->addStretch(1);
}

void TraceStrip::follow(const Finding &finding, QWidget *from)
{
    if (finding.kind == Finding::Kind::OutOfMemory)
        Q_EMIT failureWanted();
    else if (finding.event)
        Q_EMIT eventWanted(*finding.event);
    else
        QToolTip::showText(from->mapToGlobal(QPoint(0, from->height())), explanationOf(finding),
                           from);
}

QString TraceStrip::explanationOf(const Finding &finding) const
{
    return toQString(findingExplanation(*m_document->devices[m_device], finding, m_unit));
}

QString TraceStrip::recordedText() const
{
    const DeviceSummary &summary = m_document->devices[m_device]->summary();
    QStringList parts = {toQString(m_document->trace->producer())};
    if (!m_document->devices[m_device]->hasHistory()) {
        parts << u"no history"_s;
    } else {
        parts << countedText(summary.events, "event");
        parts << (summary.timeSpan ? toQString(formatMicroseconds(*summary.timeSpan))
                                   : u"no times recorded"_s);
    }
    parts << countedText(summary.stacks, "stack");
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

} // namespace vramscope
