// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

struct Plan;
struct Settings;

/// How far measured figures of a class of runs were from the planner's when it first met them.
struct MeasuredBand
{
    std::string name;       ///< of the class: "training, experts"
    std::int64_t rows = 0;  ///< measured figures of the class
    std::string from;       ///< the class whose rows give the width: itself, or a parent of it
    std::int64_t basis = 0; ///< their number
    double below = 0;       ///< parts of the figure: 95 % of them were between
    double above = 0;       ///< figure · (1 − below) and figure · (1 + above)
};

/// The class of a run, the most general word first: "training, experts, fsdp2", or "training,
/// dense, no measured shape" (verified_shapes.h). A step of which something `uncertain` decides is
/// in the class of all training. Empty: no measured run is comparable, so its parts make the band
/// (fillBands): serving, diffusion, a trainer and its engine, and a plan that was calibrated on a
/// recording of itself.
[[nodiscard]] std::string bandClassOf(const Settings &settings, bool uncertain);

/// Whether neither a tool nor the plan itself states the training loop: precision, optimizer and
/// loss.
[[nodiscard]] bool leavesLoopOpen(const Plan &plan);

/// The row of resources/measured/bands for a class or, if it has none, for its nearest parent;
/// null if that has none either.
[[nodiscard]] const MeasuredBand *measuredBand(std::string_view name);

} // namespace vramscope
