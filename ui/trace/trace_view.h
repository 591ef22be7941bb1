// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_data.h"

#include <QString>
#include <QStringView>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace vramscope {

class Study;
class TimelineState;
class TraceViewWidget;
struct TraceDocument;

/// What the middle of the trace page shows, by the place of its tab. A view that no other code
/// names needs no enumerator: the tenth is TraceView{9}.
enum class TraceView { Active, Reserved, State, Bands, Lanes, Events, Stacks, Steps, WhatIf };

/// The properties of one view of a recording.
struct TraceViewRow
{
    TraceView view;
    QString name;                         ///< on the command line
    QString title;                        ///< in the window
    std::optional<TimelineKind> timeline; ///< the timeline that it is
    bool needsHistory;
    bool needsStudy;
    QStringView help; ///< on the command line, in lines; views with the same help share a row
    /// Makes its widget. Views of one maker share the widget.
    TraceViewWidget *(*make)(const std::shared_ptr<const TraceDocument> &, TimelineState *);
    /// Why a device has nothing to show in it, without a full stop; empty if it has.
    QString (*whyEmpty)(const Study &) = nullptr;
    QString helpTopic = QStringLiteral("trace");
};

/// The views, each at its place.
[[nodiscard]] std::span<const TraceViewRow> traceViews();
[[nodiscard]] inline const TraceViewRow &rowOf(TraceView view)
{
    return traceViews()[static_cast<std::size_t>(view)];
}
/// The view of that name.
[[nodiscard]] std::optional<TraceView> traceViewNamed(QStringView name);
/// Why a view of a device cannot be shown, without a full stop; empty if it can. `study` is null
/// while it is in progress.
[[nodiscard]] QString whyNot(const TraceViewRow &view, const Study &device, const Study *study);

} // namespace vramscope
