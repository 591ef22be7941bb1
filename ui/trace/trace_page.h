// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/costs/costs.h"
#include "core/analysis/curves/device_overlay.h"
#include "core/session/session.h"
#include "ui/document/document_page.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_view.h"

#include <functional>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace vramscope {

class AllocationPanel;
class BookmarkModel;
class BookmarkPanel;
class FailurePanel;
class Job;
class LegendBar;
class LiveTable;
class Overview;
class PeakPanel;
class TraceStrip;
class TraceViewWidget;
class ViewBar;

/// The page of one open trace: a strip of figures and findings, the overview, one of several views
/// of the recording, the selected allocation and live memory by stack. All views share one state.
/// The page explains why if there is nothing to draw. Draws from a constant document; does not
/// depend on a file. Slower analyses run in a job once the first picture is shown.
class TracePage : public DocumentPage, private TimelineUse, private TraceUse, private BookmarkUse
{
    Q_OBJECT

public:
    /// `title` and `path` belong to its file, by which it is compared with others.
    explicit TracePage(std::shared_ptr<const TraceDocument> document, QWidget *parent = nullptr,
                       const QString &title = {}, const QString &path = {});

    void setUnit(ByteUnit unit) override;
    /// Shows another device; `device` is an index into TraceDocument::devices.
    void showDevice(std::size_t device) override;

    /// One line for the status bar: the cursor's event, time and active bytes; the visible range.
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return rowOf(m_view).helpTopic; }

    [[nodiscard]] TimelineState *state() const { return m_state; }
    [[nodiscard]] std::size_t device() const { return m_device; }
    [[nodiscard]] TraceView view() const { return m_view; }
    void setView(TraceView view);
    /// Whether a view can be shown now.
    [[nodiscard]] bool isAvailable(TraceView view) const;
    /// The widget of the shown view.
    [[nodiscard]] QWidget *viewWidget() const;
    /// The rows of the shown view, or, for a timeline, live memory by stack; at most `most` rows.
    [[nodiscard]] Table table(qsizetype most) const override;
    /// The selection as text: rows of a table, the path in the stacks, else the allocation.
    [[nodiscard]] QString selectedText() const override;
    [[nodiscard]] bool isPresentable() const override { return !m_document->devices.empty(); }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] std::vector<ComparedTrace> compared() const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    [[nodiscard]] QUndoStack *undoStack() const override;
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    [[nodiscard]] TraceUse *traceUse() override { return this; }
    [[nodiscard]] BookmarkUse *bookmarkUse() override { return this; }
    void showView(const TraceShot &shot) override;
    void setAxisKind(EventAxis::Kind kind);
    void setColorBy(ColorBy by);
    [[nodiscard]] ColorBy colorBy() const { return m_colorBy; }
    /// The cost that stacks are weighted by.
    void setCost(Cost cost);
    /// Moves cursor and view to the peak of memory in use; no effect unless a timeline is shown.
    void goToPeak() override;
    /// The study of the shown device; null while it is being made.
    [[nodiscard]] const Study *study() const { return m_studies[m_device].get(); }
    /// Whether a log of nvidia-smi can be drawn over a timeline: only if there is a history.
    [[nodiscard]] bool takesLog() const override;
    /// Draws the log's values for the shown device over its active memory, by time. Returns the
    /// assumptions made, or one sentence why it cannot be done.
    QString takeLog(std::shared_ptr<const Series> log) override;
    [[nodiscard]] const DeviceOverlay *overlay() const { return m_overlay ? &*m_overlay : nullptr; }
    /// Studies the shown device now, on this thread: for pictures without an event loop.
    void studyNow();
    /// The same for the filter.
    void filterNow();
    /// For a presentation: keeps only the shown view and its legend.
    void showViewAlone();

    /// Makes a plan of the shown device, on a thread; planMade() follows.
    void makePlan() override;

    // trace_page_bookmarks.cpp
    /// The bookmarks of this recording; null if it has no device.
    [[nodiscard]] BookmarkModel *bookmarks() const override { return m_bookmarks; }
    /// The current view, under a suggested name.
    [[nodiscard]] Bookmark bookmark() const;
    /// Restores the bookmark's state as far as this recording has it.
    void apply(const Bookmark &bookmark);
    /// Puts bookmark() at the end of the list.
    void addBookmark() override;
    /// Goes to the next or the previous bookmark of the list.
    void stepBookmark(bool forward) override;
    [[nodiscard]] std::optional<StageItem> viewItem() const override;

Q_SIGNALS:
    /// study() of the shown device is ready.
    void studied();
    /// A rule of the user's for what memory is for, which is kept next to the recording; without a
    /// category the one for its line is dropped.
    void ruleStated(const vramscope::CategoryRule &rule);
    /// The notice lists which settings of the plan the recording determines, and which not.
    void planMade(const vramscope::Plan &plan, const QString &notice);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] TimelineState *timelineState() const override { return m_state; }
    [[nodiscard]] std::vector<StageItem> itemsWith(std::vector<Bookmark> bookmarks) const;
    void buildParts();
    void connectParts();
    void shareHeight();
    void goToEvent(EventIndex event);
    /// The first and the last visible event.
    [[nodiscard]] std::pair<EventIndex, EventIndex> visibleEvents() const;
    void updatePanel();
    /// Goes to the first failure and explains why it happened.
    void showFailure();
    void startStudy();
    void takeStudy(std::size_t device, std::shared_ptr<const Study> study);
    void refreshTimeline();
    /// Shows everything of the shown device, with nothing selected and no filter.
    void resetState();
    void makeViews();
    /// The chosen view, or the nearest available one while it cannot be shown.
    [[nodiscard]] TraceView shownView() const;
    [[nodiscard]] TraceViewWidget &shownWidget() const;
    void refreshViews();
    void showOverview();
    // trace_page_colors.cpp: highlighted allocations
    void applyColors(ColorBy by);
    void refreshColors();
    void refreshLegend();
    void setFilter(const AllocationFilter &filter);
    void applyFilter();
    /// Computes what the filter keeps; refers to nothing of this page.
    [[nodiscard]] std::function<TimelineState::Kept(const Progress &)> filterWork() const;
    // trace_page_selection.cpp
    void connectSelection();
    /// Moves the cursor to the selection's next or previous event.
    void stepThroughSelection(bool forward);
    /// Selects an allocation and moves to where it begins.
    void follow(AllocationIndex allocation);
    void showOnlyStack(StackId stack);
    void stateCategory(std::optional<Category> category);
    // trace_page_bookmarks.cpp
    void connectBookmarks();
    [[nodiscard]] QString placeText(const Bookmark &bookmark) const;
    [[nodiscard]] QString suggestedName() const;
    void goToBookmark(int row);
    void refreshFlags();
    /// Overlays the log on the shown device; returns the same as takeLog().
    [[nodiscard]] QString layOver();
    [[nodiscard]] QString overlayText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    QString m_title; ///< of the file
    QString m_path;
    TimelineState *m_state;
    TraceView m_view = TraceView::Active;
    std::vector<std::shared_ptr<const Study>> m_studies; ///< by device; null while in progress
    Job *m_job = nullptr;
    Job *m_planJob = nullptr;
    ColorBy m_colorBy = ColorBy::Stack;
    bool m_isColorChosen = false; ///< else by category, once categories are known with confidence
    std::shared_ptr<const Coloring> m_coloring; ///< of m_colorBy
    BandColors m_shown;                         ///< m_coloring with filtered-out lives dimmed
    std::vector<BandColors> m_laneColors;
    AllocationFilter m_filter;
    std::optional<std::uint32_t> m_group; ///< of m_coloring, shown alone
    Job *m_filterJob = nullptr;
    std::shared_ptr<const Series> m_log;    ///< the last one taken
    std::optional<DeviceOverlay> m_overlay; ///< of the shown device
    // Null while the document has no device.
    TraceStrip *m_strip = nullptr;
    QWidget *m_charts = nullptr; ///< contains the overview and the timeline, or explains why not
    Overview *m_overview = nullptr;
    ViewBar *m_bar = nullptr;
    LegendBar *m_legend = nullptr;
    std::vector<TraceViewWidget *> m_views;
    std::vector<TraceViewWidget *> m_widgets; ///< of m_views, by TraceView
    QStackedWidget *m_middle = nullptr;       ///< contains m_views
    QSplitter *m_left = nullptr;              ///< the charts over the table
    QWidget *m_side = nullptr;
    QSplitter *m_across = nullptr; ///< contains all that, and m_side
    bool m_isHeightShared = true;  ///< by this page, until the reader moves the handle
    bool m_isWidthShared = true;
    bool m_isAlone = false; ///< the shown view, without all others
    QLabel *m_stateOnly = nullptr;
    LiveTable *m_table = nullptr;
    AllocationPanel *m_panel = nullptr;
    FailurePanel *m_failure = nullptr; ///< in the same place, while nothing is selected
    PeakPanel *m_peak = nullptr;       ///< there too, if nothing failed
    BookmarkModel *m_bookmarks = nullptr;
    BookmarkPanel *m_bookmarkPanel = nullptr;
    std::vector<int> m_flagRows; ///< the bookmark of each flag of the overview
};

} // namespace vramscope
