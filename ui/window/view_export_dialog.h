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

/// Asks how a page is to leave the window: format, size, colours, what stands around it, and
/// whether names of people and machines are taken out. Shows beforehand what will be written, and
/// what becomes what where names are taken out.
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
    /// What redaction would replace; empty while it is not asked for.
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
    QTimer m_previewing; ///< what is typed is shown when it rests
};

} // namespace vramscope
