// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/document_tabs.h"
#include "ui/window/preferences.h"
#include "ui/window/view_export.h"

#include <QMainWindow>

class QLabel;
class QPushButton;
class QToolButton;

namespace vramscope {

class Commands;
class HelpWindow;
class Job;
class Recovery;
struct ReportSource;
enum class Command;
enum class DeckFormat;

/// The questions as dialogs over a window.
[[nodiscard]] Questions dialogs(QWidget *window);

/// The window: menus, tabs, status bar, dropping. Manages the open tabs and the preferences; each
/// tab has its own document.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    struct Options
    {
        QString preferencesFile;            ///< empty: the user's own
        bool desktopDark = false;           ///< the meaning of Appearance::System
        DocumentReader reader;              ///< empty: readDocument
        std::optional<Questions> questions; ///< empty: dialogs
    };

    explicit MainWindow(Options options);
    ~MainWindow() override;

    [[nodiscard]] DocumentTabs *tabs() const { return m_tabs; }
    /// Keeps copies of unsaved plans, and brings back those of a program that crashed.
    [[nodiscard]] Recovery *recovery() const { return m_recovery; }
    void openFiles(const QStringList &files);
    /// Opens a tab that compares files.
    void compareFiles(const QStringList &files);
    /// Opens a plan, and a tab that compares it with a recording.
    void reconcileFiles(const QString &plan, const QString &recording);
    /// Shows the help at a page of that name; empty: where it was.
    void showHelp(const QString &page);
    [[nodiscard]] HelpWindow *help() const { return m_help; }

public Q_SLOTS:
    void run(vramscope::Command command);

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // main_window_frame.cpp
    void makeStatusBar();
    /// The button that has the menus, and those of what is done with the current page.
    void makeCorners();
    void showFrame();
    // main_window_drop.cpp
    [[nodiscard]] DocumentTab *dropTarget(QPoint place, Qt::KeyboardModifiers keys) const;
    void showDropHint(const DocumentTab *target, Qt::KeyboardModifiers keys);
    void drop(const QStringList &files, DocumentTab *target, bool compares);
    // main_window.cpp
    void showCurrent();
    void showRecentFiles();
    void remember(const QString &path);
    void setUnit(ByteUnit unit);
    void setAppearance(Appearance appearance);
    // main_window_export.cpp
    void exportView();
    void writeView(const QString &title, const ViewExport &how, const ExportedViewMaker &prepare);
    /// Writes an exported file, and shows where it is; false, with the reason shown, if it cannot.
    bool write(const QString &name, const QByteArray &bytes);
    /// Passes on the export of what a page shows.
    void withExportedView(const DocumentPage &page, const PageContent &content,
                          const ViewExport &how, const ExportedViewUser &use);
    // main_window_reconcile.cpp
    /// Compares a plan with the recording or log of another tab.
    void setBeside(DocumentTab *plan, DocumentTab *other);
    /// The same for a plan file, with the recording or log of a tab.
    void setFileBeside(const QString &file, DocumentTab *other);
    void compareWithFile(DocumentTab *plan, const QString &file);
    /// The help page about what is in the current tab.
    [[nodiscard]] QString helpTopic() const;
    void showRecordingsMenu();
    void showPlansMenu();
    // main_window_report.cpp
    /// The plan or the recordings in the current tab; none if no report can be made of them.
    [[nodiscard]] std::vector<ReportSource> reportedNow() const;
    void report(bool redact);
    // main_window_plans.cpp
    [[nodiscard]] const Plan *planInFront() const;
    void importFiles(const QStringList &files);
    void takeText(const QString &text, const QString &name, DocumentTab *target);
    void paste();
    void exportPlan();
    /// Offers to delete copies for recovery that cannot be read.
    void tellUnreadable(const QStringList &files);
    // main_window_compare.cpp
    [[nodiscard]] std::vector<ComparedTrace> comparedNow() const;
    [[nodiscard]] std::optional<ComparedTrace> snapshotNow() const;
    void compareCurrentWith(std::vector<ComparedTrace> others);
    void showCompareMenu();
    // main_window_start.cpp
    void connectStartPage();
    /// Two examples in one tab.
    void openPair(const QString &first, const QString &second);
    void fillExamplesMenu();
    void copyRecipe();
    // main_window_stage.cpp
    void present();
    void arrangeOrder();
    void exportPresentation();
    void writeDeck(const DocumentTab &tab, const QString &name, DeckFormat format);

    Preferences m_preferences;
    bool m_desktopDark;
    Questions m_questions;
    Commands *m_commands = nullptr;
    DocumentTabs *m_tabs = nullptr;
    Recovery *m_recovery = nullptr;
    QToolButton *m_menuButton = nullptr; ///< null where the desktop shows the menus
    QPushButton *m_exportButton = nullptr;
    QPushButton *m_presentButton = nullptr;
    QToolButton *m_unitButton = nullptr;
    QLabel *m_status = nullptr;
    HelpWindow *m_help = nullptr;  ///< null until asked for
    std::unique_ptr<Job> m_report; ///< or a presentation: in progress, or the last one
};

} // namespace vramscope
