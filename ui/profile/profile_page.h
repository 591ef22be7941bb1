// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/jobs/job.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_bookmark.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/profile_strip.h"
#include "ui/profile/profile_tables.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace vramscope {

class BookmarkModel;
class BookmarkPanel;
class EventPanel;
class ProfileTablesView;
class ProfileTimeline;

/// The page of a profiler trace: what was recorded and what was found, where the time went, the
/// timeline with the selected event beside it, and tables. It explains itself where nothing was
/// recorded. Draws from a constant document; knows no file.
class ProfilePage : public DocumentPage, private TimelineUse, private BookmarkUse
{
    Q_OBJECT

public:
    /// `title` and `path` are those of its file, by which its GPUs are compared as ranks.
    explicit ProfilePage(std::shared_ptr<const ProfileDocument> document, QWidget *parent = nullptr,
                         const QString &title = {}, const QString &path = {});
    ~ProfilePage() override;

    void setUnit(ByteUnit unit) override;
    void setTab(ProfileTab tab);
    void setSearch(const QString &text);
    [[nodiscard]] QString search() const;
    /// Works out on this thread what jobs are about to.
    void workNow() override;

    /// One line for the status bar.
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("profile"); }
    [[nodiscard]] Table table(qsizetype most) const override;
    /// The selected rows, or the selected event as text; empty where none is.
    [[nodiscard]] QString selectedText() const override;
    [[nodiscard]] bool isPresentable() const override { return m_timeline != nullptr; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ComparedTrace> compared() const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    void goTo(const QString &place) override;
    [[nodiscard]] QUndoStack *undoStack() const override;
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    [[nodiscard]] BookmarkUse *bookmarkUse() override { return this; }

    // profile_page_bookmarks.cpp
    /// The bookmarks of this profile; null where nothing was recorded.
    [[nodiscard]] BookmarkModel *bookmarks() const override { return m_bookmarks; }
    /// What is seen now, under a name that says what.
    [[nodiscard]] Bookmark bookmark() const;
    /// Shows what the bookmark says as far as this profile has it.
    void apply(const Bookmark &bookmark);
    /// Puts bookmark() at the end of the list.
    void addBookmark() override;
    /// Goes to the bookmark after the current one of the list, or to the one before.
    void stepBookmark(bool forward) override;
    [[nodiscard]] std::optional<StageItem> viewItem() const override;

    [[nodiscard]] ProfileState *state() const { return m_state; }
    // Null where nothing was recorded.
    [[nodiscard]] ProfileTimeline *timeline() const { return m_timeline; }
    [[nodiscard]] ProfileTablesView *tables() const { return m_tables; }
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }

Q_SIGNALS:
    /// The file is to be read again with the Python functions that were left out.
    void pythonWanted();
    /// Work is to be filed by these rules, here and in every profiler trace.
    void rulesWanted(const std::vector<vramscope::WorkRule> &rules);

private:
    [[nodiscard]] bool isDrawn() const override { return m_timeline != nullptr; }
    void fit() override { m_state->fit(); }
    void back() override { m_state->back(); }
    void forward() override { m_state->forward(); }
    void goToPeak() override;
    [[nodiscard]] std::vector<StageItem> itemsWith(const std::vector<Bookmark> &marked) const;

    void buildNothing();
    void buildParts();
    [[nodiscard]] QWidget *overview();
    void editRules();
    void connectParts();
    void connectBookmarks(); // profile_page_bookmarks.cpp
    void fillWindows();
    void showWindow();
    void showFinding(const Finding &finding);
    void chooseRow(const DataTable::Target &target);
    void setQuery(const ProfileQuery &query);
    void showFound(std::shared_ptr<const FoundRows> found);
    void startFind();
    void startTable();
    void startFindings();
    void showFindings(std::vector<Finding> findings);

    std::shared_ptr<const ProfileDocument> m_document;
    ComparedTrace m_shown;
    ProfileState *m_state;
    ProfileQuery m_query;
    ProfileStrip *m_strip = nullptr;
    QComboBox *m_window = nullptr;
    QLineEdit *m_search = nullptr;
    QLabel *m_foundText = nullptr;
    QPushButton *m_clear = nullptr;
    QPushButton *m_rules = nullptr;
    QPushButton *m_ranks = nullptr;
    QPushButton *m_python = nullptr;
    BreakdownBar *m_bar = nullptr;
    ProfileTimeline *m_timeline = nullptr;
    EventPanel *m_panel = nullptr;
    BookmarkModel *m_bookmarks = nullptr;
    BookmarkPanel *m_bookmarkPanel = nullptr;
    ProfileTablesView *m_tables = nullptr;
    QTimer *m_typing = nullptr;
    std::unique_ptr<Job> m_findJob;
    std::unique_ptr<Job> m_tableJob;
    std::unique_ptr<Job> m_findingsJob;
};

} // namespace vramscope
