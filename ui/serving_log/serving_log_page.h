// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/serving_log/serving_log_document.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vramscope {

class Card;
class CardColumns;
class FactTable;
class SegmentBars;
class StageBar;

/// What a serving engine logged while it started: the answer, its budget as a bar, what takes the
/// room, its figures beside those of the plan that the log implies, or of the plan of another tab
/// with what the log says of it, and that plan. Of that tab the page is told of every edit; it asks
/// for edits and makes none.
class ServingLogPage : public DocumentPage, private PlansBeside
{
    Q_OBJECT

public:
    ServingLogPage(std::shared_ptr<const ServingLogDocument> document, QString title,
                   QWidget *parent = nullptr);

    /// The plan to compare with the log, as it is now.
    void setPlan(const Plan &plan, const QString &title);
    void setPlanMissing(const QString &why) override;
    /// The log with the plan that it is compared with now.
    [[nodiscard]] std::shared_ptr<const ServingLogDocument> shown() const;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return QStringLiteral("recording#logs-of-serving-engines");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }
    [[nodiscard]] bool takesPlan() const override { return true; }
    /// The plan compared with the log; none where it is the one that the log implies.
    [[nodiscard]] const std::optional<Plan> &plan() const { return m_plan; }
    [[nodiscard]] const QString &planTitle() const { return m_planTitle; }
    [[nodiscard]] const SegmentBars *bar() const { return m_bar; }
    [[nodiscard]] const StageBar *stages() const { return m_stages; }
    [[nodiscard]] QPushButton *openButton() const { return m_open; }
    [[nodiscard]] QPushButton *takeOverButton() const { return m_take; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeBudget();
    QWidget *makeFigures();
    QWidget *makeChecks();
    QWidget *makePlan();
    void showFigures();
    void showPlan();
    void showButtons();
    void openPlan();
    void takeOver();
    [[nodiscard]] std::vector<NamedPlan> plans() const override;
    void addPlan(const NamedPlan &plan) override { setPlan(plan.plan, plan.name); }

    std::shared_ptr<const ServingLogDocument> m_document;
    QString m_title;
    PlannedLog m_planned; ///< by the log, or the plan beside it with what the log says
    std::optional<Plan> m_plan;
    QString m_planTitle;
    QString m_missing; ///< why the plan beside it is not there; empty where it is
    QLabel *m_answer = nullptr;
    QLabel *m_verdict = nullptr; ///< where a start ended, why, and what to change
    StageBar *m_stages = nullptr;
    QVBoxLayout *m_findings;
    SegmentBars *m_bar = nullptr;
    FactTable *m_figures = nullptr;
    Card *m_comparison = nullptr;
    FactTable *m_compared;
    Card *m_planCard = nullptr;
    FactTable *m_settings = nullptr;
    QVBoxLayout *m_notes = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_take = nullptr;
    CardColumns *m_columns = nullptr;
};

} // namespace vramscope
