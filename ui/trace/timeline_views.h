// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/space_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/trace_view_widget.h"

namespace vramscope {

/// The timelines as views of the trace page: one widget that turns from one to the other.
class TraceTimelines : public TimelineView, public TraceViewWidget
{
public:
    using TimelineView::TimelineView;

    [[nodiscard]] QWidget *widget() override { return this; }
    void setUnit(ByteUnit unit) override { TimelineView::setUnit(unit); }
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

} // namespace vramscope
