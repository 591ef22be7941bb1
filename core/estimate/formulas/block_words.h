// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/block_kinds.h"

#include <string>

namespace vramscope {

/// Names of the parts of a step that blocks of one kind cause.
struct BlockWords
{
    std::string inputs, saved, kept, recomputed, temporaries, moving, working, exchange, attention,
        gradients, runningGradient, runningGradients, gathered, copies, inputCodes, weightCodes;
};
/// The names for a kind; they live as long as the program.
[[nodiscard]] const BlockWords &blockWords(const BlockKind &kind);

} // namespace vramscope
