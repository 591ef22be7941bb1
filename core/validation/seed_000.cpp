// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"
#include "core/validation/seed_claims.h"

#include <array>

namespace vramscope {

namespace {

using enum SeedUnit;

constexpr std::string_view kPlan0 = "gpt-oss-8-experts-8xh100";

double parameters0(SeedFacts &facts)
{
    return facts.figure(kPlan0, "parameters.total");
}

double blockParameters0(SeedFacts &facts)
{
    return number(facts.counts(kPlan0).moeBlock.total());
}

double embeddingAndHead(SeedFacts &facts)
{
    const ParameterCounts counts = facts.counts(kPlan0);
    return number(counts.embedding) + number(counts.head);
}

/// Elements of every layer's attention matrix for one micro-batch: L a s² b.
double attentionElements(SeedFacts &facts)
{
    const Settings &s = facts.settings(kPlan0);
    return number(s.architecture.layers * s.architecture.heads) * number(s.sequenceLength) *
           number(s.sequenceLength) * number(s.microBatch);
}

double expertActivations(SeedFacts &facts)
{
    const Settings &s = facts.settings(kPlan0);
    const Architecture &a = s.architecture;
    return number(a.layers * (4 * a.hidden + 8 * a.expertFfn)) * number(a.expertsPerToken) *
           number(s.sequenceLength * s.microBatch);
}

double accumulation(SeedFacts &facts, std::string_view change)
{
    return facts.figure(kPlan0, "peak.allocated", change) -
           facts.figure(kPlan0, "peak.allocated",
                        R"({"batch":{"accumulation_steps":1,"no_sync":false}})");
}

constexpr std::string_view kSynced = R"({"batch":{"no_sync":false}})";
constexpr std::string_view kDropout = R"({"activations":{"attention_dropout":0.1}})";
constexpr std::string_view kFp32Softmax = R"({"activations":{"attention":"eager-fp32-softmax"}})";
constexpr std::string_view kBoth =
    R"({"activations":{"attention":"eager-fp32-softmax","attention_dropout":0.1}})";

constexpr std::array kClaims0{
    SeedClaim{"Parameters of the model", 6.57, Billions, fromPlan(kPlan0, "parameters.total"),
              "Right: it is gpt-oss-20b with 8 experts in place of 32."},
    SeedClaim{"Parameters of one block", 274, Millions,
              fromFormula("one block by the catalogue's counts", blockParameters0),
              "All parameters are divided by the layers, but embedding and head are in no block."},
    SeedClaim{"A gathered block in bf16", 0.55, GB,
              fromFormula("2 N_block", [](SeedFacts &f) { return 2 * blockParameters0(f); }),
              "Follows from the block that is too large."},
    SeedClaim{"Embedding and head in bf16", 50, MB,
              fromFormula("2 (V h + h V)", [](SeedFacts &f) { return 2 * embeddingAndHead(f); }),
              "201,088 words of 2,880 numbers, twice: a sixth of the model."},
    SeedClaim{
        "The same, replicated as the text says, with gradients and Adam", 50, MB,
        fromFormula("16 (V h + h V)", [](SeedFacts &f) { return 16 * embeddingAndHead(f); }),
        "FSDP's root unit shards them; kept whole, they would take more than all the shards."},
    SeedClaim{"Weights of one GPU", 1.64, GB,
              fromFormula("4 N / D", [](SeedFacts &f) { return f.sharded(kPlan0, 4); }),
              "MixedPrecision keeps the shards in fp32; only the gathered copy is bf16."},
    SeedClaim{"Weights, gradients and Adam of one GPU", 9.86, GB,
              fromFormula("16 N / D", [](SeedFacts &f) { return f.sharded(kPlan0, 16); }),
              "bf16 weights and gradients are added to fp32 moments: 12 bytes in place of 16."},
    SeedClaim{"The same without FSDP", 78.84, GB,
              fromFormula("16 N", [](SeedFacts &f) { return 16 * parameters0(f); }),
              "The same mix of formats, not sharded."},
    SeedClaim{"Attention matrices, one bf16 tensor in each of 24 layers", 6.44, GB,
              fromFormula("2 L a s² b", [](SeedFacts &f) { return 2 * attentionElements(f); }),
              "Right for 24 layers, though 12 are named; layers with a window build the whole "
              "matrix as well when attention is written by hand."},
    SeedClaim{"The same with dropout on the softmax", 6.44, GB,
              fromFormula("5 L a s² b", [](SeedFacts &f) { return 5 * attentionElements(f); }),
              "Softmax, its dropped copy and the mask are kept: 2 + 2 + 1 bytes."},
    SeedClaim{"The same with softmax in fp32", 6.44, GB,
              fromFormula("6 L a s² b", [](SeedFacts &f) { return 6 * attentionElements(f); }),
              "The fp32 softmax and its bf16 copy are kept: 4 + 2 bytes."},
    SeedClaim{"Activations of the experts", 0.57, GB,
              fromFormula("L (4 h + 8 f) k T", expertActivations),
              "Every token visits 4 experts, and each keeps input, gate, up, product and output."},
    SeedClaim{"Logits and loss", 0, GB,
              fromFormula("(14 V + 6 h) T, the planner's loss and logits",
                          [](SeedFacts &f) { return f.most(kPlan0, Category::LossAndLogits); }),
              "Left out of the text: 14 bytes for each of 201,088 words and each token."},
    SeedClaim{"More memory by gradient accumulation",
              {5, 10},
              GB,
              fromFormula("peak with 32 micro-batches - peak with one",
                          [](SeedFacts &f) { return accumulation(f, kSynced); }),
              "Activations do not pile up: each micro-batch frees its own. The gradient shards of "
              "the last one are there."},
    SeedClaim{"The same under no_sync()",
              {5, 10},
              GB,
              fromFormula("peak with 32 micro-batches and no_sync - peak with one",
                          [](SeedFacts &f) { return accumulation(f, {}); }),
              "Gradients stay whole on each GPU, in bf16, until the last micro-batch."},
    SeedClaim{"Overhead of CUDA",
              {50, 60},
              GB,
              fromFormula("peak on the device - peak allocated",
                          [](SeedFacts &f) {
                              return f.figure(kPlan0, "peak.device") -
                                     f.figure(kPlan0, "peak.allocated");
                          }),
              "Context, NCCL and the allocator's slack; the rest of the gap is what was left out "
              "above."},
    SeedClaim{"Memory in use, as nvidia-smi shows it", 74.7, GiB, fromPlan(kPlan0, "peak.device"),
              "GiB, not GB. Computed with bf16 softmax and no dropout; the next rows switch one "
              "setting each that the text does not state."},
    SeedClaim{"The same, gradients reduced in every micro-batch", 74.7, GiB,
              fromPlan(kPlan0, "peak.device", kSynced), "Without no_sync()."},
    SeedClaim{"The same with dropout on the softmax", 74.7, GiB,
              fromPlan(kPlan0, "peak.device", kDropout), "5 in place of 2 bytes a matrix element."},
    SeedClaim{"The same with softmax in fp32", 74.7, GiB,
              fromPlan(kPlan0, "peak.device", kFp32Softmax),
              "6 in place of 2 bytes a matrix element."},
    SeedClaim{"The same with both", 74.7, GiB, fromPlan(kPlan0, "peak.device", kBoth),
              "9 bytes a matrix element: the nearest to what was read."},
    SeedClaim{"Memory of an H100 NVL", 93.6, GB,
              fromFormula("catalogue", [](SeedFacts &f) { return f.capacity("h100-nvl-94gb"); }),
              "nvidia-smi counts in GiB; so 86.4 GB would not exceed one GPU."},
};

} // namespace

extern const std::span<const SeedClaim> kSeed000 = kClaims0;

} // namespace vramscope
