// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/describe/allocator_tables.h"
#include "ui/support/work_now.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_view_widget.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTableView;
class QTimer;
class QLayout;

namespace vramscope {

class ElidedLabel;
class Job;
class ReservedPlot;
class SettingField;
class TimelineState;
class WhatIfModel;

/// The bytes of "80", "23.5 GiB" or "81,920 MiB", where a number alone is in GiB or GB; nothing for
/// other texts.
[[nodiscard]] std::optional<Bytes> readSize(const QString &text, ByteUnit unit);

/// The recorded program under other settings of the allocator: how exact the simulation is, which
/// setting to use, a table of the usual settings and the user's own, and the memory they reserve
/// from event to event. Simulates off the GUI thread, when first shown and when the user's setting
/// or the capacity changes.
class WhatIfView : public QWidget, public TraceViewWidget, public LateView
{
    Q_OBJECT

public:
    WhatIfView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
               QWidget *parent = nullptr);

    [[nodiscard]] QWidget *widget() override { return this; }
    void setStudy(std::size_t device, const std::shared_ptr<const Study> &study) override;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] std::optional<Table> asTable(const QString &title, qsizetype most) const override;
    /// Simulates now, on this thread: for pictures without an event loop.
    void workNow() override;

    /// Null while nothing has been simulated.
    [[nodiscard]] const WhatIfFindings *findings() const { return m_findings.get(); }
    [[nodiscard]] WhatIfModel *model() const { return m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] ReservedPlot *plot() const { return m_plot; }
    [[nodiscard]] SettingField *ownField() const { return m_own; }
    [[nodiscard]] QLineEdit *capacityField() const { return m_capacity; }
    [[nodiscard]] QPushButton *copyButton() const { return m_copy; }
    /// What is wrong with the input; empty if it is valid.
    [[nodiscard]] QString problems() const;
    /// Why there is nothing to show; empty where there is something.
    [[nodiscard]] QString emptyText() const;

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using Found = std::shared_ptr<const WhatIfFindings>;
    /// The user's request.
    struct Wish
    {
        std::string own;     ///< a configuration; empty: none
        Bytes capacity = -1; ///< -1: from the recording
        bool operator==(const Wish &) const = default;
    };

    // what_if_view_parts.cpp
    void build();
    [[nodiscard]] QLayout *makeSettings();
    void setUpTable();
    void fitColumns();

    void refreshLines();
    void refreshSamples();

    void readFields();
    void simulate();
    void stop();
    [[nodiscard]] std::function<Found(const Progress &)> work() const;
    void take(Found findings);
    void refresh();
    void copyBest() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    std::shared_ptr<const Study> m_study;
    ByteUnit m_unit = ByteUnit::Binary;
    Wish m_wish;
    bool m_stale = true;
    Found m_findings;
    Job *m_job = nullptr;
    QWidget *m_body;
    QLabel *m_exact;
    QLabel *m_advice;
    QPushButton *m_copy;
    SettingField *m_own;
    QLineEdit *m_capacity;
    QLabel *m_problems;
    QProgressBar *m_progress;
    QPushButton *m_run; // cancels the running simulation, and restarts a cancelled one
    QTimer *m_patience; // short work shows no progress
    QSplitter *m_parts;
    WhatIfModel *m_model;
    QTableView *m_table;
    ReservedPlot *m_plot;
    ElidedLabel *m_basis;
    QLabel *m_empty;
};

} // namespace vramscope
