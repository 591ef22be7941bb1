// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QString>
#include <QStringList>

class QFrame;
class QVBoxLayout;

namespace vramscope {

/// The first tab: where a document comes from. Dropping is handled by the window around it.
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
    void openWanted();
    void newPlanWanted();
    /// A recent file or an example.
    void documentWanted(const QString &path);

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeTitle();
    QWidget *makeDropZone();
    QWidget *makeQuestions();
    QWidget *makeExamples();
    void tintIcons();

    QFrame *m_dropZone = nullptr;
    QVBoxLayout *m_recent = nullptr;
};

} // namespace vramscope
