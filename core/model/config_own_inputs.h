// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/model/config_reader.h"

namespace vramscope {

// Gemma 3n and the E-models of Gemma 4: each layer reads its own embedding, and the last ones use
// the keys and values of others. transformers models/gemma3n/modeling_gemma3n.py,
// models/gemma4/modeling_gemma4.py.

/// Adds the layers' own inputs, `hidden_size_per_layer_input` wide; `otherwise` where the config
/// has no width.
void takeOwnInputs(ConfigReader &config, Architecture &it, std::int64_t otherwise);

/// Lets the last layers borrow keys and values (num_kv_shared_layers); their feed-forward may be
/// twice as wide (use_double_wide_mlp). Blocks have been read.
void takeSharedKeys(ConfigReader &config, Architecture &it, std::int64_t otherwise);

/// Reads Gemma 3n's text part: several residual streams (AltUp), low-rank residuals (LAuReL).
void readGemma3n(ConfigReader &config, Architecture &it);

} // namespace vramscope
