// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config_reader.h"

namespace vramscope {

struct Architecture;

// Readers of models that are recurrent networks through and through.

void readRwkv7(ConfigReader &config, Architecture &architecture);

} // namespace vramscope
