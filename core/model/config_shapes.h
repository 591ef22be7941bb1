// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config_blocks.h"

namespace vramscope {

/// Readers of model types whose layers differ in their heads or in the width of their feed-forward:
/// MiMo-V2, Step 3.5, Laguna, Nemotron-NAS.
[[nodiscard]] std::span<const BlockReader> shapedBlockReaders();

} // namespace vramscope
