// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <vector>

namespace vramscope {

/// The one value of each key that counts, of the last start.
[[nodiscard]] std::vector<BestFigure> bestFigures(const ServingLog &log);

} // namespace vramscope
