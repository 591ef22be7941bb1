// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"
#include "core/exchange/translation.h"

namespace vramscope {

/// Imports the model in Megatron-LM's arguments as model.config and the fields of `model`. Without
/// such arguments the plan keeps its own model.
void importMegatronModel(Translation &translation);
/// Writes the arguments that describe the plan's model.
void writeMegatronModel(Outline &outline);

} // namespace vramscope
