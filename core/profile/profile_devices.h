// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// What one device of a recording did, with the host side of the processes that drove it.
struct DeviceProfile
{
    std::int64_t device = -1;
    std::shared_ptr<const Profile> profile;
    std::vector<std::string> processes{}; ///< that drove it, as far as their calls were recorded

    /// "GPU 1", or where several processes drove the devices of the recording "GPU 1 of process
    /// 4321".
    [[nodiscard]] std::string title(bool withProcess) const;
};

/// How many processes launched work on devices, as far as their calls were recorded.
[[nodiscard]] std::size_t drivingProcesses(const Profile &profile);

/// The devices that did any work, by number, each as a profile of its own on the same clock: its
/// work, and the calls, operators, ranges and steps of the processes that launched any of it. The
/// curves are those of the whole recording.
[[nodiscard]] std::vector<DeviceProfile> deviceProfiles(const Profile &profile);

} // namespace vramscope
