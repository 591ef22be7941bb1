// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/diffusion/component.h"

#include <vector>

namespace vramscope {

/// Places of a batch at a level of a U-Net; an odd side is rounded up when it is halved.
[[nodiscard]] Exact placesAt(std::int64_t level, const DiffusionLoad &load);

/// A layer's output in 16 bit.
[[nodiscard]] Exact outputOf(const UnetLayer &layer, const DiffusionLoad &load);

/// Tensors that wait while each layer runs: skips, and on the way up the input of the layer's
/// block. A skip is freed when the block after the one that joins it begins. `keptElsewhere` leaves
/// out the outputs of these layers; empty: nothing.
[[nodiscard]] std::vector<Exact> waitingBytes(const std::vector<UnetLayer> &layers,
                                              const DiffusionLoad &load,
                                              const std::vector<bool> &keptElsewhere);

} // namespace vramscope
