// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vramscope {

std::span<const StateMixerFormulas> stateMixers()
{
    static const std::array kinds = {kMamba1,    kMamba2,           kGatedDelta, kKimiDelta,
                                     kLightning, kShortConvolution, kRwkv7};
    return kinds;
}

const StateMixerFormulas &stateMixerOf(const Architecture &architecture)
{
    const auto kinds = stateMixers();
    const auto found = std::ranges::find(kinds, architecture.state.kind, &StateMixerFormulas::kind);
    assert(found != kinds.end());
    return *found;
}

std::int64_t mixerParameters(const Architecture &architecture, const BlockKind &kind,
                             std::int64_t ranks)
{
    const StateMixerFormulas &mixer = stateMixerOf(architecture);
    const bool differs = kind.turn == BlockTurn::First && mixer.moreInFirst != nullptr;
    return mixer.parameters(architecture, ranks) +
           (differs ? mixer.moreInFirst(architecture, ranks) : 0);
}

} // namespace vramscope
