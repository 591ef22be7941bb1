// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/planner/field_value.h"

namespace vramscope {

struct Plan;
struct ResolvedPlan;
struct Settings;

/// GPUs that the degrees of a plan make: data · tensor · pipeline · context; empty where the
/// product leaves 64 bits.
[[nodiscard]] std::optional<std::int64_t> worldSize(const Settings &settings);

/// Whether a stated value is more than a "no", which means nothing elsewhere either: off, none, one
/// or nothing at all.
[[nodiscard]] bool asksForSomething(const FieldValue &value);

/// Appends to resolved.issues what contradicts itself in the settings (Blocking), what is likely
/// not meant (Warning) and what is stated without effect (Note). The plan tells what was stated
/// from what is a default.
void checkPlan(const Plan &plan, ResolvedPlan &resolved);

/// Whether checkPlan() would find nothing that keeps the figures from being computed. Builds no
/// text: for comparisons of many plans.
[[nodiscard]] bool soundPlan(const Plan &plan, const Settings &settings);

} // namespace vramscope
