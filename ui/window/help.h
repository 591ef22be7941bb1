// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace vramscope {

/// The help in a window of its own, so that it can be read beside the page it is about: on the left
/// its contents, on the right a page. The pages are Markdown, compiled in; they link to each other
/// by file name.
class HelpWindow : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(QWidget *parent = nullptr);

    /// The names of all pages, in the order of the contents.
    [[nodiscard]] static QStringList pages();
    /// Goes to a page; a name of none leaves the one that is shown.
    void showPage(const QString &name);
    [[nodiscard]] QString page() const;
    [[nodiscard]] QTextBrowser *text() const { return m_text; }
    [[nodiscard]] QListWidget *contents() const { return m_contents; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void render();

    QListWidget *m_contents;
    QTextBrowser *m_text;
};

} // namespace vramscope
