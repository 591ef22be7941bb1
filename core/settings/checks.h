// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/field_value.h"

namespace vramscope {

struct Issue;
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

/// What is wrong with the model, its checkpoint and draft, and the GPU: with what a plan names, and
/// not with how its settings go together.
[[nodiscard]] std::vector<Issue> issuesOfNames(const Plan &plan);

/// Whether checkPlan() would find nothing that keeps the figures from being computed. Builds no
/// text: for comparisons of many plans.
[[nodiscard]] bool soundPlan(const Plan &plan, const Settings &settings);

} // namespace vramscope
