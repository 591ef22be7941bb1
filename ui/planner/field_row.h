// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/issue.h"
#include "ui/planner/field_control.h"
#include "ui/support/elided_label.h"

#include <QLabel>
#include <QToolButton>

namespace vramscope {

/// One line of the form: label, mark and reset where it differs from the opened document, control,
/// and below it what the validator objects to and which recording the value is from.
class FieldRow : public QWidget
{
    Q_OBJECT

public:
    explicit FieldRow(const Field &field, QWidget *parent = nullptr);

    [[nodiscard]] const Field &field() const { return m_field; }
    [[nodiscard]] FieldControl *control() const { return m_control; }
    [[nodiscard]] bool isChanged() const { return m_reset->isVisibleTo(this); }
    [[nodiscard]] QString issueText() const { return m_issue->text(); }
    [[nodiscard]] QString recordingText() const
    {
        return m_recording ? m_recording->text() : QString();
    }

    void showValue(const FieldValue &stated, const FieldValue &effective, bool changed);
    /// What the way back leads to: "A" or "the opened plan", and the value there.
    void showBaseline(const QString &name, const QString &value);
    /// The recording that the value was taken over from; an empty text: none.
    void showRecording(const QString &file);
    /// What is wrong with this field; an empty text: nothing.
    void showIssue(Issue::Severity severity, const QString &text);

Q_SIGNALS:
    void edited(const vramscope::FieldRow *row, const vramscope::FieldValue &value);
    void resetWanted(const vramscope::FieldRow *row);
    void gestureEnded();

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    const Field &m_field;
    QLabel *m_label;
    QToolButton *m_reset;
    QString m_baseline;
    FieldControl *m_control;
    QLabel *m_issue;
    ElidedLabel *m_recording = nullptr; ///< made when there is one to show
};

} // namespace vramscope
