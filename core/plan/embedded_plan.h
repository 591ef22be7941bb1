// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/report_mark.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// An element with the document of a plan for the head of a report; `number` counts from 1.
[[nodiscard]] std::string planElement(const Plan &plan, std::size_t number);

/// The document of the first plan in a report; nothing where it holds none. Looks for it where
/// planElement() is written, after the mark, and no further than `text` goes.
[[nodiscard]] std::optional<std::string_view> embeddedPlan(std::string_view text);

} // namespace vramscope
