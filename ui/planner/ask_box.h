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

class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QPushButton;

namespace vramscope {

class AskLine;
class Job;
class WordControl;
struct Estimate;

/// A line that says in words what is to be planned, and under it, while it is typed, the verdict,
/// what was understood and at its right what is assumed, each word a control, or which word is not
/// known. Enter asks for the plan. Over an open plan the words say what is to be changed in it.
class AskBox : public QWidget
{
    Q_OBJECT

public:
    explicit AskBox(QWidget *parent = nullptr);
    ~AskBox() override;

    /// As the first thing on a page: a larger line with a button in it, and examples that fill it.
    void setProminent();
    /// Words go over this plan from now on, and nothing is shown while none are typed.
    void setOpenPlan(const Plan &plan);
    /// Takes a key that was pressed elsewhere.
    void type(QKeyEvent *key);

Q_SIGNALS:
    void planWanted(const vramscope::Plan &plan);
    /// The line is the name of a file.
    void documentWanted(const QString &path);
    /// The line is settings of another tool: its command line, or the content of its file.
    void settingsWanted(const QString &text);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

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
    [[nodiscard]] QHBoxLayout *makeExamples();
    // ask_box_answer.cpp
    [[nodiscard]] QString verdictHtml(const Estimate &estimate) const;
    [[nodiscard]] QString sentenceHtml(const Plan &plan, const Settings &settings) const;
    [[nodiscard]] QString notesHtml() const;
    [[nodiscard]] QString candidatesHtml() const;
    [[nodiscard]] QString soughtHtml() const;
    [[nodiscard]] QString versionsHtml() const;
    [[nodiscard]] QString answerHtml() const;

    /// What links begin with.
    static constexpr QStringView kModelLink = u"model:";
    static constexpr QStringView kVersionLink = u"version:";

    AskLine *m_line;
    QLabel *m_answer;
    QPushButton *m_go = nullptr;       ///< where the line is prominent
    QHBoxLayout *m_examples = nullptr; ///< likewise
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
