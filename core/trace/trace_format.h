// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

/// Trace::format() of what holds sizes without addresses and segments: those are made up.
inline constexpr std::string_view kAllocationPlot = "pytorch-allocation-plot";

} // namespace vramscope
