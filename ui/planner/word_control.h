// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/field.h"
#include "ui/planner/task_bar.h"

#include <QFrame>
#include <QPointer>

namespace vramscope {

class FieldControl;
class PresetPopup;
struct Plan;
struct Settings;
struct Theme;

/// A plan's job, each word of it that is the value of a field a link that wordOf() knows.
[[nodiscard]] QString jobHtml(const Plan &plan, const Settings &settings, const Theme &theme);
/// A word as such a link.
[[nodiscard]] QString wordHtml(FieldPath path, const QString &text, const Theme &theme);
/// The field of a link; nullptr where it is another link.
[[nodiscard]] const Field *wordOf(const QString &link);

/// Opens the control of a field under the word that says its value, over a widget.
class WordControl : public QObject
{
    Q_OBJECT

public:
    explicit WordControl(QWidget *over);

    /// Where the pointer is, or below that widget where it was the keyboard.
    void open(const Plan &plan, const Field &field, ByteUnit unit);
    /// Shows the plan as it is after an edit.
    void showPlan(const Plan &plan);
    /// What is open: the list of models, a control in a frame, or nothing.
    [[nodiscard]] QWidget *popup() const;

Q_SIGNALS:
    void edited(const vramscope::Field &field, const vramscope::FieldValue &value);
    void taskChosen(vramscope::Task task);

private:
    void openModels(const Plan &plan, QPoint at);
    QWidget *makeControl(const Plan &plan, const Field &field, ByteUnit unit);

    QWidget *m_over;
    PresetPopup *m_models = nullptr;
    QPointer<QFrame> m_frame;
    QPointer<FieldControl> m_control;
    const Field *m_field = nullptr;
};

} // namespace vramscope
