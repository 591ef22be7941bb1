// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_steps.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/profile_table_model.h"

#include <cstddef>
#include <optional>

namespace vramscope {

// The tables of where time went, of profileTable().

/// The gaps of each stream by cause.
[[nodiscard]] ProfileTable idleTable(const ProfileDocument &document);

/// The parts of the bar of each device and stream: of everything, or of what began within a
/// stretch.
[[nodiscard]] ProfileTable breakdownTable(const ProfileDocument &document,
                                          const std::optional<TimeSpan> &within);
/// The same times as Holistic Trace Analysis counts them.
[[nodiscard]] ProfileTable htaTable(const ProfileDocument &document);

/// "By ProfilerStep", "By micro batch": what divides a recording into steps.
[[nodiscard]] QString markerName(const ProfileDocument &document, const StepMarker &marker);
/// The steps by the marker of that number in ProfileDocument::stepMarkers().
[[nodiscard]] ProfileTable stepsTable(const ProfileDocument &document, std::size_t choice);

} // namespace vramscope
