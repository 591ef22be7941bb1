// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_data.h"

#include <QString>
#include <QStringView>

#include <array>
#include <cstddef>
#include <optional>

namespace vramscope {

/// What the middle of the trace page shows.
enum class TraceView { Active, Reserved, State, Bands, Lanes, Events, Stacks, Steps, WhatIf };
inline constexpr std::size_t kTraceViewCount = 9;

/// The view's name on the command line: "active-memory", "reserved", "state", "bands", "lanes",
/// "events", "stacks", "steps", "what-if".
[[nodiscard]] QString traceViewName(TraceView view);
[[nodiscard]] std::optional<TraceView> traceViewNamed(QStringView name);
/// The timeline that a view is; none for the others.
[[nodiscard]] std::optional<TimelineKind> timelineKind(TraceView view);
/// The view's title in the window.
[[nodiscard]] QString traceViewTitle(TraceView view);

} // namespace vramscope
