// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vramscope {

/// A plan of resources/examples, compiled in as it stands there.
struct ExamplePlan
{
    std::string_view name; ///< of the file, without folder and extension
    std::string_view document;
};

[[nodiscard]] std::span<const ExamplePlan> examplePlans();

/// The document of that name; empty where there is none.
[[nodiscard]] std::string_view examplePlan(std::string_view name);

} // namespace vramscope
