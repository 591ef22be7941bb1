// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/export.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace vramscope {

/// A plan in the words of another tool: choose the format, see the text and what gets lost, copy it
/// or save it.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(Plan plan, QWidget *parent = nullptr);

    void setFormat(ExportFormat format);
    /// The text as shown; empty where the plan cannot be said in this format.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString notesText() const;

Q_SIGNALS:
    /// The text is to be written; the name is what such files are usually called.
    void saveWanted(const QString &text, const QString &name);

private:
    void refresh();

    Plan m_plan;
    QComboBox *m_formats;
    QPlainTextEdit *m_text;
    QLabel *m_notesTitle;
    QPlainTextEdit *m_notes;
    QPushButton *m_copy;
    QPushButton *m_save;
};

} // namespace vramscope
