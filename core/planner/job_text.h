// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vramscope {

struct Plan;
struct Settings;

/// What a plan runs: "Llama 3 8B".
[[nodiscard]] std::string modelText(const Plan &plan, const Settings &settings);

/// The same, what is done with it, and on what: "Llama 3 8B, full training on 8 × H100 SXM5 80 GB".
[[nodiscard]] std::string jobText(const Plan &plan, const Settings &settings);

} // namespace vramscope
