// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/model_types.h"
#include "core/model/config_reader.h"

namespace vramscope {

/// Which layers of a config attend through a window, and its width; `otherwise` where the config
/// does not say (0: no window).
void readWindow(ConfigReader &config, const ModelType &type, std::int64_t otherwise,
                Architecture &it);

} // namespace vramscope
