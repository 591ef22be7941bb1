// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "core/analysis/study/study.h"
#include "ui/timeline/space_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/events_view.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/steps_view.h"
#include "ui/trace/trace_view_widget.h"
#include "ui/trace/what_if_view.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The timelines as views of the trace page: one widget that turns from one to the other.
class TraceTimelines : public TimelineView, public TraceViewWidget
{
public:
    using TimelineView::TimelineView;

    [[nodiscard]] QWidget *widget() override { return this; }
    void setUnit(ByteUnit unit) override { TimelineView::setUnit(unit); }
    void setDevice(std::size_t) override
    {
        hideCursor();
    } // it begins at the peak, which has a mark
    void setView(TraceView view) override { setKind(*rowOf(view).timeline); }
    void setTimeline(const TimelineData &timeline) override
    {
        TimelineData shown = timeline;
        if (m_simple) // boxes that are too narrow for their names; steps keep their lines
            shown.annotations.clear();
        setData(shown);
    }
    void goToPeak() override { TimelineView::goToPeak(); }
    void simplify() override
    {
        m_simple = true;
        if (data().valid())
            setTimeline(data());
    }

private:
    bool m_simple = false;
};

/// The allocator's state as a view of the trace page.
class AllocatorStateView : public SpaceView, public TraceViewWidget
{
public:
    using SpaceView::SpaceView;

    [[nodiscard]] QWidget *widget() override { return this; }
    void setUnit(ByteUnit unit) override { SpaceView::setUnit(unit); }
    void setTimeline(const TimelineData &timeline) override { setData(timeline); }
};

using TracePointer = std::shared_ptr<const TraceDocument>;

TraceViewWidget *timelines(const TracePointer &, TimelineState *state)
{
    return new TraceTimelines(state);
}

TraceViewWidget *allocatorState(const TracePointer &, TimelineState *state)
{
    return new AllocatorStateView(state);
}

template<class View>
TraceViewWidget *viewOf(const TracePointer &document, TimelineState *state)
{
    return new View(document, state);
}

QString whyNoLanes(const Study &study)
{
    return study.lanes().empty() ? u"All of it lies in one pool and stream"_s : QString();
}

constexpr QStringView kTimelines =
    u"of a recorded snapshot: timelines, of all events or of\nthose of --range";

} // namespace

std::span<const TraceViewRow> traceViews()
{
    constexpr auto none = std::nullopt;
    static const TraceViewRow rows[] = {
        // view, name, title, timeline, needs history, needs study, help, widget
        {TraceView::Active, u"active-memory"_s, u"Active memory"_s, TimelineKind::Active, true,
         false, kTimelines, timelines},
        {TraceView::Reserved, u"reserved"_s, u"Reserved"_s, TimelineKind::Reserved, true, true,
         kTimelines, timelines},
        {TraceView::State, u"state"_s, u"State"_s, none, false, true,
         u"its address space after --event, or at the peak", allocatorState},
        {TraceView::Bands, u"bands"_s, u"Bands"_s, TimelineKind::Bands, true, true, kTimelines,
         timelines},
        {TraceView::Lanes, u"lanes"_s, u"Pools"_s, TimelineKind::Lanes, true, true, kTimelines,
         timelines, whyNoLanes},
        {TraceView::Events, u"events"_s, u"Events"_s, none, true, false,
         u"its events, about --event", viewOf<EventsView>},
        {TraceView::Stacks, u"stacks"_s, u"Stacks"_s, none, false, false,
         u"its flame graph by COST", viewOf<StacksView>},
        {TraceView::Steps, u"steps"_s, u"Steps"_s, none, true, true,
         u"its training steps over each other; that of --event\nstands out", viewOf<StepsView>},
        {TraceView::WhatIf, u"what-if"_s, u"What if"_s, none, true, true,
         u"the same requests under other settings of the allocator", viewOf<WhatIfView>, nullptr,
         u"what-if"_s},
    };
    return rows;
}

std::optional<TraceView> traceViewNamed(QStringView name)
{
    const auto found = std::ranges::find(traceViews(), name, &TraceViewRow::name);
    return found == traceViews().end() ? std::nullopt : std::optional(found->view);
}

QString whyNot(const TraceViewRow &view, const Study &device, const Study *study)
{
    if (view.needsHistory && !device.hasHistory())
        return u"No history was recorded"_s;
    if (view.needsStudy && !study)
        return u"Being worked out"_s;
    return view.whyEmpty ? view.whyEmpty(*study) : QString();
}

} // namespace vramscope
