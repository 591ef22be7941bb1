// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "core/analysis/study/study.h"
#include "ui/trace/events_view.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/steps_view.h"
#include "ui/trace/timeline_views.h"
#include "ui/trace/what_if_view.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

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

std::array<TraceViewRow, kTraceViewCount> rows()
{
    constexpr auto none = std::nullopt;
    std::array<TraceViewRow, kTraceViewCount> rows = {{
        // view, name, title, timeline, needs history, needs study, widget
        {TraceView::Active, u"active-memory"_s, u"Active memory"_s, TimelineKind::Active, true,
         false, timelines},
        {TraceView::Reserved, u"reserved"_s, u"Reserved"_s, TimelineKind::Reserved, true, true,
         timelines},
        {TraceView::State, u"state"_s, u"Allocator state"_s, none, false, true, allocatorState},
        {TraceView::Bands, u"bands"_s, u"Bands"_s, TimelineKind::Bands, true, true, timelines},
        {TraceView::Lanes, u"lanes"_s, u"Pools"_s, TimelineKind::Lanes, true, true, timelines,
         whyNoLanes},
        {TraceView::Events, u"events"_s, u"Events"_s, none, true, false, viewOf<EventsView>},
        {TraceView::Stacks, u"stacks"_s, u"Stacks"_s, none, false, false, viewOf<StacksView>},
        {TraceView::Steps, u"steps"_s, u"Steps"_s, none, true, true, viewOf<StepsView>},
        {TraceView::WhatIf, u"what-if"_s, u"What if"_s, none, true, true, viewOf<WhatIfView>,
         nullptr, u"what-if"_s},
    }};
    Q_ASSERT(std::ranges::is_sorted(rows, {}, &TraceViewRow::view));
    return rows;
}

} // namespace

const std::array<TraceViewRow, kTraceViewCount> &traceViews()
{
    static const std::array<TraceViewRow, kTraceViewCount> table = rows();
    return table;
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
