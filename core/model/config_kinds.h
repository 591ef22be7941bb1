// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/model_types.h"
#include "core/model/config_blocks.h"
#include "core/model/config_reader.h"

namespace vramscope {

/// Whether a value in a config has no effect: false, 0, an empty text or list, or nothing but
/// `neutral` ("1" for a period of which every layer is the first).
[[nodiscard]] bool saysNothing(const FieldValue &value, std::string_view neutral = {});

/// Fails a config with layers of a kind that is not computed, so that they are never mistaken for a
/// Llama's. `gatedIsStated`: the plan itself states whether the feed-forward is gated. Keys that
/// `reader`, unless null, reads are known.
void refuseOtherKinds(ConfigReader &config, const ModelType &type, bool gatedIsStated,
                      const BlockReader *reader);

} // namespace vramscope
