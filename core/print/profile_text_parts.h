// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/table/terminal_table.h"

#include <cstddef>
#include <string>

namespace vramscope {

/// Where the time of a device went: its four parts, which add up to its span, and what is hidden.
/// `heading` says of which work.
[[nodiscard]] std::string barText(const DeviceBreakdown &device, const std::string &heading);

/// What a device is called: "GPU 0, NVIDIA A100-SXM4-80GB".
[[nodiscard]] std::string deviceName(const Profile &profile, std::int64_t device);

} // namespace vramscope
