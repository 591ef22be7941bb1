// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seed_claims.h"

#include <array>

namespace vramscope {

namespace {

using enum SeedUnit;

constexpr std::string_view kSmall = "gpt2-small-h100";
constexpr std::string_view kLarge = "gpt2-large-2xh100"; // FSDP, fully sharded

constexpr std::string_view kBaseline4 =
    R"({"parallel":{"strategy":"none","sharding":null,"data":1},"hardware":{"gpus":1},)"
    R"("batch":{"accumulation_steps":4}})";
constexpr std::string_view kBaselineFiveFold =
    R"({"parallel":{"strategy":"none","sharding":null,"data":1},"hardware":{"gpus":1},)"
    R"("batch":{"accumulation_steps":4,"micro_batch":40}})";
constexpr std::string_view kDdp = R"({"parallel":{"strategy":"ddp","sharding":null}})";
constexpr std::string_view kNoSync = R"({"batch":{"no_sync":true}})";
constexpr std::string_view kGradOp = R"({"parallel":{"sharding":"shard_grad_op"}})";
constexpr std::string_view kGradOpNoSync =
    R"({"parallel":{"sharding":"shard_grad_op"},"batch":{"no_sync":true}})";

double largeParameters(SeedFacts &facts)
{
    return facts.figure(kLarge, "parameters.total");
}

/// States of SHARD_GRAD_OP: everything is sharded, and a whole copy of the weights stands beside
/// the shards from the forward pass to the end of the backward.
double gradOpStates(SeedFacts &facts, double gpus)
{
    return (16 / gpus + 4) * largeParameters(facts);
}

double smallActivations(SeedFacts &facts)
{
    return facts.most(kSmall, Category::Activations) + facts.most(kSmall, Category::LossAndLogits);
}

double layers(SeedFacts &facts)
{
    return number(facts.settings(kLarge).architecture.layers);
}

// The batch sizes of the throughput table were measured with an idle second copy of the model.
constexpr std::array kClaims4{
    SeedClaim{"Parameters of GPT-2 large", 774'439'808, Count, fromPlan(kLarge, "parameters.total"),
              "The count of the published model, positions and tied embedding included."},
    SeedClaim{"Weights, gradients and Adam of GPT-2 large", 12, GB,
              fromFormula("16 N", [](SeedFacts &f) { return 16 * largeParameters(f); }),
              "Right, but these are the states alone."},
    SeedClaim{"Weights, in the tables of FSDP", 6, GB,
              fromFormula("4 N", [](SeedFacts &f) { return 4 * largeParameters(f); }),
              "Twice as large as fp32 weights are."},
    SeedClaim{"Gradients, in the tables of FSDP", 6, GB,
              fromFormula("4 N", [](SeedFacts &f) { return 4 * largeParameters(f); }),
              "Likewise; 3 GB elsewhere in the text."},
    SeedClaim{"Adam's states, in the tables of FSDP", 2, GB,
              fromFormula("8 N", [](SeedFacts &f) { return 8 * largeParameters(f); }),
              "Two fp32 moments; exchanged with the weights."},
    SeedClaim{"The parts of full sharding on 2 GPUs, added up", 4, GB,
              fromFormula("3 + 3 + 1 + 1.5, the text's own figures",
                          [](SeedFacts &) { return 3e9 + 3e9 + 1e9 + 1.5e9; }),
              "The sum beside the parts is not theirs."},
    SeedClaim{"The parts of gradient sharding on 2 GPUs, added up", 8, GB,
              fromFormula("6 + 3 + 1 + 1.5, the text's own figures",
                          [](SeedFacts &) { return 6e9 + 3e9 + 1e9 + 1.5e9; }),
              "As above."},
    SeedClaim{"States that full sharding on 2 GPUs saves", 3, Times,
              fromFormula("16 N / (16 N / D)",
                          [](SeedFacts &f) { return number(f.settings(kLarge).data); }),
              "Two GPUs cannot share better than in halves."},
    SeedClaim{"States of gradient sharding on 2 GPUs", 8, GB,
              fromFormula("16 N / 2 + 4 N", [](SeedFacts &f) { return gradOpStates(f, 2); }),
              "FSDP's SHARD_GRAD_OP keeps the shards beside the gathered weights; ZeRO-2 without "
              "them takes 7.74 GB."},
    SeedClaim{"The same on 8 GPUs", 4.5, GB,
              fromFormula("16 N / 8 + 4 N", [](SeedFacts &f) { return gradOpStates(f, 8); }),
              "Near, for the states alone."},
    SeedClaim{"Peak of GPT-2 large on one GPU, batch 8", 12, GB,
              fromPlan(kLarge, "peak.allocated", kBaseline4),
              "Never measured: activations and the loss are left out, and they are most of it."},
    SeedClaim{"Peak by DDP on 2 GPUs", 12, GB, fromPlan(kLarge, "peak.allocated", kDdp),
              "DDP's buckets hold a second copy of the gradients."},
    SeedClaim{"Peak by full sharding on 2 GPUs", 4, GB, fromPlan(kLarge, "peak.allocated"),
              "Sharding 774 M parameters saves little where activations dominate."},
    SeedClaim{"The same under no_sync()", 4, GB, fromPlan(kLarge, "peak.allocated", kNoSync),
              "Whole gradients in place of shards, until the last micro-batch."},
    SeedClaim{"Peak by gradient sharding on 2 GPUs", 8, GB,
              fromPlan(kLarge, "peak.allocated", kGradOp), "As for full sharding."},
    SeedClaim{"The same under no_sync()", 8, GB, fromPlan(kLarge, "peak.allocated", kGradOpNoSync),
              "As for full sharding."},
    SeedClaim{"Peak with five times the batch", 60, GB,
              fromPlan(kLarge, "peak.allocated", kBaselineFiveFold),
              "12 GB were multiplied, but states do not grow with the batch, and activations, "
              "which do, were not in them."},
    SeedClaim{"Gradients that DDP reduces", 475, MB,
              fromFormula("4 N", [](SeedFacts &f) { return 4 * largeParameters(f); }),
              "The figure is that of GPT-2 small."},
    SeedClaim{"All-gathers of full sharding in a step", 73, Count,
              fromFormula("2 L + 1", [](SeedFacts &f) { return 2 * layers(f) + 1; }),
              "Right: each block forward and backward, and the root once."},
    SeedClaim{"All-gathers of gradient sharding in a step", 37, Count,
              fromFormula("L + 1", [](SeedFacts &f) { return layers(f) + 1; }),
              "Right, but what is gathered are parameters, not gradients."},
    SeedClaim{
        "Parameters of GPT-2 small", 474.70, MiB,
        fromFormula("4 N", [](SeedFacts &f) { return 4 * f.figure(kSmall, "parameters.total"); }),
        "Right; MiB, and fp32, not FP16."},
    SeedClaim{"Memory between the steps of GPT-2 small, batch 8", 3076.27, MiB,
              fromPlan(kSmall, "at_rest.allocated"),
              "Called the peak, but read after the step: states, the logits that a variable still "
              "holds, masks and the workspace."},
    SeedClaim{"Peak of GPT-2 small, batch 8", 3076.27, MiB, fromPlan(kSmall, "peak.allocated"),
              "max_memory_allocated() of the same run was 15,619 MiB, as its tables show."},
    SeedClaim{"Reserved memory that is said to be unused", 12'813.73, MiB,
              fromFormula("15,890 MiB reserved - the planner's peak",
                          [](SeedFacts &f) {
                              return 15'890 * unitSize(MiB) - f.figure(kSmall, "peak.allocated");
                          }),
              "It was in use at the peak; the text takes what is left after the step from it."},
    SeedClaim{"Activations of GPT-2 small, batch 8",
              {800, 900},
              MiB,
              fromFormula("most activations + loss and logits", smallActivations),
              "Taken for what the wrong peak left over."},
    SeedClaim{"Peak of GPT-2 small, batch 1", 15'619, MiB,
              fromPlan(kSmall, "peak.allocated", R"({"batch":{"micro_batch":1}})"),
              "The process' maximum of an earlier run with batch 8: it was not reset."},
    SeedClaim{"Peak of GPT-2 small, batch 4", 15'619, MiB,
              fromPlan(kSmall, "peak.allocated", R"({"batch":{"micro_batch":4}})"), "As above."},
    SeedClaim{"Peak of GPT-2 small, batch 8, an idle second model beside it", 16'104, MiB,
              fromPlan(kSmall, "peak.allocated", R"({"overheads":{"resident_bytes":510342144}})"),
              "Right, once the second model is known."},
    SeedClaim{"The same, batch 16", 30'224, MiB,
              fromPlan(kSmall, "peak.allocated",
                       R"({"batch":{"micro_batch":16},"overheads":{"resident_bytes":510342144}})"),
              "Right."},
    SeedClaim{"The same, batch 32", 58'438, MiB,
              fromPlan(kSmall, "peak.allocated",
                       R"({"batch":{"micro_batch":32},"overheads":{"resident_bytes":510342144}})"),
              "Right."},
    SeedClaim{"The same, batch 64, said not to fit into 80 GB", 80, GB,
              fromPlan(kSmall, "peak.allocated",
                       R"({"batch":{"micro_batch":64},"overheads":{"resident_bytes":510342144}})"),
              "It does not."},
};

} // namespace

extern const std::span<const SeedClaim> kSeed004 = kClaims4;

} // namespace vramscope
