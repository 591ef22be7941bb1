// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/base/format.h"
#include "ui/export/table.h"
#include "ui/trace/trace_view.h"

#include <memory>

class QWidget;

namespace vramscope {

class Study;

/// The widget of one view of the trace page, or of several: what the page tells each of them, and
/// asks of the one that is seen. A view leaves out what does not concern it. Cursor, selection and
/// filter are not told: they are the state that all views share.
class TraceViewWidget
{
public:
    virtual ~TraceViewWidget() = default;

    /// Itself.
    [[nodiscard]] virtual QWidget *widget() = 0;
    virtual void setUnit(ByteUnit unit) = 0;
    /// Shows one of the views that it is the widget of.
    virtual void setView(TraceView) {}
    /// An index into TraceDocument::devices.
    virtual void setDevice(std::size_t) {}
    /// What the study of a device found; null: nothing yet. Does nothing where it is shown.
    virtual void setStudy(std::size_t, const std::shared_ptr<const Study> &) {}
    /// What timelines draw, in the colours of now.
    virtual void setTimeline(const TimelineData &) {}
    /// What stacks are weighed by.
    virtual void setCost(Cost) {}
    /// Moves cursor and view to where most bytes are in use, where time or events are an axis.
    virtual void goToPeak() {}
    /// For a presentation: leaves out what cannot be read from far away.
    virtual void simplify() {}

    /// The rows that it shows, at most `most`, under a title; nothing where it has none.
    [[nodiscard]] virtual std::optional<Table> asTable(const QString &, qsizetype) const
    {
        return std::nullopt;
    }
    /// What is selected, where that is more than an allocation.
    [[nodiscard]] virtual QString selectedText() const { return {}; }
};

} // namespace vramscope
