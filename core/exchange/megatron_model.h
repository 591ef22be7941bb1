// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"
#include "core/exchange/translation.h"

namespace vramscope {

/// The model that Megatron-LM's arguments describe, as model.config and the fields of `model`. The
/// plan keeps its own model where they describe none.
void importMegatronModel(Translation &translation);
/// The arguments that describe the plan's model.
void writeMegatronModel(Outline &outline);

} // namespace vramscope
