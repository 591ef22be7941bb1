// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_strip.h"

#include "core/analysis/replayed/summary.h"
#include "core/print/trace_findings.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/finding_chips.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolTip>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QMargins kMargins(24, 12, 24, 0);
constexpr int kBeforeChips = 16;

} // namespace

TraceStrip::TraceStrip(std::shared_ptr<const TraceDocument> document, const QString &title,
                       QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_title(elidedLabel(Qt::ElideMiddle))
    , m_devices(choiceBox(u"Device"_s))
    , m_recorded(elidedLabel())
    , m_answer(headlineLabel())
    , m_peaks(noteLabel())
    , m_chips(new FindingChips)
{
    m_title->setFullText(title);
    for (const auto &device : m_document->devices)
        m_devices->addItem(device->summary().outOfMemory.empty()
                               ? u"Device %1"_s.arg(device->summary().device)
                               : u"Device %1 · out of memory"_s.arg(device->summary().device));
    for (QWidget *part : std::initializer_list<QWidget *>{m_title, m_recorded})
        part->setFont(typeFont(Type::Lead));
    m_answer->setObjectName(u"answer"_s);
    m_answer->setTextFormat(Qt::RichText);
    m_answer->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_answer->setMinimumWidth(1);
    m_peaks->setContentsMargins(0, 0, kBeforeChips, 0);
    setLayout(
        column({row({m_title, Gap{m_devices->count() > 1 ? 8 : 0}, m_devices, {m_recorded, 1}}, 0),
                Gap{2}, m_answer, Gap{4}, row({m_peaks, {m_chips, 1}}, 0)},
               0, kMargins));
    m_devices->setVisible(m_devices->count() > 1);
    connect(m_devices, &QComboBox::activated, this,
            [this](int index) { Q_EMIT deviceChosen(static_cast<std::size_t>(index)); });
    connect(m_answer, &QLabel::linkActivated, this, &TraceStrip::failureWanted);
    connect(m_chips, &FindingChips::chosen, this, &TraceStrip::follow);
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
    m_answer->setText(answer());
    const QString peaks = u"Most bytes in blocks of live allocations after any event: %1\n%2"_s.arg(
        exactBytesText(summary.peakActive, m_unit),
        summary.isReservedKnown
            ? u"Most bytes the allocator held of the device after any event: %1"_s.arg(
                  exactBytesText(summary.peakReserved, m_unit))
            : u"The recording holds no segments, so what the allocator held of the device is "
              "not known"_s);
    m_peaks->setText(peaksText());
    m_peaks->setVisible(!summary.outOfMemory.empty()); // else they are the answer
    for (QLabel *told : {m_peaks, m_answer})
        told->setToolTip(tipHtml(peaks));
    std::vector<Finding> findings = findingsSoFar(*m_document->devices[m_device], m_unit);
    std::erase_if(findings, [](const Finding &one) { return one.kind == "out_of_memory"; });
    m_chips->setFindings(findings);
    m_chips->setVisible(!findings.empty());
    arrange();
}

QString TraceStrip::peaksText() const
{
    const DeviceSummary &summary = m_document->devices[m_device]->summary();
    QString text = m_document->devices[m_device]->hasHistory()
                       ? u"Peak %1 active"_s.arg(bytesText(summary.peakActive, m_unit))
                       : u"%1 active"_s.arg(bytesText(summary.peakActive, m_unit));
    if (summary.isReservedKnown)
        text += u" of %1 reserved"_s.arg(bytesText(summary.peakReserved, m_unit));
    return text;
}

QString TraceStrip::answer() const
{
    const std::vector<OutOfMemoryEvent> &failed =
        m_document->devices[m_device]->device().outOfMemory;
    if (failed.empty())
        return peaksText().toHtmlEscaped();
    const OutOfMemoryEvent &first = failed.front();
    QString text = u"asked for %1"_s.arg(bytesText(first.requested, m_unit));
    if (first.deviceFree >= 0)
        text += u", %1 was free"_s.arg(bytesText(first.deviceFree, m_unit));
    const QString times =
        failed.size() > 1 ? u" %1 times"_s.arg(countText(std::ssize(failed))) : QString();
    return u"<a href=\"failure\" style=\"color:%1; text-decoration:none\">Ran out of memory%2</a>: "
           "%3%4"_s.arg(themeOf(this).bad.name(), times, times.isEmpty() ? u""_s : u"first "_s,
                        text);
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

void TraceStrip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_devices->count() > 0) // the answer has a colour
        m_answer->setText(answer());
}

void TraceStrip::arrange()
{
    const int peaks = m_peaks->isHidden() ? 0 : m_peaks->sizeHint().width();
    m_chips->fit(width() - kMargins.left() - kMargins.right() - peaks);
}

void TraceStrip::follow(const Finding &finding, QWidget *from)
{
    if (finding.event)
        Q_EMIT eventWanted(static_cast<EventIndex>(*finding.event));
    else
        QToolTip::showText(from->mapToGlobal(QPoint(0, from->height())),
                           tipHtml(toQString(finding.sentence)), from);
}

QString TraceStrip::recordedText() const
{
    const DeviceSummary &summary = m_document->devices[m_device]->summary();
    QStringList parts{QString()};
    if (m_devices->count() == 1)
        parts << u"device %1"_s.arg(summary.device);
    if (!m_document->devices[m_device]->hasHistory())
        parts << u"no history"_s;
    else
        parts << countedText(summary.events, "event") +
                     (summary.timeSpan
                          ? u" in "_s + toQString(formatMicroseconds(*summary.timeSpan))
                          : u", no times recorded"_s);
    parts << countedText(summary.stacks, "stack") << toQString(m_document->trace->producer());
    if (parts.back().isEmpty())
        parts.removeLast();
    return parts.join(u" · "_s);
}

} // namespace vramscope
