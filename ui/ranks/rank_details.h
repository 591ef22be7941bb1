// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"
#include "ui/support/fact_table.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace vramscope {

class RankCurve;

/// What one rank's memory is made of at its peak, beside that of the typical rank of its group: by
/// category.
[[nodiscard]] std::vector<FactRow> kindRows(const RunStudy &study, std::size_t rank, ByteUnit unit);
/// … and by the place that it was allocated in: what differs most first, of the typical rank itself
/// what is largest. Empty where the places of either are not known.
[[nodiscard]] std::vector<FactRow> siteRows(const RunStudy &study, std::size_t rank, ByteUnit unit);
/// The steps of a rank beside those of the typical one with the same number; at most 200.
[[nodiscard]] std::vector<FactRow> stepRows(const RunStudy &study, std::size_t rank, ByteUnit unit);

/// The steps of the profiler trace of a rank: time, exposed communication, idle.
[[nodiscard]] std::vector<FactRow> timeStepRows(const RunStudy &study, std::size_t rank);

/// One rank of a run against the typical one of its group: whether and where it ran out of memory,
/// where it differs, its curve over the other's, and its steps.
class RankDetails : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit RankDetails(RunStudyPointer study, QWidget *parent = nullptr);

    /// The same ranks with their curves.
    void takeCurves(RunStudyPointer study);
    /// By index into RankedRun::ranks.
    void setRank(std::size_t rank);

Q_SIGNALS:
    void openWanted(std::size_t rank);
    void comparisonWanted(std::size_t rank);

private:
    void takeUnit() override;
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeParts();
    void refresh();
    void refreshTables();

    RunStudyPointer m_study;
    std::size_t m_rank = 0;
    QLabel *m_title;
    QLabel *m_answer;
    QLabel *m_whyNot; ///< why there is nothing to compare with
    QPushButton *m_compare;
    QPushButton *m_open;
    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    QLabel *m_note; ///< of the part in front
    RankCurve *m_curve;
    FactTable *m_sites;
    FactTable *m_kinds;
    FactTable *m_steps;
};

} // namespace vramscope
