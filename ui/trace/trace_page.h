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
/// of the recording, the selected allocation and what was live by stack. All views share one state.
/// It explains itself where there is nothing to draw. Draws from a constant document; knows no
/// file. What takes longer to find out is studied by a job once the first picture stands.
class TracePage : public DocumentPage, private TimelineUse, private TraceUse, private BookmarkUse
{
    Q_OBJECT

public:
    /// `title` and `path` are those of its file, by which it is compared with others.
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
    /// The rows of the shown view, or, of a timeline, what is live by stack; at most `most` of
    /// them.
    [[nodiscard]] Table table(qsizetype most) const override;
    /// What is selected, as text: rows of a table, the path in the stacks, else the allocation.
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
    /// What stacks are weighed by.
    void setCost(Cost cost);
    /// Moves cursor and view to where most bytes are in use; nothing where no timeline is shown.
    void goToPeak() override;
    /// The study of the shown device; null while it is being made.
    [[nodiscard]] const Study *study() const { return m_studies[m_device].get(); }
    /// Whether a log of nvidia-smi can be drawn over the timeline: there is one.
    [[nodiscard]] bool takesLog() const override;
    /// Draws what the log says of the shown device over its active memory, by time. Gives what was
    /// assumed, or one sentence why it cannot be done.
    QString takeLog(std::shared_ptr<const Series> log) override;
    [[nodiscard]] const DeviceOverlay *overlay() const { return m_overlay ? &*m_overlay : nullptr; }
    /// Studies the shown device now, on this thread: for pictures without an event loop.
    void studyNow();
    /// The same for what the filter keeps.
    void filterNow();
    /// For a presentation: leaves the shown view and what its colours mean.
    void showViewAlone();

    // trace_page_plan.cpp
    /// Makes a plan of the shown device, on a thread; planMade() follows.
    void makePlan() override;

    // trace_page_bookmarks.cpp
    /// The bookmarks of this recording; null where it has no device.
    [[nodiscard]] BookmarkModel *bookmarks() const override { return m_bookmarks; }
    /// What is seen now, under a suggested name.
    [[nodiscard]] Bookmark bookmark() const;
    /// Shows what the bookmark says as far as this recording has it.
    void apply(const Bookmark &bookmark);
    /// Puts bookmark() at the end of the list.
    void addBookmark() override;
    /// Goes to the bookmark after the current one of the list, or to the one before.
    void stepBookmark(bool forward) override;
    [[nodiscard]] std::optional<StageItem> viewItem() const override;

Q_SIGNALS:
    /// study() of the shown device is there.
    void studied();
    /// The notice says what of the plan the recording determines, and what it does not.
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
    /// The first and the last.
    [[nodiscard]] std::pair<EventIndex, EventIndex> visibleEvents() const;
    void updatePanel();
    /// Goes to the first failure and says why it happened.
    void showFailure();
    void startStudy();
    void takeStudy(std::size_t device, std::shared_ptr<const Study> study);
    void refreshTimeline();
    /// Everything of the shown device visible, nothing selected, no filter.
    void resetState();
    void makeViews();
    /// The wanted view, or while it cannot be shown the nearest that can.
    [[nodiscard]] TraceView shownView() const;
    [[nodiscard]] TraceViewWidget &shownWidget() const;
    void refreshViews();
    // trace_page_colors.cpp: which allocations stand out
    void applyColors(ColorBy by);
    void refreshColors();
    void refreshLegend();
    void setFilter(const AllocationFilter &filter);
    void applyFilter();
    /// Finds out what the filter keeps; refers to nothing of this page.
    [[nodiscard]] std::function<TimelineState::Kept(const Progress &)> filterWork() const;
    // trace_page_selection.cpp: what the selection leads to
    void connectSelection();
    /// Moves the cursor to the selection's next event, or to the one before.
    void stepThroughSelection(bool forward);
    /// Selects an allocation and moves to where it begins.
    void follow(AllocationIndex allocation);
    void showOnlyStack(StackId stack);
    // trace_page_bookmarks.cpp
    void connectBookmarks();
    [[nodiscard]] QString placeText(const Bookmark &bookmark) const;
    [[nodiscard]] QString suggestedName() const;
    void goToBookmark(int row);
    void refreshFlags();
    // trace_page_log.cpp
    /// Lays the log over the shown device; gives what takeLog() gives.
    [[nodiscard]] QString layOver();
    [[nodiscard]] QString overlayText() const;

    std::shared_ptr<const TraceDocument> m_document;
    std::size_t m_device = 0;
    QString m_title; ///< of the file
    QString m_path;
    TimelineState *m_state;
    TraceView m_view = TraceView::Active;
    std::vector<std::shared_ptr<const Study>> m_studies; ///< by device; null while in work
    Job *m_job = nullptr;
    Job *m_planJob = nullptr;
    ColorBy m_colorBy = ColorBy::Stack;
    bool m_isColorChosen = false; ///< else by category, as soon as categories are known and sure
    std::shared_ptr<const Coloring> m_coloring; ///< of m_colorBy
    BandColors m_shown;                         ///< m_coloring, what the filter leaves out dimmed
    std::vector<BandColors> m_laneColors;
    AllocationFilter m_filter;
    std::optional<std::uint32_t> m_group; ///< of m_coloring, shown alone
    Job *m_filterJob = nullptr;
    std::shared_ptr<const Series> m_log;    ///< the last one taken
    std::optional<DeviceOverlay> m_overlay; ///< of the shown device
    // Null while the document has no device.
    TraceStrip *m_strip = nullptr;
    QWidget *m_charts = nullptr; ///< holds the overview and the timeline, or says why not
    Overview *m_overview = nullptr;
    ViewBar *m_bar = nullptr;
    LegendBar *m_legend = nullptr;
    std::vector<TraceViewWidget *> m_views;
    std::array<TraceViewWidget *, kTraceViewCount> m_widgets{}; ///< of m_views, by TraceView
    QStackedWidget *m_middle = nullptr;                         ///< holds m_views
    QSplitter *m_left = nullptr;                                ///< the charts over the table
    bool m_isHeightShared = true; ///< by this page, until the reader moves the handle
    QLabel *m_stateOnly = nullptr;
    LiveTable *m_table = nullptr;
    AllocationPanel *m_panel = nullptr;
    FailurePanel *m_failure = nullptr; ///< in the same place, while nothing is selected
    PeakPanel *m_peak = nullptr;       ///< there too, where nothing failed
    BookmarkModel *m_bookmarks = nullptr;
    BookmarkPanel *m_bookmarkPanel = nullptr;
    std::vector<int> m_flagRows; ///< the bookmark of each flag of the overview
};

} // namespace vramscope
