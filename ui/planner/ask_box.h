// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"
#include "core/plan/plan.h"
#include "core/solver/answer_sought.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace vramscope {

class AskLine;
class Job;
class WordControl;

/// A line that says in words what is to be planned, and under it, while it is typed, the sentence
/// that was understood with its verdict, each word of it a control, or which word is not known.
/// Enter asks for the plan. Over an open plan the words say what is to be changed in it. Without
/// one, examples stand where the answer will.
class AskBox : public QWidget
{
    Q_OBJECT

public:
    explicit AskBox(QWidget *parent = nullptr);
    ~AskBox() override;

    /// As the first thing on a page: a larger line.
    void setProminent();
    /// Words go over this plan from now on, and nothing is shown while none are typed.
    void setOpenPlan(const Plan &plan);

Q_SIGNALS:
    void planWanted(const vramscope::Plan &plan);
    /// The line is the name of a file.
    void documentWanted(const QString &path);
    /// The line is settings of another tool: its command line, or the content of its file.
    void settingsWanted(const QString &text);

protected:
    void changeEvent(QEvent *event) override;

private:
    void read();
    void tell();
    void follow(const QString &link);
    void set(FieldPath path, const Plan &plan);
    void submit();
    /// Looks on a thread for what the words ask for, and from now on for nothing else.
    void seek();
    void seekAnew();
    void takeFound(const Result<SoughtAnswer> &found);
    [[nodiscard]] QString hintHtml() const;
    [[nodiscard]] QString piecesHtml(const Plan &plan, const Settings &settings) const;
    [[nodiscard]] QString soughtHtml() const;
    [[nodiscard]] QString versionsHtml() const;
    [[nodiscard]] QString answerHtml() const;

    AskLine *m_line;
    QLabel *m_answer;
    WordControl *m_control;
    std::optional<Plan> m_open;
    Asked m_asked; ///< its plan is as the controls have set it since
    std::vector<FieldPath> m_set;
    std::optional<SoughtAnswer> m_found;
    QString m_whyNotFound;
    QTimer m_wait;
    std::unique_ptr<Job> m_job;
};

} // namespace vramscope
