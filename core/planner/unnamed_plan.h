// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

/// What a plan is called that nobody has named yet.
inline constexpr std::string_view kUnnamedPlan = "New plan";

} // namespace vramscope
