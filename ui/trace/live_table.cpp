// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/live_table.h"

#include "ui/models/live_groups_model.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"

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
    , m_model(new LiveGroupsModel(m_document->trace, this))
    , m_view(new QTableView)
    , m_choice(new QWidget)
    , m_where(new ElidedLabel(Qt::ElideRight))
{
    setProperty("role", u"side"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_where->setProperty("role", u"dim"_s);
    setUpView();

    auto *choice = new QHBoxLayout(m_choice);
    choice->setContentsMargins(0, 0, 0, 0);
    choice->setSpacing(6);
    auto *group = new QButtonGroup(this);
    for (const auto &[moment, text] : {std::pair(Moment::Cursor, tr("Live at the cursor")),
                                       std::pair(Moment::Peak, tr("At the peak"))}) {
        auto *button = new QPushButton(text);
        button->setCheckable(true);
        button->setChecked(moment == m_moment);
        group->addButton(button);
        choice->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, at = moment] {
            m_moment = at;
            refresh();
        });
    }
    auto *title = new QHBoxLayout;
    title->setSpacing(14);
    title->addWidget(m_choice);
    title->addWidget(m_where, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(6);
    layout->addLayout(title);
    layout->addWidget(m_view, 1);
}

void LiveTable::setUpView()
{
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Live allocations by stack"));
    m_view->setShowGrid(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setWordWrap(false);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 8);
    QHeaderView *header = m_view->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(LiveGroupsModel::Site, QHeaderView::Stretch);
    const int digit = m_view->fontMetrics().averageCharWidth();
    header->resizeSection(LiveGroupsModel::Size, digit * 14);
    header->resizeSection(LiveGroupsModel::Count, digit * 11);
    header->resizeSection(LiveGroupsModel::Share, digit * 11);
    const auto choose = [this](const QModelIndex &index) {
        Q_EMIT allocationChosen(m_model->group(index.row()).first, event());
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
}

void LiveTable::setDevice(std::size_t device)
{
    m_device = device;
    m_choice->setVisible(m_document->devices[device]->hasHistory());
    if (!m_document->devices[device]->hasHistory())
        m_moment = Moment::Cursor;
    refresh();
}

void LiveTable::setCursorEvent(EventIndex event)
{
    m_cursor = event;
    if (m_moment == Moment::Cursor)
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
    const Allocations &allocations = m_document->devices[m_device]->allocations;
    std::vector<AllocationIndex> live = allocations.liveAfter(event());
    if (m_kept)
        std::erase_if(live, [this](AllocationIndex at) { return !(*m_kept)[at]; });
    m_model->setGroups(groupByStack(allocations, live));
    m_where->setFullText(momentText());
}

EventIndex LiveTable::event() const
{
    return m_moment == Moment::Cursor ? m_cursor
                                      : m_document->devices[m_device]->curve.peakActiveEvent();
}

QString LiveTable::momentText() const
{
    const DeviceDocument &device = *m_document->devices[m_device];
    QString where;
    if (!device.hasHistory())
        where = tr("Live at the end, by stack");
    else if (event() < 0)
        where = tr("by stack, before the first event");
    else
        where = tr("by stack, after event %1").arg(countText(event()));
    if (m_kept)
        where += tr(", filtered");
    return tr("%1 · %2 in %3 allocations")
        .arg(where, bytesText(m_model->total(), m_unit), countText(m_model->allocations()));
}

} // namespace vramscope
