// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seed_claims.h"

#include <array>

namespace vramscope {

namespace {

using enum SeedUnit;

constexpr std::string_view kTraining = "llama-70b-8xh200";
constexpr std::string_view kServing = "llama-70b-serving-2xh200";
constexpr std::string_view kOneGpu = R"({"parallel":{"tensor":1},"hardware":{"gpus":1}})";
constexpr std::string_view kOneGpuFp8 =
    R"({"parallel":{"tensor":1},"hardware":{"gpus":1},"inference":{"kv_bytes_per_element":1}})";

constexpr std::string_view kOffload = R"({"optimizer":{"offload":true}})";
constexpr std::string_view kEveryEighth =
    R"({"activations":{"checkpointing":"every-k","every":8}})";

double parameters2(SeedFacts &facts)
{
    return facts.figure(kTraining, "parameters.total");
}

double blocksOf(SeedFacts &facts, std::int64_t tokens)
{
    const std::int64_t size = facts.settings(kServing).blockSize;
    return size > 0 ? number((tokens + size - 1) / size) : 0;
}

constexpr std::array kClaims2{
    SeedClaim{"Cache of 32 sequences of 8,192 tokens of Llama 3 70B", 42e9, Byte,
              fromPlan(kServing, "inference.kv_cache", kOneGpu),
              "The formula of the text gives this: 2 · 80 · 8 · 128 · 8,192 · 32 · 2 bytes, 85.9 "
              "GB."},
    SeedClaim{"The same in fp8", 42, GB, fromPlan(kServing, "inference.kv_cache", kOneGpuFp8),
              "What the text states is this one's, or that of 16 sequences."},
    SeedClaim{"Cache of grouped queries against full attention", 12.5, Percent,
              fromFormula("g / a",
                          [](SeedFacts &f) {
                              const Architecture &a = f.settings(kServing).architecture;
                              return number(a.kvHeads) / number(a.heads);
                          }),
              "Right."},
    SeedClaim{"Blocks of 16 tokens for 200 tokens", 13, Count,
              fromFormula("⌈200 / block⌉", [](SeedFacts &f) { return blocksOf(f, 200); }),
              "Right."},
    SeedClaim{"Blocks of 16 tokens for 3,800 tokens", 238, Count,
              fromFormula("⌈3,800 / block⌉", [](SeedFacts &f) { return blocksOf(f, 3800); }),
              "Right."},
    SeedClaim{"Adam with fp32 weights, in multiples of the bf16 weights", 4, Times,
              fromFormula(
                  "12 N / 2 N",
                  [](SeedFacts &f) { return f.sharded(kTraining, 12) / f.sharded(kTraining, 2); }),
              "P is 2 bytes a parameter, so 12 bytes are 6 P: the whole is 8 P + A, not 6 P + A."},
    SeedClaim{"Weights, gradients and Adam of 70 B without ZeRO", 980, GB,
              fromFormula("16 N", [](SeedFacts &f) { return 16 * parameters2(f); }),
              "The sum leaves out the gradients; for 70 B sharp it is 1,120 GB."},
    SeedClaim{"The same by ZeRO-3 on one of 8 GPUs", 123, GB,
              fromFormula("16 N / D", [](SeedFacts &f) { return f.sharded(kTraining, 16); }),
              "980 / 8 lacks the gradients; and activations are not divided by 8."},
    SeedClaim{"The same in the optimizer's step", 123, GB, fromPlan(kTraining, "peak.allocated"),
              "DeepSpeed holds the gradients in fp32 while it steps: 18 bytes a parameter."},
    SeedClaim{"Peak on the device", 123, GB, fromPlan(kTraining, "peak.device"),
              "It is said to fit; with the allocator's slack, context and NCCL it does not."},
    SeedClaim{
        "Peak on each of 16 GPUs", 123, GB,
        fromPlan(kTraining, "peak.device", R"({"hardware":{"gpus":16},"parallel":{"data":16}})"),
        "Fits an H200."},
    SeedClaim{"Peak on each of 8 GPUs with 8-bit Adam", 123, GB,
              fromPlan(kTraining, "peak.device", R"({"optimizer":{"name":"adamw-8bit"}})"),
              "Fits an H200."},
    SeedClaim{"Peak on each of 8 GPUs with Adam's states on the host", 123, GB,
              fromPlan(kTraining, "peak.device", kOffload), "Fits an H200."},
    SeedClaim{"Memory of an H200", 141, GB,
              fromFormula("catalogue", [](SeedFacts &f) { return f.capacity("h200-sxm-141gb"); }),
              "The vendor's figure is close to GiB."},
    SeedClaim{"A step's traffic with offloaded states, over PCIe 5", 13, Seconds,
              fromPlan(kTraining, "host.seconds_per_step.pcie-5", kOffload),
              "The states stay on the host: gradients go down and weights come up, and each GPU "
              "has a link of its own. 13 s are one way of all states over one link."},
    SeedClaim{"NCCL on one GPU", 300, MB,
              fromFormula("catalogue, the communicator of one process group",
                          [](SeedFacts &f) { return number(f.settings(kTraining).ncclBytes); }),
              "It grows with the group and the GPU's links, and each process group has its own."},
    SeedClaim{"Activations with a checkpoint every 8 of 80 blocks, 10 · 2 h T", 0.67, GB,
              fromFormula("most activations at any moment, every-k with 8",
                          [](SeedFacts &f) {
                              return f.most(kTraining, Category::Activations, kEveryEighth);
                          }),
              "The 8 blocks that are recomputed at once are left out; they are far more."},
};

} // namespace

extern const std::span<const SeedClaim> kSeed002 = kClaims2;

} // namespace vramscope
