// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"

#include <cstddef>

class QPoint;

namespace vramscope {

enum class RankWish { None, Open, Compare };

/// Asks by a menu at a place of the screen what to do with a rank.
[[nodiscard]] RankWish askByMenu(const RunStudy &study, std::size_t rank, QPoint place);

} // namespace vramscope
