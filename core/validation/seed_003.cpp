// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"
#include "core/validation/seed_claims.h"

#include <array>

namespace vramscope {

namespace {

using enum SeedUnit;

constexpr std::string_view kPlan3 = "dense-4b-8xa100";
constexpr std::string_view kNotCheckpointed = R"({"activations":{"checkpointing":"none"}})";

double parameters3(SeedFacts &facts)
{
    return facts.figure(kPlan3, "parameters.total");
}

double gpus(SeedFacts &facts)
{
    return number(facts.settings(kPlan3).data);
}

/// The text's own figure for one GPU without any saving.
constexpr double kBaseline3 = 136e9;

/// What attention written by hand keeps for the backward pass over what a fused kernel keeps: both
/// keep Q, K, V and the output in bf16; then 2 a s bytes a token of softmax against 4 a of its
/// statistics.
double attentionRatio(SeedFacts &facts, std::int64_t sequence)
{
    const Architecture &a = facts.settings(kPlan3).architecture;
    const std::int64_t shared = 4 * a.headDim * (a.heads + a.kvHeads);
    const std::int64_t fused = shared + 4 * a.heads;
    return fused > 0 ? number(shared + 2 * a.heads * sequence) / number(fused) : 0;
}

constexpr std::array kClaims3{
    SeedClaim{"Adam beside bf16 weights, for each parameter", 12, Byte,
              fromFormula("master weight 4 + two moments of state_bytes",
                          [](SeedFacts &f) {
                              const Settings &s = f.settings(kPlan3);
                              return number(s.masterWeightBytes) + 2 * s.optimizer.stateBytes;
                          }),
              "Right."},
    SeedClaim{
        "States that ZeRO-1 saves", 4, Times,
        fromFormula("16 / (4 + 12 / D)", [](SeedFacts &f) { return 16 / (4 + 12 / gpus(f)); }),
        "4 is the limit for endlessly many GPUs; this is for the 8 of the text."},
    SeedClaim{
        "States that ZeRO-2 saves", 8, Times,
        fromFormula("16 / (2 + 14 / D)", [](SeedFacts &f) { return 16 / (2 + 14 / gpus(f)); }),
        "8 is the limit as well."},
    SeedClaim{"States that ZeRO-3 saves on 8 GPUs", 8, Times,
              fromFormula("16 / (16 / D)", [](SeedFacts &f) { return gpus(f); }),
              "Right: here the limit is the count of GPUs itself."},
    SeedClaim{"The baseline of 4.15 B: what weights, gradients and Adam explain", kBaseline3 / 1e9,
              GB, fromFormula("16 N", [](SeedFacts &f) { return 16 * parameters3(f); }),
              "The text does not part its figure; the rest, more than the states, has to be "
              "activations and the loss."},
    SeedClaim{
        "What ZeRO-2 saves of 4.15 B on 8 GPUs", 35, GB,
        fromFormula("14 N (D - 1) / D",
                    [](SeedFacts &f) { return 14 * parameters3(f) * (gpus(f) - 1) / gpus(f); }),
        "Gradients and all of Adam's 12 bytes are sharded."},
    SeedClaim{"What is left of the baseline after all savings", 66, GB,
              fromFormula("136 - (15 + 35 + 12 + 8) GB",
                          [](SeedFacts &) { return kBaseline3 - (15e9 + 35e9 + 12e9 + 8e9); }),
              "The subtraction is right, its terms are not."},
    SeedClaim{
        "Peak of such a model by ZeRO-2 on 8 A100, checkpointed", 66, GB,
        fromPlan(kPlan3, "peak.device"),
        "An example: the text states neither batch nor sequence; ours has 4 of 2,048 tokens."},
    SeedClaim{"The same without checkpointing", 66, GB,
              fromPlan(kPlan3, "peak.device", kNotCheckpointed),
              "So much depends on the settings that the text leaves out."},
    SeedClaim{"Activations that checkpointing saves",
              {30, 50},
              Percent,
              fromFormula("1 - most activations with / without checkpointing",
                          [](SeedFacts &f) { return f.savedByCheckpointing(kPlan3); }),
              "With every block checkpointed, its input and one recomputed block stay; 30 to 50 % "
              "are what a whole step may save."},
    SeedClaim{"Time that checkpointing costs",
              {20, 30},
              Percent,
              fromFormula("(8 N - 6 N) / 6 N, one more forward pass",
                          [](SeedFacts &) { return (8.0 - 6.0) / 6.0; }),
              "Of the arithmetic; memory-bound parts may hide some of it."},
    SeedClaim{"Attention memory that FlashAttention saves at 2,048 tokens", 40, Times,
              fromFormula("(Q, K, V, output + 2 a s) / (Q, K, V, output + 4 a), s = 2,048",
                          [](SeedFacts &f) { return attentionRatio(f, 2048); }),
              "No constant: it grows with the sequence. The project itself says 10 at 2,048 and 20 "
              "at 4,096 tokens."},
    SeedClaim{"The same at 4,096 tokens", 40, Times,
              fromFormula("the same with s = 4,096",
                          [](SeedFacts &f) { return attentionRatio(f, 4096); }),
              "Twice the sequence, nearly twice the ratio."},
};

} // namespace

extern const std::span<const SeedClaim> kSeed003 = kClaims3;

} // namespace vramscope
