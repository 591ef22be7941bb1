// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/serving_log/serving_log_document.h"

#include <QString>
#include <QWidget>

#include <memory>

class QBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vramscope {

class BudgetBar;
class FactTable;

/// What a serving engine logged while it started: the answer, its budget as a bar, what takes the
/// room, its figures beside those of the plan that the log implies, and that plan.
class ServingLogPage : public QWidget
{
    Q_OBJECT

public:
    explicit ServingLogPage(std::shared_ptr<const ServingLogDocument> document,
                            QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] const BudgetBar *bar() const { return m_bar; }
    [[nodiscard]] QPushButton *openButton() const { return m_open; }
    [[nodiscard]] QPushButton *takeOverButton() const { return m_take; }

Q_SIGNALS:
    void planWanted(const vramscope::Plan &plan, const QString &notice);

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
    void openPlan();
    void openMeasured();

    std::shared_ptr<const ServingLogDocument> m_document;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_answer = nullptr;
    QVBoxLayout *m_findings = nullptr;
    BudgetBar *m_bar = nullptr;
    FactTable *m_figures = nullptr;
    FactTable *m_compared = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_take = nullptr;
    QBoxLayout *m_columns = nullptr;
};

} // namespace vramscope
