// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_data.h"

#include <QString>
#include <QStringView>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace vramscope {

class Study;
class TimelineState;
class TraceViewWidget;
struct TraceDocument;

/// What the middle of the trace page shows, in the order of its tabs.
enum class TraceView { Active, Reserved, State, Bands, Lanes, Events, Stacks, Steps, WhatIf };
inline constexpr std::size_t kTraceViewCount = 9;

/// The properties of one view of a recording.
struct TraceViewRow
{
    TraceView view;
    QString name;                         ///< on the command line
    QString title;                        ///< in the window
    std::optional<TimelineKind> timeline; ///< the timeline that it is
    bool needsHistory;
    bool needsStudy;
    /// Makes its widget. Views of one maker share the widget.
    TraceViewWidget *(*make)(const std::shared_ptr<const TraceDocument> &, TimelineState *);
    /// Why a device has nothing to show in it, without a full stop; empty if it has.
    QString (*whyEmpty)(const Study &) = nullptr;
    QString helpTopic = QStringLiteral("trace");
};

/// The views, each at the place of its enumerator.
[[nodiscard]] const std::array<TraceViewRow, kTraceViewCount> &traceViews();
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
