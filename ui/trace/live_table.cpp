// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/live_table.h"

#include "core/analysis/replayed/usage_curve.h"
#include "core/describe/trace_tables.h"
#include "ui/jobs/job.h"
#include "ui/jobs/job_line.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_table.h"
#include "ui/support/text.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

LiveTable::LiveTable(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_model(new DataTableModel(this))
    , m_view(new QTableView)
    , m_choice(makeChoice())
    , m_where(new ElidedLabel(Qt::ElideRight))
{
    setProperty("role", u"side"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_where->setProperty("role", u"dim"_s);
    setUpView();
    QHBoxLayout *title = row({m_choice, {m_where, 1}}, 14);
    setLayout(column({title, {m_view, 1}}, 4, {14, 4, 14, 4}));
}

QWidget *LiveTable::makeChoice()
{
    QHBoxLayout *choice = row({}, 6);
    auto *group = new QButtonGroup(this);
    for (const auto &[moment, text, tip] :
         {std::tuple(Moment::Cursor, u"Live at the cursor"_s, u"What is allocated there"_s),
          std::tuple(Moment::Peak, u"At the peak"_s, u"What is allocated at the peak"_s),
          std::tuple(Moment::Range, u"In the range"_s,
                     u"What is allocated in the visible range, freed again or not"_s)}) {
        QPushButton *button = tabButton(text, tip);
        button->setChecked(moment == m_moment);
        group->addButton(button);
        choice->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, at = moment] {
            m_moment = at;
            refresh();
        });
    }
    return panel(choice);
}

void LiveTable::setUpView()
{
    setGroups({});
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Live allocations by stack"_s);
    setUpPlainRows(*m_view);
    QHeaderView *header = m_view->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(m_model->columnOf("site"), QHeaderView::Stretch);
    const int digit = m_view->fontMetrics().averageCharWidth();
    header->resizeSection(m_model->columnOf("bytes"), digit * 14);
    header->resizeSection(m_model->columnOf("count"), digit * 11);
    header->resizeSection(m_model->columnOf("share"), digit * 12);
    const auto choose = [this](const QModelIndex &index) {
        const AllocationIndex first = m_groups[m_model->rowAt(index.row())].first;
        const Allocations &allocations = m_document->devices[m_device]->allocations();
        Q_EMIT allocationChosen(first, m_moment == Moment::Range ? allocations.birth[first]
                                                                 : shownEvent());
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *only = new QAction(u"Show only this stack"_s, m_view);
    m_view->addAction(only);
    connect(only, &QAction::triggered, this, [this] {
        if (const QModelIndex index = m_view->currentIndex(); index.isValid())
            Q_EMIT stackWanted(m_groups[m_model->rowAt(index.row())].stack);
    });
}

void LiveTable::setDevice(std::size_t device)
{
    m_device = device;
    m_choice->setVisible(m_document->devices[device]->hasHistory());
    if (!m_document->devices[device]->hasHistory())
        m_moment = Moment::Cursor;
    setGroups({}); // the range comes later, and these groups are from another device
    refresh();
}

void LiveTable::setCursorEvent(EventIndex event)
{
    m_cursor = event;
    if (m_moment == Moment::Cursor)
        refresh();
}

void LiveTable::setRange(EventIndex first, EventIndex last)
{
    m_first = first;
    m_last = last;
    if (m_moment == Moment::Range)
        refresh();
}

void LiveTable::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_model->setUnit(unit);
    m_where->setFullText(momentText());
}

void LiveTable::setKept(TimelineState::Kept kept)
{
    m_kept = std::move(kept);
    refresh();
}

void LiveTable::refresh()
{
    delete std::exchange(m_job, nullptr);
    if (m_moment == Moment::Range)
        return refreshRange();
    const Allocations &allocations = m_document->devices[m_device]->allocations();
    std::vector<AllocationIndex> live = allocations.liveAfter(shownEvent());
    if (m_kept)
        std::erase_if(live, [this](AllocationIndex at) { return !(*m_kept)[at]; });
    present(groupByStack(allocations, live));
}

void LiveTable::refreshRange()
{
    const auto work = [document = m_document, device = m_device, kept = m_kept, first = m_first,
                       last = m_last](const Progress &progress) {
        const Allocations &allocations = document->devices[device]->allocations();
        std::vector<AllocationIndex> born;
        const AllocationIndex end = allocations.firstBornAfter(last);
        const Progress choosing = partOf(progress, 0, 0.5);
        for (AllocationIndex at = allocations.firstBornAfter(first - 1); at < end; ++at) {
            if (!goesOn(choosing, at, end))
                return std::vector<LiveGroup>();
            if (!kept || (*kept)[at])
                born.push_back(at);
        }
        return groupByStack(allocations, born, partOf(progress, 0.5, 1));
    };
    m_job = new Job(
        work, [this](std::vector<LiveGroup> groups) { present(std::move(groups)); }, this);
    showProgress(*m_job, this);
}

void LiveTable::setGroups(std::vector<LiveGroup> groups)
{
    m_groups = std::move(groups);
    m_total = 0;
    m_allocations = 0;
    for (const LiveGroup &group : m_groups) {
        m_total = wrappingSum(m_total, group.bytes);
        m_allocations += group.count;
    }
    m_model->setTable(keptWith(liveGroupsTable(*m_document->trace, m_groups), m_document));
}

void LiveTable::present(std::vector<LiveGroup> groups)
{
    setGroups(std::move(groups));
    m_where->setFullText(momentText());
}

EventIndex LiveTable::shownEvent() const
{
    return m_moment == Moment::Peak ? m_document->devices[m_device]->curve().peakActiveEvent()
                                    : m_cursor;
}

QString LiveTable::momentText() const
{
    const Study &device = *m_document->devices[m_device];
    QString where;
    if (!device.hasHistory())
        where = u"Live at the end, by stack"_s;
    else if (m_moment == Moment::Range)
        where =
            u"by stack, allocated from event %1 to %2"_s.arg(countText(m_first), countText(m_last));
    else if (shownEvent() < 0)
        where = u"by stack, before the first event"_s;
    else
        where = u"by stack, after event %1"_s.arg(countText(shownEvent()));
    if (m_kept)
        where += u", filtered"_s;
    return u"%1 · %2 in %3"_s.arg(where, bytesText(m_total, m_unit),
                                  countedText(m_allocations, "allocation"));
}

} // namespace vramscope
