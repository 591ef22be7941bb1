// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/events_view.h"

#include "core/describe/trace_tables.h"
#include "ui/jobs/job.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/row_delegate.h"
#include "ui/support/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What a click on a heading sorts by, by column. Events are in the order of their times.
constexpr std::array kOrders{EventOrder::Event, EventOrder::Event,   EventOrder::Action,
                             EventOrder::Size,  EventOrder::Address, EventOrder::Stream,
                             EventOrder::Stack};

} // namespace

EventsView::EventsView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
                       QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_state(state)
    , m_model(new DataTableModel(this))
    , m_table(new QTableView)
    , m_count(noteLabel())
{
    setLayout(column({m_count, {m_table, 1}}, 4, {4, 4, 4, 4}));
    setUpTable();
    connect(state, &TimelineState::cursorChanged, this, &EventsView::followCursor);
    connect(state, &TimelineState::keptChanged, this, &EventsView::refresh);
}

void EventsView::setUpTable()
{
    setRows({});
    m_table->setModel(m_model);
    m_table->setAccessibleName(u"Events"_s);
    setUpRowTable(*m_table);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setSortIndicator(0, Qt::AscendingOrder);
    header->setSectionsClickable(true);
    const int digit = m_table->fontMetrics().averageCharWidth();
    const std::array widths = {14, 13, 22, 13, 20, 10};
    for (std::size_t column = 0; column < widths.size(); ++column)
        header->resizeSection(static_cast<int>(column), digit * widths[column]);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_order = kOrders[static_cast<std::size_t>(std::max(column, 0))];
                m_descending = order == Qt::DescendingOrder;
                refresh();
            });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    choose(current.row());
            });
}

void EventsView::setDevice(std::size_t device)
{
    m_device = device;
    setRows({});
    refresh();
}

std::optional<Table> EventsView::asTable(const QString &title, qsizetype most) const
{
    return tableOf(*m_model, title, most);
}

void EventsView::setUnit(ByteUnit unit)
{
    m_model->setUnit(unit);
}

void EventsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void EventsView::refresh()
{
    delete std::exchange(m_job, nullptr);
    m_stale = !isVisible();
    if (m_stale)
        return;
    m_job = new Job(
        work(), [this](Rows rows) { take(std::move(rows)); }, this);
    showProgress(*m_job, this);
}

void EventsView::workNow()
{
    delete std::exchange(m_job, nullptr); // its result would be the same
    m_stale = false;
    take(work()({}));
    m_table->scrollTo(m_table->currentIndex(), QAbstractItemView::PositionAtCenter);
}

std::function<EventsView::Rows(const Progress &)> EventsView::work() const
{
    return [document = m_document, device = m_device, kept = m_state->kept(), order = m_order,
            descending = m_descending](const Progress &progress) {
        const Study &of = *document->devices[device];
        return orderedEvents(of.device(), of.allocations(),
                             kept ? std::span<const std::uint8_t>(*kept)
                                  : std::span<const std::uint8_t>(),
                             order, descending, progress);
    };
}

void EventsView::take(Rows rows)
{
    if (!rows)
        return;
    const Study &of = *m_document->devices[m_device];
    setRows(*std::move(rows));
    m_count->setText(u"%1 of %2"_s.arg(countText(m_model->rowCount()),
                                       countedText(of.device().events.count(), "event")));
    m_table->doItemsLayout(); // else the scroll bar still ends where the last list did
    followCursor();
}

void EventsView::setRows(std::vector<EventIndex> rows)
{
    m_isAscending = std::ranges::is_sorted(rows);
    m_rows = std::make_shared<const std::vector<EventIndex>>(std::move(rows));
    const Study &of = *m_document->devices[m_device];
    m_model->setTable(
        keptWith(eventsTable(*m_document->trace, of.device(), of.times(), m_rows), m_document));
}

int EventsView::rowOf(EventIndex event) const
{
    const auto found = m_isAscending ? std::ranges::lower_bound(*m_rows, event)
                                     : std::ranges::find(*m_rows, event);
    return static_cast<int>(found - m_rows->begin());
}

void EventsView::choose(int row)
{
    const EventIndex event = eventAt(row);
    if (event == m_state->cursor())
        return;
    m_choosing = true;
    m_state->setCursor(event);
    m_state->reveal(event);
    const Study &of = *m_document->devices[m_device];
    m_state->select(allocationOf(of.device(), of.allocations(), event));
    m_choosing = false;
}

void EventsView::followCursor()
{
    if (m_choosing || !isVisible() || m_model->rowCount() == 0)
        return;
    const int row = std::min(rowOf(m_state->cursor()), m_model->rowCount() - 1);
    const QSignalBlocker silent(m_table->selectionModel());
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::EnsureVisible);
    m_table->viewport()->update();
}

} // namespace vramscope
