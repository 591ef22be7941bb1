// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/step_text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_view_widget.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;
class StepsPlot;

/// The training steps of one device overlaid, by events or by time like the timelines, with a table
/// next to them. The step at the cursor is the chosen one; choosing another moves the cursor to its
/// peak and shows it in all views. If there are no steps, explains how they are found.
class StepsView : public QWidget, public TraceViewWidget
{
    Q_OBJECT

public:
    StepsView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
              QWidget *parent = nullptr);

    [[nodiscard]] QWidget *widget() override { return this; }
    void setStudy(std::size_t device, const std::shared_ptr<const Study> &study) override;
    void setUnit(ByteUnit unit) override;
    /// Without the table.
    void simplify() override;
    [[nodiscard]] std::optional<Table> asTable(const QString &title, qsizetype most) const override;
    void choose(std::size_t step);

    [[nodiscard]] StepsPlot *plot() const { return m_plot; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    /// Why there is nothing to show; empty if there is something.
    [[nodiscard]] QString emptyText() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUpTable();
    void refresh();
    void followCursor();

    std::shared_ptr<const TraceDocument> m_document;
    TimelineState *m_state;
    std::size_t m_device = 0;
    std::shared_ptr<const Study> m_study;
    StepsData m_data;
    ElidedLabel *m_how;
    QWidget *m_body;
    StepsPlot *m_plot;
    DataTableModel *m_model;
    QTableView *m_table;
    int m_tableWidth = 0; // with all its columns
    QLabel *m_empty;
};

} // namespace vramscope
