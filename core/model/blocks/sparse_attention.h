// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

namespace vramscope {

/// Parameters of the index of a block's attention; 0 where it has none.
[[nodiscard]] std::int64_t sparseParameters(const Architecture &architecture,
                                            const BlockKind &kind);

/// Parameters of DeepSeek V4's attention, its index aside: queries through a latent, one head of
/// keys that are the values, their compression, a sink a head, and an output of low rank in groups.
/// transformers models/deepseek_v4/modeling_deepseek_v4.py.
[[nodiscard]] std::int64_t compressedParameters(const Architecture &architecture,
                                                const BlockKind &kind);

/// Parameters of `streams` residual streams' connections: two in each layer, and one that joins
/// them at the end. transformers models/deepseek_v4, DeepseekV4HyperConnection,
/// DeepseekV4HyperHead.
[[nodiscard]] std::int64_t streamParameters(const Architecture &architecture, std::int64_t streams);

} // namespace vramscope
