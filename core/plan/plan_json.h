// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace vramscope {

/// Reads a plan document strictly: an unknown field is an error that names it and the nearest known
/// one, a wrong type, range or choice names the field and what it may be.
[[nodiscard]] Result<Plan> parsePlan(std::string_view json);

/// The document of a plan, indented, fields in the order of the contract; parsePlan() gives back
/// the same plan.
[[nodiscard]] std::string planJson(const Plan &plan);

/// The text of a document, whatever it holds; a little more than json_text.h allows where it is
/// longer. An error for what is no file, cannot be read or is empty.
[[nodiscard]] Result<std::string> readSettingsText(const std::filesystem::path &file);
[[nodiscard]] Result<Plan> readPlan(const std::filesystem::path &file);
/// Atomic: the old file stays whole until the new one is complete.
[[nodiscard]] Result<void> writePlan(const Plan &plan, const std::filesystem::path &file);

} // namespace vramscope
