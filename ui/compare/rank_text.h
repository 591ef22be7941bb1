// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"

#include <QString>

namespace vramscope {

/// "8 ranks peak between 34.2 GiB and 38.9 GiB of active memory, half of them below 34.3 GiB. Rank
/// 3 stands out: 4.6 GiB above that."
[[nodiscard]] QString headingOf(const RankFolder &folder, ByteUnit unit);
/// What was left out and why; empty where nothing was.
[[nodiscard]] QString leftOutText(const RankFolder &folder);

} // namespace vramscope
