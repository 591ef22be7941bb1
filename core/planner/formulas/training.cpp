// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

namespace vramscope {

Training::Training(const Settings &settings, const Rank &inventory)
    : s(settings)
    , rank(inventory)
    , tokens(Exact(settings.microBatch) * (settings.sequenceLength / settings.context))
    , dense(denseDegrees(settings))
    , expert(expertDegrees(settings))
    , adapters(adapterParameters(settings, inventory))
    , trained(adapters > 0 ? Share{adapters, 0} : inventory.share())
    , gathered(settings.regime == Regime::FsdpMixedBf16 ? settings.computeBytes
                                                        : settings.weightBytes)
    , residual(settings.computeBytes)
    , trainedWeight(adapters > 0 ? settings.adapterWeightBytes : settings.weightBytes)
    , trainedGradient(adapters > 0 ? settings.adapterWeightBytes : settings.gradientBytes)
{
    // The embedding's output, and with it the residual stream, is fp32 where the weights are.
    if ((autocast() && settings.weightBytes == 4) || settings.upcastUnquantized)
        residual = 4;
}

} // namespace vramscope
