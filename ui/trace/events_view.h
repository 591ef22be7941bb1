// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/event_order.h"
#include "core/base/format.h"
#include "ui/support/work_now.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_view_widget.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QTableView;

namespace vramscope {

class DataTableModel;
class Job;

/// Every event of a device as a list: sorted by a click on a heading, cut down by the filter. The
/// row of the cursor is the current one; choosing a row moves the cursor and selects its
/// allocation.
class EventsView : public QWidget, public TraceViewWidget, public LateView
{
    Q_OBJECT

public:
    EventsView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
               QWidget *parent = nullptr);

    [[nodiscard]] QWidget *widget() override { return this; }
    void setDevice(std::size_t device) override;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] std::optional<Table> asTable(const QString &title, qsizetype most) const override;
    /// Makes the requested list now, on this thread: for pictures without an event loop.
    void workNow() override;

    [[nodiscard]] DataTableModel *model() const { return m_model; }
    /// The event of a row.
    [[nodiscard]] EventIndex eventAt(int row) const
    {
        return (*m_rows)[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] QTableView *table() const { return m_table; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void setUpTable();
    /// Sorts and filters off this thread; while the view is hidden, when it is shown.
    void refresh();
    using Rows = std::optional<std::vector<EventIndex>>;
    [[nodiscard]] std::function<Rows(const Progress &)> work() const;
    void take(Rows rows);
    void setRows(std::vector<EventIndex> rows);
    /// The row of an event; the next one after it where it is not shown.
    [[nodiscard]] int rowOf(EventIndex event) const;
    void choose(int row);
    void followCursor();

    std::shared_ptr<const TraceDocument> m_document;
    TimelineState *m_state;
    std::size_t m_device = 0;
    EventOrder m_order = EventOrder::Event;
    bool m_descending = false;
    bool m_stale = true;
    bool m_choosing = false;                               // the cursor moves because of a row
    std::shared_ptr<const std::vector<EventIndex>> m_rows; // of the model
    bool m_isAscending = true;                             // m_rows
    DataTableModel *m_model;
    QTableView *m_table;
    QLabel *m_count;
    Job *m_job = nullptr;
};

} // namespace vramscope
