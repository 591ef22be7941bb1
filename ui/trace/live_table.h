// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/table/table.h"
#include "ui/support/in_unit.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/coloring.h"
#include "ui/trace/trace_document.h"

#include <QFrame>

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;
class Job;

/// The stacks with the most bytes: live at the cursor or at the peak, or allocated in the visible
/// range, whether or not they were freed. If no history was recorded, live at the end.
class LiveTable : public QFrame, public InUnit
{
    Q_OBJECT

public:
    explicit LiveTable(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);

    void setDevice(std::size_t device);
    void setCursorEvent(EventIndex event);
    /// The visible events.
    void setRange(EventIndex first, EventIndex last);
    /// The colours of the allocations, shown before their stacks.
    void setColoring(std::shared_ptr<const Coloring> coloring);
    /// Counts only what a filter keeps.
    void setKept(TimelineState::Kept kept);

    [[nodiscard]] DataTableModel *model() const { return m_model; }
    /// The rows of the model, most bytes first.
    [[nodiscard]] const std::vector<LiveGroup> &groups() const { return m_groups; }
    [[nodiscard]] Bytes total() const { return m_total; }
    [[nodiscard]] std::int64_t allocations() const { return m_allocations; }
    [[nodiscard]] QTableView *view() const { return m_view; }

Q_SIGNALS:
    /// The earliest allocation of the chosen row, and the event of the table.
    void allocationChosen(AllocationIndex allocation, EventIndex event);
    /// The user wants only this stack's allocations shown.
    void stackWanted(StackId stack);

private:
    void takeUnit() override;
    enum class Moment { Cursor, Peak, Range };

    void setUpView();
    void setGroups(std::vector<LiveGroup> groups);
    [[nodiscard]] QWidget *makeChoice();
    /// The colour of a shown row, if there is one.
    [[nodiscard]] std::optional<QRgb> colorOf(int row) const;
    /// The rows, with all sizes in the unit that the head names.
    [[nodiscard]] DataTable tableOfGroups() const;
    void refresh();
    /// On another thread: a range may have millions of events.
    void refreshRange();
    void present(std::vector<LiveGroup> groups);
    [[nodiscard]] EventIndex shownEvent() const;
    [[nodiscard]] QString momentText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    EventIndex m_cursor = -1;
    EventIndex m_first = 0; // of the visible range
    EventIndex m_last = -1;
    Moment m_moment = Moment::Cursor;
    TimelineState::Kept m_kept;
    std::vector<LiveGroup> m_groups;
    Bytes m_total = 0;              // of m_groups
    std::int64_t m_allocations = 0; // of m_groups
    DataTableModel *m_model;
    std::shared_ptr<const Coloring> m_coloring;
    QTableView *m_view;
    QLabel *m_title;
    QWidget *m_choice;
    ElidedLabel *m_where;
    Job *m_job = nullptr;
};

} // namespace vramscope
