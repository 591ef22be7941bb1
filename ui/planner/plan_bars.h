// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "ui/charts/stacked_bar_chart.h"

#include <QString>

#include <span>

namespace vramscope {

/// An estimate under the name that its bar gets.
struct NamedEstimate
{
    QString name;
    const Estimate *estimate = nullptr;
};

/// One bar an estimate, at its peak up to the device level. Those not computed are empty and say
/// so; the capacity is that of the first, and none where GPUs of several kinds have others.
[[nodiscard]] StackedBars scenarioBars(std::span<const NamedEstimate> scenarios);

/// One bar a moment of the step, in order of time, with the peak marked.
[[nodiscard]] StackedBars momentBars(const Estimate &estimate);

/// Whether the model is a diffusion pipeline, which is shown by its moments.
[[nodiscard]] bool runsPipeline(const Estimate &estimate);
/// What such a plan goes through: "One call of the pipeline".
[[nodiscard]] QString pipelineTitle(const Estimate &estimate);
/// Of what is drawn block by block.
[[nodiscard]] QString stepTitle(const Estimate &estimate);

} // namespace vramscope
