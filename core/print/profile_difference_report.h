// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_difference.h"

#include <array>
#include <cstddef>
#include <string>

namespace vramscope {

/// One line of JSON: {"steps":[…],"device_time":[…],"breakdown":[{"a","b","delta"}],
/// "states":{"operators","kernels"},"operators":[{"key","level","count","host_self","device",
/// "delta","state"}],"kernels":[{"class","name","level","count","total","delta","state"}]}; at most
/// `most` rows of either table, 0: all.
[[nodiscard]] std::string profileDifferenceJson(const ProfileDifference &difference,
                                                std::size_t most);

/// For people: the sum that closes, then what differs most. `files` are named A and B.
[[nodiscard]] std::string profileDifferenceText(const ProfileDifference &difference,
                                                const std::array<std::string, 2> &files,
                                                std::size_t most);

} // namespace vramscope
