// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace vramscope {

class FactTable;
class RankCurve;

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
