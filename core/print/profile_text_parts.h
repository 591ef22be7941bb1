// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"

#include <cstddef>
#include <string>

namespace vramscope {

/// Rows of a table that are shown: `most`, or all where that is 0.
[[nodiscard]] std::size_t shownRows(std::size_t count, std::size_t most);
/// The line below a table for what it leaves out; empty where that is nothing.
[[nodiscard]] std::string leftOut(std::size_t count, std::size_t most);

/// Where the time of a device went: its four parts, which add up to its span, and what is hidden.
/// `heading` says of which work.
[[nodiscard]] std::string barText(const DeviceBreakdown &device, const std::string &heading);

/// What a device is called: "GPU 0, NVIDIA A100-SXM4-80GB".
[[nodiscard]] std::string deviceName(const Profile &profile, std::int64_t device);

} // namespace vramscope
