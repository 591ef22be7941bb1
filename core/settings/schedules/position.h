// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/schedules/step_phase.h"

#include <cstdint>
#include <string>

namespace vramscope {

/// A point of time: a phase and, in those that go block by block, which block of the rank runs
/// (from 0) or has just run.
struct Position
{
    StepPhase phase = StepPhase::Rest;
    std::int64_t block = 0;
    bool after = false;
    bool operator==(const Position &) const = default;
};

/// "forward", "first backward block", "after backward of block 12", …, on a rank of `blocks`
/// blocks. The forward pass is named by its last block, with which it ends.
[[nodiscard]] std::string positionName(const Position &position, std::int64_t blocks);

} // namespace vramscope
