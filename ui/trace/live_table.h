// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

class QAbstractButton;
class QButtonGroup;
class QTableView;

namespace vramscope {

class ElidedLabel;
class LiveGroupsModel;

/// What is live by stack: at the cursor, or at the peak. Where no history was recorded, what is
/// live at the end.
class LiveTable : public QWidget
{
    Q_OBJECT

public:
    explicit LiveTable(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr);

    void setDevice(std::size_t device);
    void setCursorEvent(EventIndex event);
    void setUnit(ByteUnit unit);
    /// Counts only what a filter keeps.
    void setKept(TimelineState::Kept kept);

    [[nodiscard]] LiveGroupsModel *model() const { return m_model; }
    [[nodiscard]] QTableView *view() const { return m_view; }

Q_SIGNALS:
    /// The earliest allocation of the chosen row, and the event the table stands at.
    void allocationChosen(AllocationIndex allocation, EventIndex event);

private:
    enum class Moment { Cursor, Peak };

    void setUpView();
    void refresh();
    [[nodiscard]] EventIndex event() const;
    [[nodiscard]] QString momentText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    EventIndex m_cursor = -1;
    Moment m_moment = Moment::Cursor;
    ByteUnit m_unit = ByteUnit::Binary;
    TimelineState::Kept m_kept;
    LiveGroupsModel *m_model;
    QTableView *m_view;
    QWidget *m_choice;
    ElidedLabel *m_where;
};

} // namespace vramscope
