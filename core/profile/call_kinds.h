// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace vramscope {

/// Whether a call of CUDA or HIP makes the host wait until the device is done: synchronizing calls
/// and copies that are not asynchronous.
[[nodiscard]] bool waitsForDevice(std::string_view call);

/// Whether a call may hold up the host: what waits for the device, and allocating or freeing memory
/// of the device.
[[nodiscard]] bool mayBlock(std::string_view call);

/// Whether a call launches a CUDA or HIP graph, however many kernels that has.
[[nodiscard]] bool launchesGraph(std::string_view call);

/// What a call of a device's runtime or driver is for.
enum class CallPurpose : std::uint8_t { Launch, Copy, Wait, Other };
/// By its name: launches of kernels and graphs; copies and fills; waits for the device, a stream or
/// an event. Of HIP, CUDA and their like.
[[nodiscard]] CallPurpose purposeOf(std::string_view call);

/// Of each call, by a test of its name that is made once a name.
[[nodiscard]] std::vector<bool> callsThat(const Profile &profile, bool (*test)(std::string_view));

} // namespace vramscope
