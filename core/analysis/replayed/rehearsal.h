// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What a recording says of itself that no GPU ran: the program ran on tensors without memory
/// (resources/recipes/vramscope_rehearse.py). Texts are those of the file.
struct Rehearsal
{
    std::string gpu;                  ///< as which it ran: "NVIDIA H100 80GB HBM3"
    std::string torch;                ///< the version that ran the program
    std::string ended;                ///< why it ended before the program did; empty: it did not
    std::int64_t rank = 0;            ///< that was rehearsed
    std::int64_t worldSize = 1;       ///< ranks of the run
    std::string sizeName;             ///< of the argument that was tried at several sizes; or empty
    std::int64_t size = 0;            ///< its value
    Bytes allocatorBytes = -1;        ///< of the GPU, for the allocator; -1: not stated
    Bytes lackedBytes = 0;            ///< that were reserved beyond these
    std::vector<std::string> missing; ///< what it does not hold
    std::vector<std::string> assumed; ///< what was taken for what only a GPU knows
};

/// None where the recording is one of a GPU. What the key holds otherwise than as the recipe writes
/// it is left out; each text and each list is bounded.
[[nodiscard]] std::optional<Rehearsal> rehearsalOf(const Trace &trace);

} // namespace vramscope
