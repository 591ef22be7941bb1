// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/profile_folder.h"
#include "ui/profile/breakdown_bar.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace vramscope {

/// The answer: which rank the others wait for, or that none is clearly late, or that it is not
/// known.
[[nodiscard]] QString ranksHeadline(const ProfileFolder &folder);

/// What is wrong with the recordings and with how they match, a sentence each.
[[nodiscard]] QStringList problemLines(const ProfileFolder &folder);

/// Ranks that are outliers, and files that were left out. A sentence each.
[[nodiscard]] QStringList ranksNotes(const ProfileFolder &folder);

/// "rank 3", "GPU 1" of a recording of several, "rank 3?" where nothing states the number.
[[nodiscard]] QString rankTitle(const RankProfile &rank);

/// The bars of comparedDevices().
[[nodiscard]] std::vector<BarTimes> rankBars(const ProfileFolder &folder);
/// The same of at most so many, in their order: the late rank and those that stand out before
/// others.
[[nodiscard]] std::vector<BarTimes> rankBars(const ProfileFolder &folder, std::size_t most);

} // namespace vramscope
