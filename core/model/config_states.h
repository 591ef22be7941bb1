// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config_blocks.h"

#include <span>

namespace vramscope {

/// Mamba 1 under the keys that begin with "mamba_".
[[nodiscard]] StateMixer readMamba1(ConfigReader &config, const Architecture &architecture);

/// The readers of model types that have layers which keep a state.
[[nodiscard]] std::span<const BlockReader> stateBlockReaders();

} // namespace vramscope
