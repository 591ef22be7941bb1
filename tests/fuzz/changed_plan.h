// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <span>

namespace vramscope::fuzz {

/// The bytes of a change: field, way, value.
inline constexpr std::size_t kChangeBytes = 3;

/// A plan after changes of kChangeBytes each: a field is left out, takes a value that people give
/// it, one that it just allows, or a text that no one meant. What a plan may not state is no
/// change.
[[nodiscard]] Plan changedPlan(Plan plan, std::span<const std::uint8_t> changes);

} // namespace vramscope::fuzz
