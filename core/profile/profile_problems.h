// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"

#include <string>
#include <vector>

namespace vramscope {

/// What limits every figure of a recording, in the order in which a reader needs it: the anomalies
/// of its file, that no device event is in it, steps without any, and work of unknown origin. Each
/// text and page states them before its figures.
[[nodiscard]] std::vector<Problem> profileProblems(const ProfileStudy &study);

/// In a few words, where tables have nothing to show: "The recording has no device event."
[[nodiscard]] std::string noDeviceText(const Profile &profile);

} // namespace vramscope
