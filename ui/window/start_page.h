// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QString>
#include <QStringList>

class QFrame;
class QLabel;
class QVBoxLayout;

namespace vramscope {

class AskBox;
class RowButton;
struct Plan;
enum class Command;

/// The first tab: the three questions that the program answers, each with what to do and an
/// example, and where a document comes from. The window around it handles drops; help opens like
/// helpLink().
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    /// Newest first; missing files are greyed.
    void setRecentFiles(const QStringList &files);
    /// Marks the drop zone while a file hovers over the window.
    void setDropActive(bool active);

Q_SIGNALS:
    void commandWanted(vramscope::Command command);
    /// The same of an example, which is to be opened first.
    void commandOnWanted(vramscope::Command command, const QString &example);
    /// A recent file or an example.
    void documentWanted(const QString &path);
    /// A plan requested in words, or settings of another tool.
    void planWanted(const vramscope::Plan &plan);
    void settingsWanted(const QString &text);
    /// Two examples in one tab: a plan compared with a recording, or two recordings compared.
    void pairWanted(const QString &first, const QString &second);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeAbout();
    QWidget *makeQuestion(std::size_t number);
    QWidget *makeOpening();
    QWidget *makePlans();
    QWidget *makeRecordings();
    RowButton *exampleRow(const QString &path);
    void copyRecipe(RowButton *row);
    void takeTheme();

    AskBox *m_ask = nullptr;
    QLabel *m_accuracy = nullptr;
    QFrame *m_dropZone = nullptr;
    QVBoxLayout *m_recent = nullptr;
};

} // namespace vramscope
