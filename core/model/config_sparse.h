// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/model/config_reader.h"

namespace vramscope {

// Readers of the blocks of models whose attention reads an index's choice (BlockReader::read).

/// DeepSeek V3.2 and GLM-5: latent attention to the tokens that an index chooses.
void readIndexed(ConfigReader &config, Architecture &it);
/// A.X K2: the same with a gate made together with the queries, and gates of low rank on norms.
void readAxk2(ConfigReader &config, Architecture &it);
/// DeepSeek V4: windows and compressed entries, in some layers chosen by an index; several residual
/// streams.
void readDeepseekV4(ConfigReader &config, Architecture &it);
/// MiniMax M3: grouped queries, in some layers to blocks of tokens that an index chooses.
void readMiniMaxM3(ConfigReader &config, Architecture &it);

} // namespace vramscope
