// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/view_export.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace vramscope {

/// Asks how a page is to leave the window: format, size, colours, what stands around it, and
/// whether names of people and machines are taken out, with a list of what becomes what.
class ViewExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// `path` is that of the page's document, or empty. The page outlives the dialog.
    ViewExportDialog(const DocumentPage &page, QString path, QWidget *parent = nullptr);

    [[nodiscard]] ViewExport choice() const;
    void setFormat(ViewFormat format);
    void setRedacted(bool redacted);
    /// What redaction would replace; empty while it is not asked for.
    [[nodiscard]] QTreeWidget *replaced() const { return m_replaced; }

Q_SIGNALS:
    void exportWanted(const vramscope::ViewExport &how);

private:
    void makeRows();
    void refresh();
    void listReplaced();

    const DocumentPage &m_page;
    QString m_path;
    QComboBox *m_format;
    QComboBox *m_size;
    QComboBox *m_scale;
    QComboBox *m_theme;
    QCheckBox *m_captioned;
    QLineEdit *m_title;
    QCheckBox *m_redacted;
    QLabel *m_about;
    QTreeWidget *m_replaced;
};

} // namespace vramscope
