// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/model_types.h"
#include "core/model/config_blocks.h"
#include "core/model/config_reader.h"

namespace vramscope {

/// Whether a value that a config states switches nothing on: false, 0, an empty text or list, or
/// nothing but `neutral` ("1" for a period of which every layer is the first).
[[nodiscard]] bool saysNothing(const FieldValue &value, std::string_view neutral = {});

/// Fails a config that states layers of a kind that is not computed, so that they are never taken
/// for a Llama's. `gatedIsStated`: the plan says itself whether the feed-forward is gated.
/// What `reader`, unless null, reads is known.
void refuseOtherKinds(ConfigReader &config, const ModelType &type, bool gatedIsStated,
                      const BlockReader *reader);

} // namespace vramscope
