// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_page.h"

// The page's log of nvidia-smi: read, overlaid on the shown device, described in the status bar.

namespace vramscope {

using namespace Qt::StringLiterals;

bool TracePage::takesLog() const
{
    return !m_document->devices.empty() && m_document->devices[m_device]->hasHistory();
}

QString TracePage::takeLog(std::shared_ptr<const Series> log)
{
    m_log = std::move(log);
    const EventIndex cursor = m_state->cursor();
    const AllocationIndex selected = m_state->selected();
    const QString text = layOver();
    refreshTimeline();
    if (m_overlay) {
        resetState(); // the device's line may be higher than all of the allocator's
        m_state->setCursor(cursor);
        m_state->select(selected);
        setAxisKind(EventAxis::Kind::Time);
        setView(TraceView::Active);
        applyFilter();
    }
    Q_EMIT statusChanged();
    return text;
}

QString TracePage::layOver()
{
    const Study &device = *m_document->devices[m_device];
    const auto overlay = deviceOverlay(*m_log, device.device().device, device.times());
    m_overlay = overlay ? std::optional(*overlay) : std::nullopt;
    if (!overlay)
        return toQString(overlay.error().detail);
    return u"memory.used of %1 is drawn over the timeline by time, %2."_s.arg(
        toQString(overlay->label), toQString(offsetText(overlay->offset)));
}

// The log's value at the cursor, and the part of it that the allocator does not have.
QString TracePage::overlayText() const
{
    if (!m_overlay)
        return {};
    const Study &device = *m_document->devices[m_device];
    const EventIndex at = m_state->cursor();
    const Bytes used = m_overlay->usedAt(device.timeOf(at));
    if (used == kNoBytes)
        return u" · "_s + u"device not logged here"_s;
    QString text = u" · "_s + u"device used %1"_s.arg(bytesText(used, unit()));
    if (device.curve().isReservedKnown())
        text += u" · "_s + u"outside the allocator %1"_s.arg(bytesText(
                               outsideAllocator(used, device.curve().reserved(at)), unit()));
    return text;
}

} // namespace vramscope
