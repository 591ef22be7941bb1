// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

struct Plan;
struct Settings;

/// Whether the plan's trainer or engine can make the change from `before` to `after`: whether no
/// field takes a value that a row of resources/tools/lacks.csv denies it. A degree that is in use
/// already may grow.
[[nodiscard]] bool toolOffers(const Plan &plan, const Settings &before, const Settings &after);

} // namespace vramscope
