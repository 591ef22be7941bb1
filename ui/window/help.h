// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace vramscope {

/// The help in a window of its own, next to the page it is about: on the left a search and the
/// contents, on the right a page. Pages link to each other by file name and heading,
/// "plan.md#at-rest". A search lists only pages with the words and marks them; Enter goes from one
/// match to the next, across all these pages.
class HelpWindow : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(QWidget *parent = nullptr);

    /// Goes to a page, "plan", or to a heading of one, "plan#at-rest"; ignores an unknown name.
    void showPage(const QString &name);
    /// The name of the page shown.
    [[nodiscard]] QString page() const;
    /// Marks every match of a text, and goes to the first.
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
    /// Goes to the next match, in this page or a later one.
    void findNext();

    QLineEdit *m_search;
    QListWidget *m_contents;
    QLabel *m_nothing;
    QTextBrowser *m_text;
};

// The pages of the help: Markdown of resources/help, compiled in. What the program itself knows
// (the keys of its menus, the lines that record) is put in from there, so that it cannot differ.

/// The names of all pages, in the order of the contents.
[[nodiscard]] QStringList helpPages();
/// The first line of a page after its #; empty if there is no such page.
[[nodiscard]] QString helpTitle(const QString &page);
[[nodiscard]] QString helpMarkdown(const QString &page);

/// The name of a heading in a link: "At rest" is "at-rest".
[[nodiscard]] QString helpAnchor(const QString &heading);

} // namespace vramscope
