// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/translation.h"

namespace vramscope {

/// Speculative decoding, sleep mode and compilation of a vLLM command line: what a plan can say of
/// them becomes its fields, the rest a note of what it changes.
void importVllmFeatures(Translation &translation);

} // namespace vramscope
