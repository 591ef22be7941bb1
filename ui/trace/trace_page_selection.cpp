// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/allocation_panel.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/live_table.h"
#include "ui/trace/trace_page.h"
#include "ui/trace/trace_view_widget.h"
#include "ui/trace/view_bar.h"

#include <QRegularExpression>
#include <QShortcut>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

void TracePage::connectSelection()
{
    const auto key = [this](const QKeySequence &keys, auto action) {
        auto *shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(Qt::Key_BracketLeft, [this] { stepThroughSelection(false); });
    key(Qt::Key_BracketRight, [this] { stepThroughSelection(true); });
    connect(m_panel, &AllocationPanel::allocationWanted, this, &TracePage::follow);
    connect(m_panel, &AllocationPanel::stackWanted, this, &TracePage::showOnlyStack);
    connect(m_table, &LiveTable::stackWanted, this, &TracePage::showOnlyStack);
}

void TracePage::stepThroughSelection(bool forward)
{
    const Study &device = *m_document->devices[m_device];
    const AllocationIndex at = m_state->selected();
    if (at == kNoAllocation || !device.hasHistory())
        return;
    const std::array events{device.allocations().birth[at], device.allocations().freeRequested[at],
                            device.allocations().death[at]}; // ascending
    const EventIndex cursor = m_state->cursor();
    std::optional<EventIndex> wanted;
    for (const EventIndex event : events) {
        if (event < 0 || event >= device.device().events.count())
            continue; // before the recording or after it
        if (forward ? event > cursor && !wanted : event < cursor)
            wanted = event;
    }
    if (wanted)
        goToEvent(*wanted);
}

void TracePage::follow(AllocationIndex allocation)
{
    goToEvent(m_document->devices[m_device]->allocations().birth[allocation]);
    m_state->select(allocation);
}

// Other conditions of the filter stay.
void TracePage::showOnlyStack(StackId stack)
{
    static const QRegularExpression other(u"\\s*(?<!\\S)stack:\\d+(?!\\S)"_s);
    QString text = m_bar->filter()->text().remove(other).trimmed();
    if (!text.isEmpty())
        text += u' ';
    m_bar->filter()->setText(text + u"stack:%1"_s.arg(static_cast<quint32>(stack)));
}

QString TracePage::selectedText() const
{
    if (QString rows = DocumentPage::selectedText(); !rows.isEmpty())
        return rows;
    const QString text = shownWidget().selectedText();
    return text.isEmpty() ? m_panel->text() : text;
}

} // namespace vramscope
