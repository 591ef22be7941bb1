// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/serving_log/serving_log_document.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>

class QBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vramscope {

class FactTable;
class SegmentBars;

/// What a serving engine logged while it started: the answer, its budget as a bar, what takes the
/// room, its figures beside those of the plan that the log implies, or of the plan of another tab
/// with what the log says of it, and that plan. Of that tab the page is told of every edit; it asks
/// for edits and makes none.
class ServingLogPage : public QWidget
{
    Q_OBJECT

public:
    ServingLogPage(std::shared_ptr<const ServingLogDocument> document, QString title,
                   QWidget *parent = nullptr);

    /// The plan to stand beside the log, as it is now.
    void setPlan(const Plan &plan, const QString &title);
    /// That plan is not there, and why: a sentence. What is shown stays.
    void setPlanMissing(const QString &why);
    /// The plan beside the log; none where it is the one that the log implies.
    [[nodiscard]] const std::optional<Plan> &plan() const { return m_plan; }
    [[nodiscard]] const QString &planTitle() const { return m_planTitle; }
    /// The log with the plan that it is compared with now.
    [[nodiscard]] std::shared_ptr<const ServingLogDocument> shown() const;
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    void setUnit(ByteUnit unit);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] const SegmentBars *bar() const { return m_bar; }
    [[nodiscard]] QPushButton *openButton() const { return m_open; }
    [[nodiscard]] QPushButton *takeOverButton() const { return m_take; }

Q_SIGNALS:
    void planWanted(const vramscope::Plan &plan, const QString &notice);
    /// The plan beside the log should become another one: an edit of that name.
    void editWanted(const vramscope::Plan &plan, const QString &name);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeBudget();
    QWidget *makeFindings();
    QWidget *makeComparison();
    QWidget *makeFigures();
    QWidget *makeChecks();
    QWidget *makePlan();
    void showFigures();
    void showPlan();
    void showButtons();
    void openPlan();
    void takeOver();

    std::shared_ptr<const ServingLogDocument> m_document;
    QString m_title;
    PlannedLog m_planned; ///< by the log, or the plan beside it with what the log says
    std::optional<Plan> m_plan;
    QString m_planTitle;
    QString m_missing; ///< why the plan beside it is not there; empty where it is
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_answer = nullptr;
    QVBoxLayout *m_findings = nullptr;
    SegmentBars *m_bar = nullptr;
    FactTable *m_figures = nullptr;
    QWidget *m_comparison = nullptr;
    QLabel *m_comparedTitle = nullptr;
    FactTable *m_compared = nullptr;
    QLabel *m_planHead = nullptr;
    FactTable *m_settings = nullptr;
    QVBoxLayout *m_notes = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_take = nullptr;
    QBoxLayout *m_columns = nullptr;
};

} // namespace vramscope
