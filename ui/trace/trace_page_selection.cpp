// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/allocation_panel.h"

#include "core/analysis/categories/kept_rules.h"
#include "core/reconcile/recovered_plan.h"
#include "ui/jobs/job.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/live_table.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_page.h"
#include "ui/trace/trace_view_widget.h"
#include "ui/trace/view_bar.h"

#include <QRegularExpression>
#include <QShortcut>
#include <QStringList>

#include <array>

// What the page does with a selection, a log of nvidia-smi, and a plan made from the recording.

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
    m_panel->setStatable(!m_path.isEmpty() && !m_path.startsWith(u':'));
    connect(m_panel, &AllocationPanel::categoryStated, this, &TracePage::stateCategory);
    connect(m_table, &LiveTable::stackWanted, this, &TracePage::showOnlyStack);
}

void TracePage::stateCategory(std::optional<Category> category)
{
    const Study &device = *m_document->devices[m_device];
    std::optional<CategoryRule> rule =
        ruleForStack(device.trace(), device.allocations().stack[m_state->selected()],
                     category.value_or(Category::Unknown));
    if (!rule)
        return;
    rule->category = category;
    Q_EMIT ruleStated(*rule);
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

namespace {

struct MadePlan
{
    Plan plan;
    QString notice;
};

QString noticeOf(const RecoveredPlan &found)
{
    QStringList lines;
    for (const Certainty certainty :
         {Certainty::Determined, Certainty::Likely, Certainty::NotDetermined}) {
        QStringList subjects;
        for (const RecoveredField &field : found.fields) {
            if (field.certainty != certainty)
                continue;
            const QString value = toQString(field.value);
            subjects += toQString(field.subject) + (value.isEmpty() ? QString() : u": "_s + value);
        }
        constexpr std::array kNames = {"Determined by the recording", "Likely",
                                       "Not determined, left at a default"};
        if (!subjects.isEmpty())
            lines +=
                u"%1: %2."_s.arg(QString::fromLatin1(kNames[static_cast<std::size_t>(certainty)]),
                                 subjects.join(u"; "_s));
    }
    return lines.join(u'\n');
}

} // namespace

void TracePage::makePlan()
{
    if (m_document->devices.empty())
        return;
    delete std::exchange(m_planJob, nullptr);
    m_planJob = new Job(
        [document = m_document, device = m_device](const Progress &progress) {
            const RecoveredPlan found = planFromRecording(*document->devices[device], progress);
            return MadePlan{found.plan, noticeOf(found)};
        },
        [this](const MadePlan &made) { Q_EMIT planMade(made.plan, made.notice); }, this);
    showProgress(*m_planJob, this);
}

bool TracePage::takesLog() const
{
    return !m_document->devices.empty() && m_document->devices[m_device]->hasHistory();
}

QString TracePage::takeLog(std::shared_ptr<const Series> log)
{
    m_log = std::move(log);
    const EventIndex cursor = m_state->cursor();
    const AllocationIndex selected = m_state->selected();
    QString text = layOver();
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
