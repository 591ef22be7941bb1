// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"

#include <array>

namespace vramscope {

namespace {

constexpr double kM = static_cast<double>(kMiB);
constexpr double kG = static_cast<double>(kGiB);
constexpr std::string_view kOfAllocated = "of allocated";
constexpr std::string_view kOfDenseRate = "of the dense bf16 rate";
constexpr std::string_view kOfRatedBandwidth = "of the rated bandwidth";
constexpr std::string_view kLlmd =
    "Context, NCCL and libraries; llm-d-planner accuracy report, 49 runs on H100";

constexpr std::array kEmpiricals = {
    // Reserved over allocated memory. Freed blocks of another size stay cached; steps of one shape
    // waste least.
    Empirical{"reserved, steady shapes", 1.10, 1.00, 1.20, kOfAllocated,
              "torchtitan H100 benchmarks against the planner's allocated figures, 1.00 to 1.14",
              "torch 2.5 to 2.8, 2024 and 2025"},
    // FSDP1 hands blocks from stream to stream (record_stream), so they come back late and in
    // another order each step; DeepSpeed's stage 3 gathers in the same way. FSDP2 does not.
    Empirical{"reserved, weights gathered with record_stream", 1.18, 1.05, 1.32, kOfAllocated,
              "fsdp_qlora benchmarks against the planner's allocated figures, 1.06 to 1.27; "
              "torchtitan docs, FSDP: 7 % less without it",
              "torch 2.2, 2024"},
    // The frozen base is allocated once and wastes nothing.
    Empirical{"reserved, adapters beside a frozen base", 1.07, 1.00, 1.16, kOfAllocated,
              "tests/measure, ten LoRA runs on an H200: 1.02 to 1.13; fms-acceleration A100 "
              "benchmarks: 1.08 to 1.16",
              "torch 2.2 to 2.11, 2024 to 2026"},
    Empirical{"reserved, serving", 1.01, 1.00, 1.05, kOfAllocated,
              "Weights are allocated once and stay; transformers docs, performance: 1.00 with "
              "BERT-large",
              "2021 to 2024"},
    Empirical{"reserved, one pool", 1.00, 1.00, 1.02, kOfAllocated,
              "Engines that take their memory in large pieces and cut it themselves: vLLM's logs",
              "vLLM 0.6 to 0.19"},
    Empirical{"reserved, as stated", 1.00, 0.98, 1.02, "of what is stated",
              "A factor is stated with two or three digits", "2026"},
    // Small blocks share segments of 2 MiB, those up to 10 MiB segments of 20 MiB.
    Empirical{"allocator segments", 22 * kM, 0, 44 * kM, "bytes",
              "The last segment of each kind and stream is full or not; "
              "c10/cuda/CUDACachingAllocator",
              "torch 2.5"},
    // The longest batch of a data set, the version of a loss: settings that decide some percent of
    // training memory but are in no document. Omitted ones mostly add memory.
    Empirical{"what a training plan leaves unsaid", 1.00, 0.92, 1.15, kOfAllocated,
              "59 public measurements whose settings are partly stated, against these formulas: "
              "half lay within 5 %, four in five from 10 % below to 20 % above, the slack included",
              "2026"},
    Empirical{"formulas without a measurement", 1.00, 0.95, 1.05, "of the part",
              "Rows of public measurements that hold several such parts", "2026"},
    Empirical{"CUDA context", 426 * kM, 287e6, 600e6, "bytes",
              "CUDA context with lazy loading, 0.3 to 0.6 GB: 287 MB seen with torch 1.13, 426 MiB "
              "with 2.10",
              "CUDA 11.7 to 13.0"},
    Empirical{"CUDA context on Hopper", 790e6, 552e6, 810e6, "bytes",
              "an H200 before its first kernel, 552 MB, and after training steps, which load "
              "kernels, 786 to 806 MB in 147 runs; tests/measure",
              "CUDA 13.0, driver 580, torch 2.11"},
    Empirical{"NCCL communicator of two GPUs", 544 * kM, 272 * kM, 816 * kM, "bytes",
              "NVIDIA/nccl#964: 544 MiB after an all-reduce of two A100s over NVLink; channels and "
              "links change it",
              "NCCL 2.14 to 2.18, 2023"},
    // Above, what #864 saw on top of a context (1.6 GB); below, eight H100s in #1685 (1.06 GB with
    // the context); two of eight H200s in SGLang, 1.8 to 2.0 GB with the context.
    Empirical{
        "NCCL communicator of more GPUs", 688 * kM, 344 * kM, 1100 * kM, "bytes",
        "NVIDIA/nccl#964: 688 MiB after an all-reduce of three or four A100s over NVLink, and "
        "no more with more of them; channels and links change it",
        "NCCL 2.14 to 2.26, 2023 to 2025"},
    // Two channels instead of 16 to 32, their buffers in the host's memory (NVIDIA/nccl#986: memory
    // is linear in the channels; vllm-project/vllm#9920: two channels over PCIe).
    Empirical{"NCCL communicator of GPUs over PCIe", 128 * kM, 48 * kM, 205 * kM, "bytes",
              "vLLM's logs: two communicators and the context of one of eight RTX 3090 take 0.63 "
              "GiB (context 0.42); all outside PyTorch of one of 16 RTX 3090 is 0.20 GiB "
              "(vllm-project/vllm#14447)",
              "vLLM 0.8 to 0.28, 2025 and 2026"},
    // 32 channels a pair of GPUs, each with buffers of 10 and 2 MiB.
    Empirical{
        "NCCL peer of an all-to-all", 447 * kM, 96 * kM, 500 * kM, "bytes",
        "NVIDIA/nccl#1685: the first all-to-all of eight H100s took 3.28 GB more, a seventh a "
        "peer; fewer channels take less",
        "NCCL 2.25, 2025"},
    Empirical{"vLLM outside PyTorch, one GPU", 0.25 * kG, 0.24 * kG, 0.46 * kG, "bytes", kLlmd,
              "vLLM 0.19"},
    Empirical{"vLLM outside PyTorch, pipeline stages", 0.07 * kG, 0.05 * kG, 0.10 * kG, "bytes",
              kLlmd, "vLLM 0.19"},
    Empirical{"vLLM outside PyTorch, two tensor ranks", 2.07 * kG, 1.9 * kG, 2.3 * kG, "bytes",
              kLlmd, "vLLM 0.19"},
    Empirical{"vLLM outside PyTorch, more tensor ranks", 2.13 * kG, 1.9 * kG, 2.5 * kG, "bytes",
              kLlmd, "vLLM 0.19"},
    Empirical{"vLLM outside PyTorch, tensor ranks over PCIe", 0.25 * kG, 0.07 * kG, 0.46 * kG,
              "bytes",
              "As of one GPU: 0.20 GiB with the communicators on 16 RTX 3090 "
              "(vllm-project/vllm#14447), which have no buffers of NVLink",
              "vLLM 0.8 to 0.19"},
    Empirical{"vLLM's CUDA graphs", 1.04 * kG, 0.51 * kG, 1.85 * kG, "bytes",
              "Taken after the cache is sized: 0.51 to 1.85 GiB, 1.04 on average, for 51 sizes of "
              "batches; llm-d-planner accuracy report",
              "vLLM 0.19"},
    Empirical{"vLLM's profile run", 1.00, 0.94, 1.06, "of the part",
              "llm-d-planner accuracy report; logs of vLLM", "vLLM 0.6 to 0.19"},
    Empirical{"Transformer Engine workspaces", 62 * kM, 54 * kM, 71 * kM, "bytes",
              "Read off three A100 runs of Megatron at rest, 57 to 74 MB", "2024"},
    // One workspace of cuBLAS and one of cuBLASLt, 32 MiB each from Hopper on.
    Empirical{"workspaces while serving, from Hopper on", 64 * kM, 32 * kM, 69 * kM, "bytes",
              "What profile runs hold beside their tensors; llm-d-planner accuracy report",
              "vLLM 0.19"},
    // The total less MemAvailable, before a program runs.
    Empirical{"system on unified memory", 5.84 * kG, 5.6 * kG, 11.4 * kG, "bytes",
              "GB10: 115.85 of 121.69 GiB available (unslothai/unsloth#10705), 110.34 with a "
              "desktop when vLLM starts (MiaAI-Lab/GLM-5.3-Flash-EXL3-2x-DGX-Sparks#47)",
              "DGX OS 7, 2026"},
    // The matrix in 16 bit, a contiguous copy of it, and the packed one before it replaces them.
    Empirical{"a matrix while it is quantised", 4.5, 4.2, 6.4, "bytes an element",
              "What twelve rows of litgpt's tables hold beside the weights: 4.2 to 4.7 bytes an "
              "element of the largest matrix on one GPU, up to 6.4 on several",
              "litgpt 0.5, 2024"},
    // Rates, for projections of time. The arithmetic of a training step, recomputation included,
    // over the dense rate of bf16, without the waits for other GPUs that are terms of their own.
    Empirical{"arithmetic of Ampere", 0.72, 0.62, 0.76, kOfDenseRate,
              "llm-foundry's benchmarks: MPT 7B and 13B under FSDP on 8 to 128 A100, bf16",
              "torch 2.0, 2023"},
    Empirical{"arithmetic of Hopper", 0.46, 0.36, 0.64, kOfDenseRate,
              "llm-foundry's benchmarks: MPT 1B to 70B on 8 to 512 H100; torchtitan's: Llama 3.1 "
              "8B on 8 and 128 H100; bf16 under FSDP",
              "torch 2.1 to 2.6, 2023 to 2024"},
    Empirical{"arithmetic of Hopper in fp8", 0.75, 0.5, 1.15, kOfDenseRate,
              "torchtitan's benchmarks: Llama 3.1 8B and 70B in float8 on H100 and H200; NeMo "
              "24.12: Llama 2 and 3 on H100",
              "torch 2.6, 2024 and 2025"},
    Empirical{"arithmetic of other devices", 0.48, 0.27, 0.7, kOfDenseRate,
              "Assumed: nothing is measured of this generation", "2026"},
    Empirical{
        "arithmetic of models narrower than 2,048", 0.2, 0.08, 0.45, kOfDenseRate,
        "GPT-2 large (1,280 wide) on one H100 at 1 to 32 sequences a micro-batch: 8.7 to 18 %; "
        "MPT 1B (2,048 wide) on 128 H100: 43 %",
        "torch 2.1 to 2.5, 2023 to 2025"},
    Empirical{"link between GPUs of a node", 0.64, 0.55, 0.85, kOfRatedBandwidth,
              "248 to 320 GB/s of 448 in collectives inside steps of Llama 70B on 8 MI300X; "
              "AMD-AGI/TraceLens, tests/traces",
              "ROCm 6, 2024"},
    Empirical{"link of a GPU to other nodes", 0.9, 0.5, 1, kOfRatedBandwidth,
              "Assumed: rings over several nodes reach nine tenths of what the adapters are rated "
              "for",
              "2026"},
    Empirical{"link to the host", 0.78, 0.6, 0.85, kOfRatedBandwidth,
              "Large copies of pinned memory reach about four fifths of the raw rate of PCIe",
              "2026"},
    Empirical{"host memory for each GPU", 25e9, 10e9, 50e9, "bytes a second",
              "Assumed: two sockets of 200 GB/s, half of it reached, shared by eight GPUs", "2026"},
    Empirical{"memory bandwidth", 0.7, 0.5, 0.9, kOfRatedBandwidth,
              "Assumed: kernels that only read and write reach most of the rated bandwidth",
              "2026"},
    Empirical{
        "start of a collective", 1.3e-6, 0.7e-6, 2e-6, "seconds a hop of its ring",
        "An all-reduce of four bytes over 8 MI300X inside steps takes 18.6 µs, fourteen hops; "
        "AMD-AGI/TraceLens, tests/traces",
        "ROCm 6, 2024"},
    Empirical{
        "spread of a step over the GPUs", 0.04, 0, 0.1, "of its computing",
        "What steps of MPT 1B to 70B and Llama 3.1 8B under FSDP gain on 8 to 512 H100 and H200 "
        "beside the start of their collectives; llm-foundry, torchtitan",
        "torch 2.1 to 2.6, 2023 to 2025"},
    // A pass widens every matrix once, whatever its tokens: the fewer they are, the larger the
    // share.
    Empirical{"widening a 4-bit base", 0.39, 0.08, 1.05, "of the arithmetic",
              "litgpt's fine-tuning table (config_hub), LoRA against QLoRA at the same micro-batch "
              "on an A10G: Llama 2 7B takes 39 % longer, Mistral 7B 44 %, Gemma 2B 37 %; TinyLlama "
              "in micro-batches of eight 8 %, Falcon 7B of one 105 %",
              "litgpt 0.5, bitsandbytes, 2024"},
};

static_assert(kEmpiricals.size() == static_cast<std::size_t>(Measured::WideningFourBits) + 1);

} // namespace

std::span<const Empirical> empiricals()
{
    return kEmpiricals;
}

const Empirical &empirical(Measured name)
{
    return kEmpiricals[static_cast<std::size_t>(name)];
}

} // namespace vramscope
