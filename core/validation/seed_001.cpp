// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"
#include "core/validation/seed_claims.h"

#include <array>

namespace vramscope {

namespace {

using enum SeedUnit;

constexpr std::string_view kPlan1 = "llama-70b-4xa100";

double blockParameters1(SeedFacts &facts)
{
    return number(facts.counts(kPlan1).denseBlock.total());
}

double bandwidth(SeedFacts &facts)
{
    const GpuPreset *gpu = facts.settings(kPlan1).gpu;
    return gpu != nullptr ? number(gpu->memoryBandwidth) : 0;
}

/// The diagram's GPU while a layer is gathered: its shard, three received ones, gradients and
/// optimizer states, in the text's own figures.
double diagramSum(SeedFacts &)
{
    constexpr double kShard = 5e9;
    constexpr double kGradients = 5e9;
    constexpr double kOptimizer = 3e9;
    return 4 * kShard + kGradients + kOptimizer;
}

constexpr std::array kClaims1{
    SeedClaim{"Memory of an A100", 24, GB,
              fromFormula("catalogue, the 40 GB model",
                          [](SeedFacts &f) { return f.capacity("a100-sxm-40gb"); }),
              "24 GB are an A10's or an RTX 3090's; an A100 has 40 or 80 GB."},
    SeedClaim{"Memory of an H100", 80, GB,
              fromFormula("catalogue", [](SeedFacts &f) { return f.capacity("h100-sxm-80gb"); }),
              "The vendor's 80 GB are close to 80 GiB."},
    SeedClaim{"Bandwidth of an A100's memory, each second", 1500, GB,
              fromFormula("catalogue, the 80 GB model", bandwidth),
              "1.5 TB/s is the 40 GB model's."},
    SeedClaim{
        "The diagram's GPU of 24 GB during a gather", 24, GB,
        fromFormula("own shard + 3 received + gradients + optimizer = 4 · 5 + 5 + 3", diagramSum),
        "The parts of the diagram do not fit the GPU that it draws."},
    SeedClaim{"Adam's states beside a 5 GB shard in bf16", 3, GB,
              fromFormula("2 moments in bf16 = 2 · shard", [](SeedFacts &) { return 2 * 5e9; }),
              "Two moments are never smaller than the weights; in fp32 they take 20 GB."},
    SeedClaim{"Adam's states beside a 15 GB shard in bf16", 10, GB,
              fromFormula("2 moments in bf16 = 2 · shard", [](SeedFacts &) { return 2 * 15e9; }),
              "As above; in fp32 60 GB."},
    SeedClaim{"Parameters of a 70B model's largest layer", 10, Billions,
              fromFormula("one block by the catalogue's counts", blockParameters1),
              "A block of Llama 70B, the unit that FSDP gathers, is a twelfth of that."},
    SeedClaim{"That layer in bf16", 20, GB,
              fromFormula("2 N_block", [](SeedFacts &f) { return 2 * blockParameters1(f); }),
              "Follows from its parameters."},
    SeedClaim{"Weights of one of 4 GPUs in mixed precision", 35, GB,
              fromFormula("4 N / D", [](SeedFacts &f) { return f.sharded(kPlan1, 4); }),
              "MixedPrecision halves the gathered copy and the activations, not the shard."},
    SeedClaim{"Everything on one of 4 GPUs", 65, GB,
              fromFormula("16 N / D", [](SeedFacts &f) { return f.sharded(kPlan1, 16); }),
              "Gradients and Adam's states are left out (280 GB for 70 B sharp); these are the "
              "states alone."},
    SeedClaim{"The same at the peak of a step", 65, GB, fromPlan(kPlan1, "peak.allocated"),
              "The foreach implementation of AdamW holds one more copy of the shard."},
    SeedClaim{"Share of the activations that checkpointing saves", 70, Percent,
              fromFormula("1 - most activations with / without checkpointing",
                          [](SeedFacts &f) { return f.savedByCheckpointing(kPlan1); }),
              "Of 80 blocks only the inputs and one recomputed block stay; the loss term, which "
              "checkpointing does not touch, is not counted."},
};

} // namespace

extern const std::span<const SeedClaim> kSeed001 = kClaims1;

} // namespace vramscope
