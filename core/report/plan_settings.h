// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/table/table.h"

#include <span>

namespace vramscope {

struct Plan;
struct PlanSubject;
struct Settings;

/// Names and values of what the figures of a plan rest on: the settings that it states, or the
/// defaults in force that matter to what it is for. Sizes in `unit`.
[[nodiscard]] DataTable settingsTable(const Plan &plan, const Settings &settings, bool stated,
                                      ByteUnit unit);

/// The settings in force that are not the same in all of the plans: the name, then a value each,
/// "–" where it means nothing.
[[nodiscard]] DataTable differingSettings(std::span<const PlanSubject> plans, ByteUnit unit);

} // namespace vramscope
