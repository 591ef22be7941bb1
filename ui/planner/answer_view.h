// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "ui/support/wrapped_label.h"

#include <QLabel>
#include <QWidget>

#include <optional>

namespace vramscope {

struct Field;

/// The head of a plan: what is run on what, each word of it a control; the verdict; its range and
/// speed. All other figures are behind "More figures"; below, what the validator has to say.
class AnswerView : public QWidget
{
    Q_OBJECT

public:
    explicit AnswerView(QWidget *parent = nullptr);

    void showEstimate(const Estimate &estimate, ByteUnit unit);
    /// What the next estimate is of, which the subject names.
    void setPlan(const Plan &plan) { m_plan = plan; }
    /// Notes are folded to their count until asked for.
    void setNotesShown(bool shown);
    void setFiguresShown(bool shown);
    /// Subject and verdict as one sentence of plain text.
    [[nodiscard]] QString headline() const { return m_sentence; }
    [[nodiscard]] QString levels() const { return m_levels->text(); }
    [[nodiscard]] QString time() const { return m_time->text(); }
    /// It takes whatever width there is, so no height is looked for at a width of its own.
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

Q_SIGNALS:
    /// An issue was clicked: the path of its field.
    void fieldClicked(const QString &path);
    /// A word of the headline was clicked that says the value of a field.
    void wordClicked(const vramscope::Field &field);
    /// How far the figures can be trusted is asked.
    void trustWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void refreshAnswer();
    void refreshFigures();
    [[nodiscard]] QString issuesHtml() const;

    WrappedLabel *m_subject = nullptr;
    WrappedLabel *m_headline = nullptr;
    WrappedLabel *m_figures = nullptr;
    WrappedLabel *m_levels = nullptr;
    WrappedLabel *m_time = nullptr;
    WrappedLabel *m_issues = nullptr;
    QWidget *m_details = nullptr; ///< levels, time and the link to the accuracy
    QString m_sentence;
    std::optional<Plan> m_plan;
    Estimate m_estimate;
    ByteUnit m_unit = ByteUnit::Binary;
    bool m_notesShown = false;
    bool m_figuresShown = false;
};

/// "allocated 61.6 GiB · reserved 65.9 GiB · …"; empty where nothing was computed.
[[nodiscard]] QString levelsText(const Estimate &estimate, ByteUnit unit);

} // namespace vramscope
