// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/view_export.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace vramscope {

class ExportPreview;

/// Asks how to export a page from the window: format, size, colours, surroundings, and whether to
/// redact names of people and machines. Previews what will be written, and lists the replacements
/// of redacted names.
class ViewExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// The content outlives the dialog.
    ViewExportDialog(const PageContent &content, ExportedViewMaker maker,
                     QWidget *parent = nullptr);

    [[nodiscard]] ViewExport choice() const;
    void setFormat(ViewFormat format);
    void setRedacted(bool redacted);
    /// What redaction would replace; empty until requested.
    [[nodiscard]] QTreeWidget *replaced() const { return m_replaced; }
    [[nodiscard]] ExportPreview *preview() const { return m_preview; }

Q_SIGNALS:
    void exportWanted(const vramscope::ViewExport &how);

private:
    [[nodiscard]] QLayout *makeRows();
    void connectRows();
    void refresh();
    void listReplaced();
    void showPreview();

    const PageContent &m_content;
    ExportedViewMaker m_maker;
    QComboBox *m_format;
    QComboBox *m_size;
    QComboBox *m_scale;
    QComboBox *m_theme;
    QCheckBox *m_alone;
    QCheckBox *m_captioned;
    QLineEdit *m_title;
    QCheckBox *m_redacted;
    QLabel *m_about;
    QTreeWidget *m_replaced;
    ExportPreview *m_preview;
    QTimer m_previewing; ///< updates the preview when typing pauses
};

} // namespace vramscope
