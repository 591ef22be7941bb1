// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/tools.h"
#include "core/settings/field_rows.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr std::array<std::string_view, 2> kNorms = {"rmsnorm", "layernorm"};
constexpr std::array<std::string_view, 2> kNormTitles = {"RMSNorm", "LayerNorm"};
constexpr std::array<std::string_view, 6> kBiases = {"qkv", "o", "mlp", "head", "expert", "router"};

FieldValue normOfModel(const Settings &settings)
{
    if (settings.architecture.layers == 0)
        return {};
    const bool layerNorm = settings.architecture.norm == NormKind::LayerNorm;
    return std::string(kNorms[layerNorm ? 1 : 0]);
}

FieldValue biasesOfModel(const Settings &settings)
{
    if (settings.architecture.layers == 0)
        return {};
    const Biases &bias = settings.architecture.bias;
    const std::array<bool, kBiases.size()> set = {bias.qkv,  bias.o,      bias.mlp,
                                                  bias.head, bias.expert, bias.router};
    TextList names;
    for (std::size_t i = 0; i < kBiases.size(); ++i) {
        if (set[i])
            names.emplace_back(kBiases[i]);
    }
    return names;
}

/// The formulas of a trainer are the same whether or not an engine stands beside it.
void takeWorkload(Settings &s, const Plan &plan, const Settings &)
{
    s.learns = plan.workload == Workload::Rl;
    if (plan.workload)
        s.workload = s.learns ? Workload::Training : *plan.workload;
}

FieldValue workloadInForce(const Settings &s)
{
    return toValue(s.rollout ? Workload::Rl : s.workload);
}

void takeBehaviour(Settings &s, const Plan &plan, const Settings &)
{
    const Tool *tool = plan.trainer ? toolNamed(*plan.trainer) : nullptr;
    const auto &behaviours = choiceTexts<Trainer>;
    const auto found = std::ranges::find(behaviours, tool ? tool->behavesAs : std::string());
    s.trainer =
        found == behaviours.end() ? Trainer::Own : static_cast<Trainer>(found - behaviours.begin());
}

FieldValue behaviourInForce(const Settings &s)
{
    return toValue(s.trainer);
}

constexpr Range kSide = {16, 16384};

constexpr Rows<JobFields> kJob;
constexpr Rows<ModelFields, &Plan::model, &Settings::model> kModel;
constexpr Rows<HardwareFields, &Plan::hardware> kHardware;
constexpr Rows<DiffusionFields, &Plan::diffusion, &Settings::picture> kDiffusion;

/// The choices of "trainer" are data, which planFields() puts in.
constexpr std::array kModelRows = {
    kJob.text([](auto &f) { return &f.name; }, "Name", "What you call this plan.", folded),
    kJob.choice([](auto &f) { return &f.workload; }, "Workload",
                "Whether the GPUs train the model, serve it, or take turns at both: reinforcement "
                "learning, with an engine that generates for the trainer.",
                usually<usual::workload>, HeldAs{&workloadInForce, &takeWorkload}),
    kJob.choice(
        [](auto &f) { return &f.objective; }, "Objective",
        "What the training is for, which headlines name: the next token, preferences (DPO, ORPO), "
        "a reward model, embeddings, a teacher's answers. It sets nothing: the sequences of a pair "
        "are those of the micro-batch, and a frozen copy is resident memory.",
        applies::training, folded),
    kJob.oneOf([](auto &f) { return &f.trainer; }, "Trainer",
               "The tool whose training loop runs. It decides which settings hold where the plan "
               "states none: precision, no_sync, the optimizer's implementation. All tools that "
               "are built on transformers' Trainer behave like it.",
               {}, HeldAs{&behaviourInForce, &takeBehaviour}, applies::training),
    kJob.text(
        [](auto &f) { return &f.trainerVersion; }, "Accelerate version",
        "Release of accelerate under the Trainer, such as 1.10: up to 1.10, FSDP2 reduces the "
        "gradients of every micro-batch, up to 1.13 it wraps the blocks alone. Unset: the newest.",
        applies::acceleratesFsdp2, folded),

    kModel.text([](auto &f) { return &f.preset; }, "Model",
                "A built-in architecture; its shape is known exactly."),
    kModel.text([](auto &f) { return &f.knownAs; }, "Known as",
                "The model that is meant, where its shape is that of another: a fine-tune, or the "
                "quantised files that somebody published. Headlines show it.",
                folded),
    kModel.text([](auto &f) { return &f.pipeline; }, "Pipeline",
                "A pipeline of diffusers that makes images or videos: text encoders, transformer "
                "and autoencoder.",
                folded),
    kModel.object([](auto &f) { return &f.components; }, "Components",
                  "The configs of a pipeline's components, each under its name, beside the "
                  "pipeline's own _class_name.",
                  folded),
    kModel.object(
        [](auto &f) { return &f.config; }, "config.json",
        "The model's own config.json from Hugging Face, in place of a built-in architecture.",
        folded),
    kModel.count([](auto &f) { return &f.vocabSizePadded; }, "Padded vocabulary",
                 "The vocabulary as the framework pads it; Megatron pads to a multiple of 128 "
                 "times the tensor-parallel degree.",
                 {1, 1e8}, ofModel<&Architecture::vocab>, applies::language, folded),
    kModel.oneOf([](auto &f) { return &f.norm; }, "Norm",
                 "RMSNorm has one weight a channel, LayerNorm a weight and a bias.", kNorms,
                 Titles{kNormTitles}, HeldAs{&normOfModel}, applies::language, folded),
    kModel.toggle([](auto &f) { return &f.gatedMlp; }, "Gated feed-forward",
                  "Three matrices a feed-forward block (gate, up, down) instead of two.",
                  ofModel<&Architecture::gatedMlp>, applies::language, folded),
    kModel.choice([](auto &f) { return &f.activation; }, "Activation function",
                  "One kernel (SiLU, GELU), or written out operator by operator, as Hugging Face's "
                  "GPT-2 does, which keeps every tensor between.",
                  ofModel<&Architecture::activation>, applies::language, folded),
    kModel.oneOf([](auto &f) { return &f.bias; }, "Biases", "The linear layers that add a bias.",
                 kBiases, HeldAs{&biasesOfModel}, applies::language, folded),
    kModel.toggle([](auto &f) { return &f.qkNorm; }, "Query and key norm",
                  "Each head normalises its queries and keys, as in Qwen3 and Gemma 3.",
                  ofModel<&Architecture::qkNorm>, applies::language, folded),
    kModel.count(
        [](auto &f) { return &f.normsPerLayer; }, "Norms a layer",
        "2 in most models, 4 where both blocks are normed before and after, 1 in parallel blocks.",
        {0, 8}, ofModel<&Architecture::normsPerLayer>, applies::language, folded, linear(1, 4)),
    kModel.toggle([](auto &f) { return &f.attentionSinks; }, "Attention sinks",
                  "One learned logit a head that absorbs attention, as in gpt-oss.",
                  ofModel<&Architecture::attentionSinks>, applies::language, folded),
    kModel.count([](auto &f) { return &f.learnedPositions; }, "Learned positions",
                 "Rows of a learned position table; 0 where positions are rotary or computed.",
                 {0, 1e9}, ofModel<&Architecture::learnedPositions>, applies::language, folded),
    kModel.count([](auto &f) { return &f.parametersOverride; }, "Parameters, as stated",
                 "The whole model's parameters, where the architecture gives them only nearly.",
                 {1, 1e15}, unless<0>, applies::language, folded),
    kModel.count([](auto &f) { return &f.parametersPerRankOverride; },
                 "Parameters a GPU, as stated",
                 "The parameters that one GPU holds before sharding, where they are known.",
                 {1, 1e15}, unless<0>, applies::language, folded),
    kModel.size([](auto &f) { return &f.bufferBytes; }, "Buffers",
                "Registered buffers that are no parameters, such as causal masks or rotary tables.",
                applies::language, folded, linear(0, kGiBs, 16 * kMiBs)),
    kModel.toggle([](auto &f) { return &f.textOnly; }, "Text only",
                  "The language model is loaded without its vision and audio towers, as vLLM's "
                  "--language-model-only does.",
                  applies::language, folded),
    kModel.object([](auto &f) { return &f.checkpoint; }, "Checkpoint",
                  "The tensors of the model's own files, as an import of their folder lists them: "
                  "served weights are then theirs, tensor by tensor.",
                  applies::language, folded),
};
static_assert(areRowsOf<JobFields, ModelFields>(kModelRows));

constexpr std::array kHardwareRows = {
    kHardware.text([](auto &f) { return &f.gpu; }, "GPU",
                   "The GPU model, with the capacity that its driver reports."),
    kHardware.text(
        [](auto &f) { return &f.gpuList; }, "GPUs of several kinds",
        "Each GPU of a machine that has several kinds, in the order in which they are numbered: "
        "names of the catalogue, or sizes in GB, such as 24. llama.cpp divides the layers by what "
        "is free on each; pipeline stages fill them in this order; all else takes the smallest.",
        applies::language, folded),
    kHardware.count([](auto &f) { return &f.gpus; }, "GPUs",
                    "All GPUs of the job; the parallel degrees multiply to it.", {1, 1e6},
                    usually<usual::gpus>, applies::language, powersOfTwo(1, 4096)),
    kHardware.count(
        [](auto &f) { return &f.gpusPerNode; }, "GPUs per node",
        "GPUs that share a host and its fast links; hybrid sharding shards inside a node.",
        {1, 1e4}, usually<usual::gpusPerNode>, applies::language, folded, powersOfTwo(1, 128)),
    kHardware.count(
        [](auto &f) { return &f.networkGigabits; }, "Network of a GPU, Gb/s",
        "What the adapters of one GPU are rated for, one way, in gigabits a second: between nodes.",
        {1, 1e5}, usually<usual::networkGigabits>, applies::language, folded,
        powersOfTwo(10, 3200)),
    kHardware.size([](auto &f) { return &f.capacity; }, "Capacity",
                   "Memory of one GPU as torch reports it, where it differs from the chosen GPU's.",
                   unless<0>, usually<usual::capacity>, Range{1, kMaxBytes}, folded,
                   linear(4 * kGiBs, 288 * kGiBs, kGiBs)),
    kHardware.size([](auto &f) { return &f.hostMemory; }, "Host memory",
                   "Memory of one node's host, for what is offloaded to it.", unless<0>,
                   applies::memoryOfItsOwn, Range{1, kMaxBytes}, folded,
                   powersOfTwo(16 * kGiBs, 8192 * kGiBs)),
    kHardware.size(
        [](auto &f) { return &f.systemBytes; }, "Other programs",
        "What the desktop, other processes and, where host and device share one memory, the "
        "operating system use of the GPU's memory.",
        usually<usual::systemBytes>, folded, linear(0, 32 * kGiBs, 512 * kMiBs)),
    kHardware.size([](auto &f) { return &f.pageCacheBytes; }, "Page cache while loading",
                   "Pages of the weights' files that stand beside the weights while they load, in "
                   "a memory that host and device share; the kernel gives them back when it can.",
                   applies::unified, folded, linear(0, 128 * kGiBs, kGiBs)),
};
static_assert(areRowsOf<HardwareFields>(kHardwareRows));

constexpr std::array kPictureRows = {
    kDiffusion.count([](auto &f) { return &f.width; }, "Width",
                     "Pixels of an image; the pipeline takes multiples of 16, of 8 with a U-Net, "
                     "or of 32 where a token has 32 pixels.",
                     kSide, unless<0>, usually<usual::diffusionWidth>, applies::diffusion,
                     linear(256, 2048, 64), Unit{"px"}),
    kDiffusion.count([](auto &f) { return &f.height; }, "Height",
                     "Pixels of an image; the pipeline takes multiples of 16, of 8 with a U-Net, "
                     "or of 32 where a token has 32 pixels.",
                     kSide, unless<0>, usually<usual::diffusionHeight>, applies::diffusion,
                     linear(256, 2048, 64), Unit{"px"}),
    kDiffusion.count([](auto &f) { return &f.frames; }, "Frames",
                     "Pictures of a video; the autoencoder makes four at a time, and one first.",
                     {1, 10'000}, unless<0>, usually<usual::diffusionFrames>, applies::videos,
                     linear(1, 161, 4)),
    kDiffusion.count([](auto &f) { return &f.images; }, "At once",
                     "Images or videos that a call makes at once. In training the batch is this "
                     "number times the micro-batch.",
                     {1, 4096}, applies::diffusion, powersOfTwo(1, 64)),
    kDiffusion.toggle([](auto &f) { return &f.guidance; }, "Guidance",
                      "A second pass with an empty prompt; Stable Diffusion runs both as one "
                      "batch, Qwen-Image and Wan one after the other.",
                      applies::guided),
    kDiffusion.count([](auto &f) { return &f.promptTokens; }, "Prompt tokens",
                     "Tokens of a prompt as the largest text encoder takes them; "
                     "max_sequence_length, to which most pipelines pad.",
                     {1, 10'000}, unless<0>, usually<usual::promptTokens>, applies::diffusion,
                     folded, powersOfTwo(64, 2048), Unit{"tok"}),
    kDiffusion.choice([](auto &f) { return &f.transformerFormat; }, "Denoiser weights",
                      "In 16 bit; cast to fp8 layer by layer, but norms and what is named like "
                      "them; quantised to nf4 by bitsandbytes; or from a GGUF file.",
                      applies::diffusion),
    kDiffusion.choice(
        [](auto &f) { return &f.textEncoderFormat; }, "Text encoder weights",
        "Format of the largest text encoder, such as T5; smaller ones stay in 16 bit.",
        applies::diffusion, folded),
    kDiffusion.choice(
        [](auto &f) { return &f.vaeFormat; }, "VAE weights",
        "Type in which the autoencoder runs; Wan's is often loaded in fp32. SDXL's is cast to fp32 "
        "to decode; choose bf16 for the one that was fixed for fp16 (sdxl-vae-fp16-fix).",
        usually<usual::vaeFormat>, applies::callsPipeline, folded),
    kDiffusion.choice(
        [](auto &f) { return &f.offload; }, "Offload",
        "model: each component is on the GPU only while it runs (enable_model_cpu_offload); "
        "group: its transformer block by block (enable_group_offload without a stream); "
        "sequential: "
        "each layer (enable_sequential_cpu_offload), which is slow.",
        applies::callsPipeline),
    kDiffusion.toggle(
        [](auto &f) { return &f.vaeTiling; }, "VAE tiling",
        "Images larger than the autoencoder's own size are decoded in tiles that overlap.",
        applies::imageDecoder),
    kDiffusion.toggle([](auto &f) { return &f.vaeSlicing; }, "VAE slicing",
                      "Images of a batch are decoded one by one.", applies::imageDecoder, folded),
};
static_assert(areRowsOf<DiffusionFields>(kPictureRows));

constexpr FieldTable kModelTables[] = {
    {"Model", kModelRows},
    {"Hardware", kHardwareRows},
    {"Images and videos", kPictureRows},
};

} // namespace

std::span<const FieldTable> modelTables()
{
    return kModelTables;
}

} // namespace vramscope
