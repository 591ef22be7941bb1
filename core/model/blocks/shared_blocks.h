// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/state_mixers.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// Parameters of a layer of TokenMixer::Shared without its mixer. The first turn counts the shared
/// weights, later ones only their own.
struct SharedParameters
{
    std::int64_t norms = 0;
    std::int64_t attention = 0;
    std::int64_t feedForward = 0;
};
[[nodiscard]] SharedParameters sharedParameters(const Architecture &architecture,
                                                const BlockKind &kind);

/// The linear layers with these parameters, unsplit: those of attention, the last of which joins
/// the stream and is whole on each rank; and those of the feed-forward.
[[nodiscard]] std::vector<MixerMatrix> sharedAttention(const Architecture &architecture,
                                                       const BlockKind &kind);
[[nodiscard]] std::vector<MixerMatrix> sharedFeedForward(const Architecture &architecture,
                                                         const BlockKind &kind);

} // namespace vramscope
