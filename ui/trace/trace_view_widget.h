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

/// The widget of one or several views of the trace page: the page's updates to each of them, and
/// its queries to the visible one. A view overrides only what concerns it. Cursor, selection and
/// filter are not passed: they are in the state that all views share.
class TraceViewWidget
{
public:
    virtual ~TraceViewWidget() = default;

    /// This object as a widget.
    [[nodiscard]] virtual QWidget *widget() = 0;
    virtual void setUnit(ByteUnit unit) = 0;
    /// Shows one of this widget's views.
    virtual void setView(TraceView) {}
    /// An index into TraceDocument::devices.
    virtual void setDevice(std::size_t) {}
    /// The study of a device; null: nothing yet. No effect if it is already shown.
    virtual void setStudy(std::size_t, const std::shared_ptr<const Study> &) {}
    /// The data for timelines, in the current colours.
    virtual void setTimeline(const TimelineData &) {}
    /// The cost that stacks are weighted by.
    virtual void setCost(Cost) {}
    /// Moves cursor and view to the peak of memory in use, if time or events are an axis.
    virtual void goToPeak() {}
    /// For a presentation: leaves out details that cannot be read from far away.
    virtual void simplify() {}

    /// The rows shown, at most `most`, under a title; nothing if the view has no rows.
    [[nodiscard]] virtual std::optional<Table> asTable(const QString &, qsizetype) const
    {
        return std::nullopt;
    }
    /// The selection as text, if it is more than an allocation.
    [[nodiscard]] virtual QString selectedText() const { return {}; }
};

} // namespace vramscope
