// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"

#include <nlohmann/json.hpp>

namespace vramscope {

/// DeepSpeed's settings of what it shards, offloads and reduces, and in which types: what stands
/// with it in a file of its own and in one of transformers' Trainer.
void writeDeepSpeedSharding(Outline &outline, nlohmann::ordered_json &config);

} // namespace vramscope
