// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace vramscope {

/// What a rank may be doing. Which of them come, and in which order, a schedule says (schedule.h).
enum class StepPhase {
    Load,
    Forward,         ///< block by block
    Logits,          ///< head and loss run forward
    StartOfBackward, ///< FSDP2 gathers its root once more
    Loss,            ///< the loss runs backward, its highest moment
    Backward,        ///< block by block, from the last to the first
    EndOfBackward,
    GradientNorm, ///< DeepSpeed adds up the squares of the gradients before it steps
    Step,
    Profile, ///< a server runs the largest batch to see what is left for its cache
    Serve,
    Generate,         ///< the engine of reinforcement learning writes answers
    LogProbabilities, ///< and the trainer's models run forward over them
    WeightSync,       ///< the engine gets the trainer's new weights
    Encode,           ///< the text encoders of a diffusion pipeline run
    Denoise,
    Decode,
    Rest
};

/// What users read: "optimizer step".
[[nodiscard]] std::string_view phaseName(StepPhase phase);

/// The moment of a step that a recording can tell from its neighbours: the loss with what comes
/// just before it, the optimizer's step with the norm of its gradients.
[[nodiscard]] constexpr StepPhase recordedAs(StepPhase phase)
{
    if (phase == StepPhase::Logits || phase == StepPhase::StartOfBackward)
        return StepPhase::Loss;
    return phase == StepPhase::GradientNorm ? StepPhase::Step : phase;
}

/// Gone through block by block.
[[nodiscard]] constexpr bool runsBlocks(StepPhase phase)
{
    return phase == StepPhase::Forward || phase == StepPhase::Backward;
}

/// Any phases.
class PhaseSet
{
public:
    constexpr PhaseSet() = default;
    constexpr PhaseSet(std::initializer_list<StepPhase> phases)
    {
        for (const StepPhase phase : phases)
            m_bits |= bit(phase);
    }
    [[nodiscard]] constexpr bool contains(StepPhase phase) const { return m_bits & bit(phase); }
    [[nodiscard]] constexpr PhaseSet operator|(PhaseSet other) const
    {
        other.m_bits |= m_bits;
        return other;
    }
    [[nodiscard]] constexpr PhaseSet without(PhaseSet other) const
    {
        other.m_bits = m_bits & ~other.m_bits;
        return other;
    }
    bool operator==(const PhaseSet &) const = default;

private:
    static constexpr unsigned bit(StepPhase phase) { return 1U << static_cast<unsigned>(phase); }
    unsigned m_bits = 0;
};

/// What autograd saves lives from its block's forward pass to its backward pass.
inline constexpr PhaseSet kWhileSaved = {StepPhase::Forward, StepPhase::Logits,
                                         StepPhase::StartOfBackward, StepPhase::Loss,
                                         StepPhase::Backward};
inline constexpr PhaseSet kForwardToBackward = kWhileSaved | PhaseSet{StepPhase::EndOfBackward};
inline constexpr PhaseSet kWholeStep =
    kForwardToBackward | PhaseSet{StepPhase::GradientNorm, StepPhase::Step, StepPhase::Rest};

} // namespace vramscope
