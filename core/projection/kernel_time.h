// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/empirical.h"
#include "core/estimate/step_work.h"
#include "core/settings/settings.h"

#include <array>
#include <string>

namespace vramscope {

/// Which end of the rates' ranges is taken; also the place of a SpeedCalibration::Fit.
enum class End { Likely, Fast, Slow };
inline constexpr std::array kEnds = {End::Likely, End::Fast, End::Slow};

[[nodiscard]] double at(Measured name, End end);
/// The same of what takes time: the least is the fast end.
[[nodiscard]] double costAt(Measured name, End end);

/// The constant of the share of the dense bf16 rate that products of linear layers reach.
[[nodiscard]] Measured arithmeticOf(const Settings &settings);
[[nodiscard]] double shareOfProducts(const Settings &settings, End end);

/// The class of a training step whose published speeds make the projection's range: "speed,
/// hopper, experts". Empty: serving, of which no speed has been compared.
[[nodiscard]] std::string speedClassOf(const Settings &settings);

/// The work in FLOPs of dense linear layers that take as long: attention and the output head are
/// never in fp8, and attention and products of experts reach less.
[[nodiscard]] double equivalentFlops(const Settings &settings, const StepWork &work);

/// Seconds of the kernels between the products, which only read and write.
[[nodiscard]] double kernelSeconds(const Settings &settings, const StepWork &work, End end);
/// Seconds in which the passes of a step widen a base in 4 bits, whatever their tokens.
[[nodiscard]] double wideningSeconds(const Settings &settings, const StepWork &work, End end);

} // namespace vramscope
