// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include <QCoreApplication>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct ViewText
{
    QString name;
    const char *title;
};

const std::array<ViewText, kTraceViewCount> &texts()
{
    static const std::array<ViewText, kTraceViewCount> table = {{
        {u"active-memory"_s, QT_TRANSLATE_NOOP("TraceView", "Active memory")},
        {u"reserved"_s, QT_TRANSLATE_NOOP("TraceView", "Reserved")},
        {u"state"_s, QT_TRANSLATE_NOOP("TraceView", "Allocator state")},
        {u"bands"_s, QT_TRANSLATE_NOOP("TraceView", "Bands")},
        {u"lanes"_s, QT_TRANSLATE_NOOP("TraceView", "Pools")},
        {u"events"_s, QT_TRANSLATE_NOOP("TraceView", "Events")},
        {u"stacks"_s, QT_TRANSLATE_NOOP("TraceView", "Stacks")},
        {u"steps"_s, QT_TRANSLATE_NOOP("TraceView", "Steps")},
        {u"what-if"_s, QT_TRANSLATE_NOOP("TraceView", "What if")},
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
    return QCoreApplication::translate("TraceView", texts()[static_cast<std::size_t>(view)].title);
}

} // namespace vramscope
