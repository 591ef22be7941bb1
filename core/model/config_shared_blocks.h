// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config_reader.h"

namespace vramscope {

struct Architecture;

// Readers of models whose layers share blocks before mixers that keep a state.

void readZamba(ConfigReader &config, Architecture &architecture);
void readZamba2(ConfigReader &config, Architecture &architecture);

} // namespace vramscope
