// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/base/format.h"
#include "core/session/running_order.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/read_document.h"
#include "ui/window/file_state.h"

#include <QFileSystemWatcher>
#include <QPointer>
#include <QStackedLayout>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

namespace vramscope {

class ErrorPage;
class Job;
class LoadingPage;
class NoticeBar;
class SessionKeeper;

/// One tab: a document from the moment it is requested. Reads it off the GUI thread and shows
/// progress meanwhile, then its page, or in the same place the error. Watches the file: changes on
/// disk are offered, never applied silently.
class DocumentTab : public QWidget
{
    Q_OBJECT

public:
    enum class State { Loading, Failed, Ready };

    DocumentTab(DocumentReader reader, ByteUnit unit, QWidget *parent = nullptr);
    ~DocumentTab() override;

    /// Starts to read a file, a folder of ranks or an example, and then shows that device of it.
    void open(const QString &path, std::optional<std::size_t> device = {});
    /// Starts to compare recordings; those without a document are read.
    void compare(std::vector<ComparedTrace> traces);
    /// Starts to compare the plan of another tab with a recording, which is read unless it has a
    /// document; follows every edit of that plan.
    void hold(DocumentTab *plan, ComparedTrace recording);
    /// Puts the plan of another tab next to this tab's document, and follows its edits; a page that
    /// takes no plan does nothing.
    void follow(DocumentTab *plan);
    /// Shows a plan that is in no file yet, with a notice about it.
    void start(const Plan &plan, const QString &notice = {});

    [[nodiscard]] State state() const { return m_state; }
    /// The file or example; empty for a new plan and for a comparison.
    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] QString title() const;
    /// The file as this tab read or wrote it.
    [[nodiscard]] const FileState &file() const { return m_file; }
    /// Whether another program has written it since.
    [[nodiscard]] bool isFileChanged() const;
    /// Whether the plan differs from its file.
    [[nodiscard]] bool isModified() const;
    /// Null until Ready.
    [[nodiscard]] DocumentPage *page() const { return m_page.get(); }
    [[nodiscard]] ErrorPage *errorPage() const { return m_errorPage; }
    [[nodiscard]] NoticeBar *notice() const { return m_notice; }
    /// "read 8 ms" and the page's own status.
    [[nodiscard]] QString statusText() const;

    /// The same for a plan made from another tool's settings; the notice lists what did not carry
    /// over.
    void startImported(const QString &name, Imported imported);
    /// Shows a plan whose edits were never saved, of a file as it was then or of none.
    void recover(const QString &path, const FileState &file, const Plan &opened, const Plan &plan);
    /// Replaces the page's plan with one that has these settings: one undoable edit.
    void takeSettings(const QString &name, const Imported &imported);

    /// Reads a log of nvidia-smi and draws it over the page, which takes logs; the notice gives the
    /// assumptions, or why it failed.
    void takeLog(const QString &path);

    /// On a page about measured figures, shows the rows of a kind of run once it is loaded.
    void showRuns(const QString &run);

    /// The running order of a presentation; saved next to a recording, else kept as long as the
    /// tab.
    [[nodiscard]] const RunningOrder &runningOrder() const;
    void setRunningOrder(const RunningOrder &order);

    void setUnit(ByteUnit unit);
    /// Classifies work of devices by these rules from now on; analyses what is shown again.
    void setWorkRules(const std::vector<WorkRule> &rules);
    /// Writes the plan; from then on the tab belongs to that file.
    Result<void> saveAs(const QString &path);

Q_SIGNALS:
    /// It makes requests: see DocumentPage.
    void pageShown(vramscope::DocumentPage *page);
    /// Title, state, modified mark or status have changed.
    void changed();
    void otherFileWanted();
    void closeWanted();
    /// The user closed it; it is about to be destroyed.
    void closed();

private:
    void read();
    void followPlan();
    /// With the state of the previous page, if that showed the same recording.
    void showPage(const Document &document, const QVariantMap &state = {});
    /// Saves the page's bookmarks next to the recording.
    void keepSession();
    /// Saves a rule of categories next to the recording, and applies it.
    void keepRule(const CategoryRule &rule);
    /// `assumed`: "Assumed: …", or nothing.
    void noticeImport(const QString &name, const Imported &imported, const QString &assumed = {});
    void showError(const Error &error);
    void watchFile();
    void lookAtFile();

    DocumentReader m_reader;
    ByteUnit m_unit;
    std::vector<WorkRule> m_rules = defaultWorkRules();
    QString m_path;
    std::optional<std::size_t> m_device;   // to show first
    QString m_runs;                        // the kind of run to show first
    std::vector<ComparedTrace> m_compared; // what a comparison was requested for
    bool m_holds = false;                  // compares a plan with the one recording in m_compared
    bool m_withPython = false;             // with the Python functions of a profiler trace
    bool m_follows = false;                // follows the plan of another tab
    QPointer<DocumentTab> m_plan;          // the tab of that plan
    QString m_planTitle;
    State m_state = State::Loading;
    qint64 m_readMicroseconds = -1; // by the worker, without its wait for this thread

    NoticeBar *m_notice = nullptr;
    QStackedLayout *m_stack = nullptr;
    LoadingPage *m_loadingPage = nullptr;
    ErrorPage *m_errorPage = nullptr;
    std::unique_ptr<DocumentPage> m_page;
    std::unique_ptr<SessionKeeper> m_session; ///< null if the page keeps none
    RunningOrder m_order;                     ///< if there is no session
    std::unique_ptr<Job> m_job;
    std::unique_ptr<Job> m_logJob;
    std::unique_ptr<Job> m_rulesJob;
    QFileSystemWatcher m_watcher;
    QTimer m_settled; // programs write a file in several steps, or replace it
    FileState m_file; ///< when the page was made
    FileState m_seen; ///< when last noticed
};

} // namespace vramscope
