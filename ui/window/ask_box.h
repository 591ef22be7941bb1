// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/plan.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace vramscope {

/// A line that says in words what is to be planned, and under it, while it is typed, what would be
/// assumed or which word is not known. Enter asks for the plan.
class AskBox : public QWidget
{
    Q_OBJECT

public:
    explicit AskBox(QWidget *parent = nullptr);

Q_SIGNALS:
    void planWanted(const vramscope::Plan &plan);
    /// The line is the name of a file.
    void documentWanted(const QString &path);
    /// The line is settings of another tool: its command line, or the content of its file.
    void settingsWanted(const QString &text);

private:
    void answer();
    void submit();

    QLineEdit *m_line = nullptr;
    QLabel *m_answer = nullptr;
};

} // namespace vramscope
