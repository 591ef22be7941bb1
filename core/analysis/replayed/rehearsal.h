// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A recording's own statement that no GPU ran it: the program ran on tensors without memory
/// (resources/recipes/vramscope_rehearse.py). Texts are those of the file.
struct Rehearsal
{
    std::string gpu;                  ///< the simulated GPU: "NVIDIA H100 80GB HBM3"
    std::string torch;                ///< the version that ran the program
    std::string ended;                ///< why it ended before the program did; empty if it did not
    std::int64_t rank = 0;            ///< the rehearsed rank
    std::int64_t worldSize = 1;       ///< ranks of the run
    std::string sizeName;             ///< of the argument that was tried at several sizes, if any
    std::int64_t size = 0;            ///< its value
    Bytes allocatorBytes = -1;        ///< of the GPU, for the allocator; -1: unknown
    Bytes lackedBytes = 0;            ///< reserved beyond these
    std::vector<std::string> missing; ///< what it does not include
    std::vector<std::string> assumed; ///< assumptions in place of what only a GPU knows
};

/// Nothing if a GPU ran the recording. Content that differs from the recipe's format is left out;
/// each text and each list is bounded.
[[nodiscard]] std::optional<Rehearsal> rehearsalOf(const Trace &trace);

} // namespace vramscope
