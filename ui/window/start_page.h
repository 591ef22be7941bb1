// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QString>
#include <QStringList>

class QFrame;
class QLabel;
class QMenu;
class QPushButton;
class QVBoxLayout;

namespace vramscope {

class AskBox;
class RowButton;
struct Plan;
enum class Command;

/// The first tab: the question with its line, which takes every key that is pressed on the page,
/// where a document comes from, and what was opened last; examples, until something was. The
/// window around it handles drops; help opens like helpLink().
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    /// Newest first; missing files are greyed.
    void setRecentFiles(const QStringList &files);
    /// What lists all recent files and all examples.
    void setMenus(QMenu *recent, QMenu *examples);
    /// Marks the page while a file hovers over the window.
    void setDropActive(bool active);

Q_SIGNALS:
    void commandWanted(vramscope::Command command);
    /// A recent file or an example.
    void documentWanted(const QString &path);
    /// A plan requested in words, or settings of another tool.
    void planWanted(const vramscope::Plan &plan);
    void settingsWanted(const QString &text);
    /// Two examples in one tab: a plan compared with a recording, or two recordings compared.
    void pairWanted(const QString &first, const QString &second);

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    QVBoxLayout *makeOpening();
    QVBoxLayout *makeListed();
    QLabel *makeTrust();
    void listExamples();
    void takeTheme();

    AskBox *m_ask;
    QFrame *m_page;
    QLabel *m_title;
    QPushButton *m_allRecent;
    QPushButton *m_allExamples;
    QVBoxLayout *m_listed;
    QLabel *m_trust;
};

} // namespace vramscope
