// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/schedules/position.h"

namespace vramscope {

std::string_view phaseName(StepPhase phase)
{
    switch (phase) {
    case StepPhase::Load:
        return "load";
    case StepPhase::Forward:
        return "forward";
    case StepPhase::Logits:
        return "logits";
    case StepPhase::StartOfBackward:
        return "start of backward";
    case StepPhase::Loss:
        return "loss";
    case StepPhase::Backward:
        return "backward";
    case StepPhase::EndOfBackward:
        return "end of backward";
    case StepPhase::GradientNorm:
        return "gradient norm";
    case StepPhase::Step:
        return "optimizer step";
    case StepPhase::Profile:
        return "profile run";
    case StepPhase::Serve:
        return "serving";
    case StepPhase::Generate:
        return "generation";
    case StepPhase::LogProbabilities:
        return "log-probabilities";
    case StepPhase::WeightSync:
        return "weight sync";
    case StepPhase::Encode:
        return "encode";
    case StepPhase::Denoise:
        return "denoise";
    case StepPhase::Decode:
        return "decode";
    case StepPhase::Rest:
        break;
    }
    return "at rest";
}

std::string positionName(const Position &position, std::int64_t blocks)
{
    if (position.after)
        return "after " + positionName({position.phase, position.block}, blocks);
    std::string name(phaseName(position.phase));
    const bool last = position.block == blocks - 1;
    if (!runsBlocks(position.phase) || (position.phase == StepPhase::Forward && last))
        return name;
    if (position.phase == StepPhase::Backward && (last || position.block == 0))
        return last ? "first backward block" : "last backward block";
    return name + " of block " + std::to_string(position.block + 1);
}

} // namespace vramscope
