// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace vramscope {

/// The help in a window of its own, so that it can be read beside the page it is about: on the left
/// a search and the contents, on the right a page. Pages link to each other by file name and
/// heading, "plan.md#at-rest". A search leaves the pages that have the words and marks them; Enter
/// leads from one to the next, over all these pages.
class HelpWindow : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(QWidget *parent = nullptr);

    /// Goes to a page, "plan", or to a heading of one, "plan#at-rest"; a name of none leaves what
    /// is shown.
    void showPage(const QString &name);
    /// Its name.
    [[nodiscard]] QString page() const;
    /// Marks the places of a text, and goes to the first.
    void find(const QString &text);
    [[nodiscard]] QTextBrowser *text() const { return m_text; }
    [[nodiscard]] QListWidget *contents() const { return m_contents; }
    [[nodiscard]] QLineEdit *search() const { return m_search; }

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeContents();
    void render();
    void mark();
    void goToHeading(const QString &anchor);
    /// To the next place found, in this page or a later one.
    void findNext();

    QLineEdit *m_search;
    QListWidget *m_contents;
    QLabel *m_nothing;
    QTextBrowser *m_text;
};

} // namespace vramscope
