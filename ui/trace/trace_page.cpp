// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_page.h"

#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/jobs/job.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/timeline/overview.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/legend_bar.h"
#include "ui/trace/live_table.h"
#include "ui/trace/render.h"
#include "ui/trace/text_panel.h"
#include "ui/trace/timeline_source.h"
#include "ui/trace/trace_items.h"
#include "ui/trace/trace_strip.h"
#include "ui/trace/trace_view_widget.h"
#include "ui/trace/view_bar.h"

#include <QBoxLayout>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

TracePage::TracePage(std::shared_ptr<const TraceDocument> document, QWidget *parent,
                     const QString &title, const QString &path)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_title(title)
    , m_path(path)
    , m_state(new TimelineState(this))
    , m_studies(m_document->devices.size())
{
    if (m_document->devices.empty()) {
        setLayout(column({explanation(
            u"This snapshot is empty"_s,
            u"No device held any memory when it was taken, and no history was recorded. It was "
            "probably taken by a process that did not use the GPU, or before its first "
            "allocation."_s)}));
        return;
    }
    buildParts();
    connectParts();
    showDevice(m_document->mainDevice());
}

void TracePage::buildParts()
{
    m_strip = new TraceStrip(m_document, m_title);
    m_overview = new Overview(m_state);
    m_overview->setMaximumHeight(36);
    m_bar = new ViewBar;
    m_legend = new LegendBar;
    makeViews();
    m_stateOnly = new QLabel(
        u"No history was recorded, so there is no timeline: this is the state when the snapshot "
        "was taken. To see what led there, call torch.cuda.memory._record_memory_history() "
        "before the work begins."_s);
    m_stateOnly->setObjectName(u"stateOnly"_s);
    m_stateOnly->setWordWrap(true);
    m_stateOnly->setProperty("role", u"dim"_s);
    m_table = new LiveTable(m_document);
    m_panel = new AllocationPanel(m_document);
    m_failure = new FailurePanel;
    m_peak = new PeakPanel;
    m_bookmarks =
        new BookmarkModel([this](const Bookmark &bookmark) { return placeText(bookmark); }, this);
    m_bookmarkPanel = new BookmarkPanel(m_bookmarks);

    m_charts = new QFrame;
    m_charts->setProperty("role", u"card"_s);
    m_charts->setLayout(
        column({m_bar, m_stateOnly, m_legend, {m_middle, 1}, m_overview}, 4, {16, 12, 16, 8}));
    m_left = splitter(Qt::Vertical, {{m_charts, 3}, {m_table, 1}});
    m_left->setObjectName(u"cards"_s);
    m_left->setStyleSheet(u"QSplitter#cards::handle { background: transparent; height: 12px; }"_s);
    m_left->installEventFilter(this);
    connect(m_left, &QSplitter::splitterMoved, this, [this] { m_isHeightShared = false; });
    m_side = panel(column({{m_panel, 1}, {m_failure, 1}, {m_peak, 1}, m_bookmarkPanel}));
    m_side->setMinimumWidth(260);
    m_across = splitter(
        Qt::Horizontal,
        {{panel(column({m_strip, {panel(column({m_left}, 0, {24, 12, 24, 16})), 1}})), 1}, m_side});
    connect(m_across, &QSplitter::splitterMoved, this, [this] { m_isWidthShared = false; });
    setLayout(column({m_across}));
}

void TracePage::resizeEvent(QResizeEvent *event)
{
    constexpr int kWide = 1600;
    constexpr int kLeastWithTable = 560;
    DocumentPage::resizeEvent(event);
    if (m_document->devices.empty())
        return;
    // A low page leaves the timeline its height: the table gives way first, then the overview.
    m_table->setVisible(!m_isAlone && height() >= kLeastWithTable);
    showOverview();
    const int side = width() >= kWide ? 400 : 312;
    if (m_isWidthShared)
        m_across->setSizes({width() - side, side});
}

bool TracePage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_left && event->type() == QEvent::Resize && m_isHeightShared)
        shareHeight();
    return DocumentPage::eventFilter(watched, event);
}

// The table has a quarter of the height, or four rows; less if the timeline would become too low.
void TracePage::shareHeight()
{
    constexpr int kLeastCharts = 412; // with the room below them
    constexpr int kFourRows = 168;
    const int most = std::max(m_left->height() / 4, kFourRows);
    const int least = std::min(m_table->minimumSizeHint().height(), most);
    const int table = std::clamp(m_left->height() - kLeastCharts, least, most);
    m_left->setSizes({m_left->height() - table, table});
}

void TracePage::makeViews()
{
    m_middle = new QStackedWidget;
    // The widest view does not determine the minimum width of the window.
    m_middle->setMinimumSize(320, 180);
    const std::span<const TraceViewRow> rows = traceViews();
    for (const TraceViewRow &row : rows) {
        const auto same = std::ranges::find(rows, row.make, &TraceViewRow::make);
        const auto first = static_cast<std::size_t>(same - rows.begin());
        if (first == m_widgets.size()) {
            m_views.push_back(row.make(m_document, m_state));
            m_middle->addWidget(m_views.back()->widget());
        }
        m_widgets.push_back(first < m_widgets.size() ? m_widgets[first] : m_views.back());
    }
}

void TracePage::connectParts()
{
    connect(m_strip, &TraceStrip::deviceChosen, this, &TracePage::showDevice);
    connect(m_strip, &TraceStrip::eventWanted, this, &TracePage::goToEvent);
    connect(m_strip, &TraceStrip::failureWanted, this, &TracePage::showFailure);
    connect(m_failure, &FailurePanel::planWanted, this, &TracePage::makePlan);
    connect(m_peak, &PeakPanel::planWanted, this, &TracePage::makePlan);
    connect(m_peak, &PeakPanel::eventWanted, this, &TracePage::goToEvent);
    connect(m_peak, &PeakPanel::allocationWanted, this, &TracePage::follow);
    connect(m_peak, &PeakPanel::categoriesWanted, this, [this] { setColorBy(ColorBy::Category); });
    connect(m_bar, &ViewBar::viewChosen, this, &TracePage::setView);
    connect(m_bar, &ViewBar::axisChosen, this, &TracePage::setAxisKind);
    connect(m_bar->filter(), &FilterField::filterChanged, this, &TracePage::setFilter);
    connect(m_legend, &LegendBar::colorByChosen, this, &TracePage::setColorBy);
    connect(m_legend, &LegendBar::groupChosen, this, [this](std::optional<std::uint32_t> group) {
        m_group = group;
        m_legend->setChosen(group);
        applyFilter();
    });
    connect(m_state, &TimelineState::keptChanged, this, [this] {
        m_table->setKept(m_state->kept());
        refreshColors();
    });
    connect(m_state, &TimelineState::cursorChanged, this, [this] {
        m_table->setCursorEvent(m_state->cursor());
        updatePanel();
        if (dependsOnCursor(m_filter))
            applyFilter();
        Q_EMIT statusChanged();
    });
    connect(m_state, &TimelineState::selectedChanged, this, &TracePage::updatePanel);
    connect(m_state, &TimelineState::visibleChanged, this, [this] {
        const auto [first, last] = visibleEvents();
        m_table->setRange(first, last);
        showOverview();
        Q_EMIT statusChanged();
    });
    connect(this, &TracePage::planMade, this, [this](const Plan &plan, const QString &notice) {
        Q_EMIT recoveredPlanWanted(plan, notice, compared().front());
    });
    connectSelection();
    connectBookmarks();
    connect(m_table, &LiveTable::allocationChosen, this,
            [this](AllocationIndex allocation, EventIndex event) {
                goToEvent(event);
                m_state->select(allocation);
            });
}

void TracePage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    if (m_document->devices.empty())
        return;
    m_strip->setUnit(unit);
    for (TraceViewWidget *view : m_views)
        view->setUnit(unit);
    refreshTimeline();
    refreshLegend();
    m_table->setUnit(unit);
    m_panel->setUnit(unit);
    m_failure->setUnit(unit);
    m_peak->setUnit(unit);
    Q_EMIT statusChanged();
}

QString TracePage::statusText() const
{
    if (m_document->devices.empty())
        return {};
    const Study &device = *m_document->devices[m_device];
    if (!device.hasHistory())
        return u"final state only"_s;
    const EventIndex at = m_state->cursor();
    QString cursor =
        at < 0 ? u"cursor: before the first event"_s : u"cursor: event %1"_s.arg(countText(at));
    if (device.hasTimes())
        cursor += u" · "_s + toQString(formatMicroseconds(device.timeOf(at)));
    cursor += u" · "_s + u"active %1"_s.arg(bytesText(device.curve().active(at), unit()));
    cursor += overlayText();
    const auto [first, last] = visibleEvents();
    return cursor + u"     "_s + u"range: %1"_s.arg(countedText(last - first + 1, "event"));
}

std::pair<EventIndex, EventIndex> TracePage::visibleEvents() const
{
    const EventAxis &axis = m_state->axis();
    const Range &x = m_state->visible().x;
    return {std::max(axis.eventAt(x.low), EventIndex(0)), axis.eventAt(x.high)};
}

void TracePage::showDevice(std::size_t device)
{
    // A device's filter result is meaningless for another; drop it while colours and tables still
    // show the device it belongs to.
    delete std::exchange(m_filterJob, nullptr);
    m_group.reset();
    m_state->setKept(nullptr);
    m_state->setCursor(-1);
    m_device = device;
    const Study &of = *m_document->devices[device];
    const bool history = of.hasHistory();
    m_bar->setHasHistory(history);
    m_bar->setHasTimes(of.hasTimes());
    m_bar->setAxisKind(EventAxis::Kind::Event);
    m_stateOnly->setVisible(!history);
    m_strip->setDevice(device);
    m_table->setDevice(device);
    if (m_log)
        (void)layOver();
    applyColors(m_colorBy);
    resetState();
    m_state->setCursor(history ? of.curve().peakActiveEvent() : of.curve().count() - 1);
    m_table->setCursorEvent(m_state->cursor());
    for (TraceViewWidget *view : m_views)
        view->setDevice(device);
    refreshViews();
    refreshFlags();
    updatePanel();
    startStudy();
    Q_EMIT statusChanged();
}

void TracePage::resetState()
{
    TimelineData timeline = timelineData(*m_document, m_device, nullptr, unit());
    timeline.overlay = overlay();
    m_overview->setData(timeline);
    m_state->reset(timeline.axis(), timeline.wholeBytes());
}

void TracePage::setView(TraceView view)
{
    if (m_document->devices.empty())
        return;
    m_view = view;
    m_bar->setView(view);
    refreshViews();
}

void TracePage::showView(const TraceShot &shot)
{
    studyNow();
    if (shot.colorBy)
        setColorBy(*shot.colorBy);
    setView(shot.view);
    if (shot.range)
        m_state->showEvents(shot.range->first, shot.range->last);
    if (shot.event)
        m_state->setCursor(*shot.event);
    setCost(shot.cost);
}

void TracePage::setCost(Cost cost)
{
    for (TraceViewWidget *view : m_views)
        view->setCost(cost);
}

void TracePage::goToPeak()
{
    if (!m_views.empty())
        shownWidget().goToPeak();
}

void TracePage::setAxisKind(EventAxis::Kind kind)
{
    m_state->setAxisKind(kind);
    m_bar->setAxisKind(m_state->axis().kind());
}

void TracePage::startStudy()
{
    delete std::exchange(m_job, nullptr);
    if (study())
        return;
    if (isStudied(*m_document->devices[m_device])) // by another page of the document
        return takeStudy(m_device, m_document->devices[m_device]);
    m_job = new Job(
        [document = m_document, device = m_device](const Progress &progress) {
            return vramscope::study(*document, device, progress);
        },
        [this, device = m_device](std::shared_ptr<const Study> study) {
            if (study)
                takeStudy(device, std::move(study));
        },
        this);
    showProgress(*m_job, this);
}

void TracePage::studyNow()
{
    if (m_studies.empty() || study())
        return;
    delete std::exchange(m_job, nullptr); // its result would be the same
    takeStudy(m_device, vramscope::study(*m_document, m_device));
}

void TracePage::takeStudy(std::size_t device, std::shared_ptr<const Study> study)
{
    m_studies[device] = std::move(study);
    if (device != m_device)
        return;
    m_strip->setDevice(m_device);
    updatePanel();
    const bool usual = !m_isColorChosen && usualColorBy(*this->study()) == ColorBy::Category;
    if (usual || m_colorBy == ColorBy::Category)
        applyColors(ColorBy::Category);
    else
        refreshTimeline();
    refreshViews();
    if (m_filter.category)
        applyFilter();
    Q_EMIT studied();
}

// The timeline draws the study's results as soon as they arrive.
void TracePage::refreshTimeline()
{
    TimelineData timeline = timelineData(*m_document, m_device, study(), unit());
    timeline.colors = &m_shown;
    timeline.colorNames = m_coloring->names;
    timeline.overlay = overlay();
    m_laneColors = study() ? laneColors(*study(), m_shown) : std::vector<BandColors>();
    if (study())
        timeline.lanes = timelineLanes(*study(), m_laneColors);
    for (TraceViewWidget *view : m_views)
        view->setTimeline(timeline);
}

TraceView TracePage::shownView() const
{
    for (const TraceView view : {m_view, TraceView::Active, TraceView::State}) {
        if (isAvailable(view))
            return view;
    }
    return TraceView::Stacks;
}

bool TracePage::isAvailable(TraceView view) const
{
    return whyNot(rowOf(view), *m_document->devices[m_device], study()).isEmpty();
}

QWidget *TracePage::viewWidget() const
{
    return m_middle->currentWidget();
}

Table TracePage::table(qsizetype most) const
{
    if (m_document->devices.empty())
        return {};
    const std::optional<Table> rows = shownWidget().asTable(rowOf(m_view).title, most);
    return rows ? *rows : tableOf(*m_table->model(), u"Live by stack"_s, most);
}

std::vector<StageItem> TracePage::itemsWith(std::vector<Bookmark> bookmarks) const
{
    return traceItems({m_document, m_device, std::move(bookmarks), unit()});
}

std::vector<StageItem> TracePage::stageItems()
{
    return isPresentable() ? itemsWith(m_bookmarks->bookmarks()) : std::vector<StageItem>();
}

std::vector<ReportSource> TracePage::reportSources(const QString &file, const QDateTime &date) const
{
    return isPresentable() ? std::vector<ReportSource>{{file, document(), m_device, date}}
                           : std::vector<ReportSource>();
}

std::vector<ComparedTrace> TracePage::compared() const
{
    return isPresentable() ? std::vector<ComparedTrace>{{m_title, m_path, m_document, m_device}}
                           : std::vector<ComparedTrace>();
}

TraceViewWidget &TracePage::shownWidget() const
{
    return *m_widgets[static_cast<std::size_t>(shownView())];
}

void TracePage::refreshViews()
{
    for (const TraceViewRow &row : traceViews())
        m_bar->setUnavailable(row.view, whyNot(row, *m_document->devices[m_device], study()));
    const TraceView shown = shownView();
    m_bar->setView(shown);
    for (TraceViewWidget *view : m_views)
        view->setStudy(m_device, m_studies[m_device]);
    shownWidget().setView(shown);
    m_middle->setCurrentWidget(shownWidget().widget());
    showOverview();
    m_legend->setVisible(rowOf(shown).timeline.has_value());
    refreshLegend();
}

// While it says more than the timeline: part of the recording is shown, or places in it are marked.
// The state view has a curve of its own.
void TracePage::showOverview()
{
    const bool more = m_state->visible().x != m_state->whole().x || !m_flagRows.empty();
    constexpr int kLeastHeight = 440;
    m_overview->setVisible(more && !m_isAlone && height() >= kLeastHeight &&
                           m_document->devices[m_device]->hasHistory() &&
                           shownView() != TraceView::State);
}

void TracePage::showViewAlone()
{
    constexpr int kLegendLines = 2;
    m_isAlone = true;
    for (QWidget *part : std::initializer_list<QWidget *>{m_strip, m_bar, m_overview, m_table,
                                                          m_panel->parentWidget(), m_stateOnly})
        part->hide();
    m_left->parentWidget()->layout()->setContentsMargins({});
    m_middle->setMinimumSize(1, 1); // a slide may be lower
    for (TraceViewWidget *view : m_views)
        view->simplify();
    m_legend->showNamesAlone(kLegendLines);
}

void TracePage::goToEvent(EventIndex event)
{
    m_state->setCursor(event);
    m_state->reveal(event);
}

void TracePage::updatePanel()
{
    m_panel->showAllocation(m_device, m_state->selected(), m_state->cursor());
    const bool failed = !m_document->devices[m_device]->device().outOfMemory.empty();
    const bool explains = failed && m_state->selected() == kNoAllocation;
    if (explains)
        m_failure->showStudy(study());
    const bool peak = !failed && study() && m_state->selected() == kNoAllocation;
    if (peak)
        m_peak->showStudy(study());
    m_panel->setVisible(!explains && !peak);
    m_failure->setVisible(explains);
    m_peak->setVisible(peak);
}

void TracePage::showFailure()
{
    m_state->select(kNoAllocation);
    goToEvent(m_document->devices[m_device]->device().outOfMemory.front().event);
    m_failure->ensureVisible(0, 0);
}

} // namespace vramscope
