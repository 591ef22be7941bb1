// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct ViewText
{
    QString name;
    QString title;
};

const std::array<ViewText, kTraceViewCount> &texts()
{
    static const std::array<ViewText, kTraceViewCount> table = {{
        {u"active-memory"_s, u"Active memory"_s},
        {u"reserved"_s, u"Reserved"_s},
        {u"state"_s, u"Allocator state"_s},
        {u"bands"_s, u"Bands"_s},
        {u"lanes"_s, u"Pools"_s},
        {u"events"_s, u"Events"_s},
        {u"stacks"_s, u"Stacks"_s},
        {u"steps"_s, u"Steps"_s},
        {u"what-if"_s, u"What if"_s},
    }};
    return table;
}

} // namespace

QString traceViewName(TraceView view)
{
    return texts()[static_cast<std::size_t>(view)].name;
}

std::optional<TraceView> traceViewNamed(QStringView name)
{
    const auto found = std::ranges::find(texts(), name, &ViewText::name);
    if (found == texts().end())
        return std::nullopt;
    return static_cast<TraceView>(found - texts().begin());
}

std::optional<TimelineKind> timelineKind(TraceView view)
{
    switch (view) {
    case TraceView::Active:
        return TimelineKind::Active;
    case TraceView::Reserved:
        return TimelineKind::Reserved;
    case TraceView::Bands:
        return TimelineKind::Bands;
    case TraceView::Lanes:
        return TimelineKind::Lanes;
    default:
        return std::nullopt;
    }
}

QString traceViewTitle(TraceView view)
{
    return texts()[static_cast<std::size_t>(view)].title;
}

} // namespace vramscope
