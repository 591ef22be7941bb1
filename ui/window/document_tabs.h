// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/offscreen/read_document.h"

#include <QTabWidget>

#include <functional>
#include <optional>

namespace vramscope {

class DocumentTab;
class StartPage;
struct FileState;

enum class SaveAnswer { Save, Discard, Cancel };

/// Questions that only a person can answer; tests answer in their place.
struct Questions
{
    std::function<SaveAnswer(const QString &title)> askToSave;
    /// A name to save under; empty: cancelled.
    std::function<QString(const QString &suggestion)> askForName;
    /// A folder to open; empty: cancelled.
    std::function<QString()> askForFolder;
    /// Files to open; may be empty.
    std::function<QStringList()> askForFiles;
    std::function<void(const QString &text)> tell;
    /// Whether to do what `action` names.
    std::function<bool(const QString &text, const QString &action)> confirm;
    /// Shows a file that was written, in the desktop's program for it.
    std::function<void(const QString &name)> openWritten;
};

/// The tabs of the window: Start, which stays, and one a document. A file is open once.
class DocumentTabs : public QTabWidget
{
    Q_OBJECT

public:
    DocumentTabs(DocumentReader reader, Questions questions, QWidget *parent = nullptr);

    [[nodiscard]] StartPage *startPage() const { return m_startPage; }
    /// The document in the current tab; null on the start page.
    [[nodiscard]] DocumentTab *current() const;
    [[nodiscard]] DocumentTab *document(int tab) const;
    [[nodiscard]] QList<DocumentTab *> documents() const;

    /// Opens a file, a folder of ranks or an example; shows that device of it.
    void openFile(const QString &path, std::optional<std::size_t> device = {});
    /// Opens the page about measured figures at the rows of a kind of run.
    void showTrust(const QString &run);
    /// Opens a tab that compares two to kMostCompared recordings; for any other number it shows why
    /// it cannot.
    void compare(std::vector<ComparedTrace> traces);
    /// Opens a tab that compares the plan of a tab with a recording.
    void hold(DocumentTab *plan, ComparedTrace recording);
    void startPlan(const Plan &plan, const QString &notice = {});
    /// Opens a plan that came as text and is in no file: closing asks to save it.
    void startUnsaved(const Plan &plan);
    /// The same for a plan made from a recording; the notice offers to compare both.
    void startRecovered(const Plan &plan, const QString &notice, const ComparedTrace &recording);
    /// Opens a new plan made from another tool's settings.
    void startImported(const QString &name, const Imported &imported);
    /// Opens a plan whose edits were never saved, of a file as it was then or of none.
    void recoverPlan(const QString &path, const FileState &file, const Plan &opened,
                     const Plan &plan);
    void setUnit(ByteUnit unit);
    /// To be called when what is next to the tabs has changed.
    void layOut();
    void setWorkRules(const std::vector<WorkRule> &rules);

    /// False if the user, or a failed write, left the plan unsaved.
    bool save(DocumentTab *tab);
    bool saveAs(DocumentTab *tab);
    /// Asks if a plan is unsaved; false if the tab stays open.
    bool close(DocumentTab *tab);
    /// Asks about every unsaved plan before the window closes; false: stop.
    bool mayCloseAll();

Q_SIGNALS:
    /// The current document changed, or another became current.
    void currentDocumentChanged();
    /// A file was read or written under this name.
    void fileUsed(const QString &path);
    void openWanted();
    /// The user wants work of devices classified by these rules from now on.
    void rulesWanted(const std::vector<vramscope::WorkRule> &rules);
    /// The current plan should take a file, by its name, or settings of another tool.
    void settingsWanted(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// Actions for the page as a whole: the actions of this widget.
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    DocumentTab *add();
    void connectPage(const DocumentPage *page);
    /// Avoids reading an open document again.
    void shareOpen(ComparedTrace &trace) const;
    void refresh(DocumentTab *tab);
    bool mayDrop(DocumentTab *tab);

    DocumentReader m_reader;
    Questions m_questions;
    ByteUnit m_unit = ByteUnit::Binary;
    std::vector<WorkRule> m_rules = defaultWorkRules();
    StartPage *m_startPage = nullptr;
};

} // namespace vramscope
