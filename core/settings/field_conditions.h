// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/diffusion/pipelines.h"
#include "core/plan/condition.h"
#include "core/settings/settings.h"

/// The conditions that rows of the table name: when a field means something, and why it does not.
namespace vramscope::applies {

inline constexpr std::string_view kOtherStrategy = "another strategy";
inline constexpr std::string_view kOtherEngine = "another engine";
inline constexpr std::string_view kOtherCheckpointing = "another policy";
inline constexpr std::string_view kDense = "the model has none";

inline constexpr Condition always;

template<auto Member, auto... Values>
[[nodiscard]] bool is(const Settings &settings)
{
    return ((settings.*Member == Values) || ...);
}
template<auto Member, auto... Values>
[[nodiscard]] bool isNot(const Settings &settings)
{
    return !is<Member, Values...>(settings);
}
template<auto Member, std::int64_t Value>
[[nodiscard]] bool isAbove(const Settings &settings)
{
    return settings.*Member > Value;
}

inline constexpr Condition unified{
    nullptr, unifiedMemory, {"one memory for host and device", "the GPU has its own"}};
inline constexpr Condition memoryOfItsOwn{
    nullptr,
    [](const Settings &s) { return !unifiedMemory(s); },
    {"a GPU with memory of its own", "host and device share one"}};

inline constexpr Condition language{nullptr,
                                    is<&Settings::diffusion, nullptr>,
                                    {"language models", "the model is a diffusion pipeline"}};
inline constexpr Condition diffusion{nullptr,
                                     [](const Settings &s) { return s.diffusion != nullptr; },
                                     {"diffusion pipelines", "the model is a language model"}};

/// Of language models and of diffusion pipelines.
inline constexpr Condition anyTraining{nullptr,
                                       is<&Settings::workload, Workload::Training>,
                                       {"training", "the workload is inference"}};
inline constexpr Condition anyInference{
    nullptr,
    [](const Settings &s) { return s.workload == Workload::Inference || s.rollout; },
    {"inference", "the workload is training"}};
inline constexpr Condition training{&language, anyTraining.test, anyTraining.because};
/// Adapters of a denoiser are in fp32 under autocast.
inline constexpr Condition regimes{
    &anyTraining,
    [](const Settings &s) { return !s.diffusion || s.adapters.kind == AdapterKind::None; },
    {"language models and denoisers of which all is trained", "adapters are trained"}};
inline constexpr Condition inference{&language, anyInference.test, anyInference.because};

inline constexpr Condition rl{&language,
                              [](const Settings &s) { return s.rollout != nullptr; },
                              {"reinforcement learning", "the workload is another"}};
inline constexpr Condition reference{
    &rl, [](const Settings &s) { return s.rl.reference; }, {"a reference model", "there is none"}};

inline constexpr Condition fsdp{
    &training, is<&Settings::strategy, Strategy::Fsdp1, Strategy::Fsdp2>, {"FSDP", kOtherStrategy}};
inline constexpr Condition fsdp1{
    &training, is<&Settings::strategy, Strategy::Fsdp1>, {"FSDP1", kOtherStrategy}};
inline constexpr Condition hybrid{
    &training,
    [](const Settings &s) { return fsdp(s) && s.sharding == Sharding::HybridShard; },
    {"hybrid sharding", "another sharding"}};
inline constexpr Condition distributedOptimizer{
    &training,
    is<&Settings::strategy, Strategy::MegatronDistributedOptimizer>,
    {"Megatron's distributed optimizer", kOtherStrategy}};
inline constexpr Condition ddp{
    &training, is<&Settings::strategy, Strategy::Ddp>, {"DDP", kOtherStrategy}};
inline constexpr Condition zero{
    &training,
    is<&Settings::strategy, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3>,
    {"ZeRO", kOtherStrategy}};
inline constexpr Condition zeroOffload{
    &zero,
    [](const Settings &s) { return s.optimizer.offload || s.cpuOffload; },
    {"offloaded states or parameters", "nothing is offloaded"}};
inline constexpr Condition zero3{
    &training, is<&Settings::strategy, Strategy::Zero3>, {"ZeRO-3", kOtherStrategy}};
/// ZeRO-Infinity: stages 1 and 2 keep what they offload on the host, whatever the device says.
inline constexpr Condition statesOnDrives{
    &zero3,
    [](const Settings &s) {
        return s.optimizer.offload && s.optimizer.offloadDevice == OffloadDevice::Nvme;
    },
    {"states on NVMe drives", "they are not"}};
inline constexpr Condition weightsOnDrives{&zero3,
                                           [](const Settings &s) {
                                               return s.cpuOffload && s.optimizer.offloadDevice ==
                                                                          OffloadDevice::Nvme;
                                           },
                                           {"parameters on NVMe drives", "they are not"}};
/// Parameters are sharded, and their shards may be kept on the host.
inline constexpr Condition shardedParameters{&training,
                                             [](const Settings &s) { return fsdp(s) || zero3(s); },
                                             {"FSDP and ZeRO-3", kOtherStrategy}};

inline constexpr Condition readsSource{
    &training,
    [](const Settings &s) { return s.architecture.readsSource(); },
    {"models with an encoder and a decoder", "the model has one sequence"}};
inline constexpr Condition readsTokens{
    &training,
    [](const Settings &s) { return !s.architecture.readsImages(); },
    {"models that read tokens", "the patches of the model's image are its tokens"}};
inline constexpr Condition seesImages{&training,
                                      [](const Settings &s) { return s.hasVisionTower; },
                                      {"images", "the model has no vision tower"}};
inline constexpr Condition trainsOnImages{
    &seesImages, isAbove<&Settings::images, 0>, {"batches with images", "there are none"}};
inline constexpr Condition accumulates{&training,
                                       isAbove<&Settings::accumulationSteps, 1>,
                                       {"accumulation", "one micro-batch a step"}};
inline constexpr Condition synchronises{&accumulates,
                                        [](const Settings &s) { return s.data * s.context > 1; },
                                        {"data parallelism", "one rank"}};
inline constexpr Condition acceleratesFsdp2{
    &training,
    [](const Settings &s) { return s.trainer == Trainer::Hf && s.strategy == Strategy::Fsdp2; },
    {"transformers' Trainer under FSDP2", "the run is another"}};
inline constexpr Condition tensorParallel{
    &training, isAbove<&Settings::tensor, 1>, {"tensor parallelism", "one rank"}};
inline constexpr Condition pipelined{
    nullptr, isAbove<&Settings::pipeline, 1>, {"pipelines", "one stage"}};
inline constexpr Condition pipelinedTraining{&training, pipelined.test, pipelined.because};
inline constexpr Condition splitSequences{
    &training, isAbove<&Settings::context, 1>, {"context parallelism", "one rank"}};
inline constexpr Condition experts{
    nullptr, [](const Settings &s) { return s.architecture.moe(); }, {"experts", kDense}};
inline constexpr Condition trainedExperts{&training, experts.test, experts.because};

inline constexpr Condition megatronExperts{&trainedExperts,
                                           [](const Settings &s) {
                                               return s.strategy == Strategy::Megatron ||
                                                      s.strategy ==
                                                          Strategy::MegatronDistributedOptimizer;
                                           },
                                           {"Megatron's experts", kOtherStrategy}};
inline constexpr Condition distributedMuon{
    &distributedOptimizer,
    [](const Settings &s) { return s.optimizer.name == OptimizerName::Muon; },
    {"Muon", "another optimizer"}};

inline constexpr Condition transformerEngine{&training,
                                             is<&Settings::kernels, Kernels::MegatronTe>,
                                             {"Transformer Engine", "other kernels"}};
inline constexpr Condition eagerAttention{&training,
                                          [](const Settings &s) { return !isFused(s.attention); },
                                          {"eager attention", "another attention"}};
inline constexpr Condition everyK{&training,
                                  is<&Settings::checkpointing, Checkpointing::EveryK>,
                                  {"every k-th block", kOtherCheckpointing}};
inline constexpr Condition someBlocks{&training,
                                      is<&Settings::checkpointing, Checkpointing::Block>,
                                      {"the first blocks", kOtherCheckpointing}};
/// Only the inputs that blocks keep are moved to the host.
inline constexpr Condition blockInputs{
    &training,
    isNot<&Settings::checkpointing, Checkpointing::None, Checkpointing::SelectiveAttention>,
    {"checkpointed blocks", "only their inputs move to the host"}};
inline constexpr Condition chunkedLoss{&training,
                                       is<&Settings::loss, LossKind::Chunked, LossKind::ChunkedFp32,
                                          LossKind::ChunkedBackward, LossKind::LinearChunked>,
                                       {"the chunked loss", "another loss"}};
inline constexpr Condition anyLora{
    &anyTraining,
    [](const Settings &s) { return s.adapters.kind == AdapterKind::Lora; },
    {"LoRA", "no adapters"}};
inline constexpr Condition lora{&training, anyLora.test, anyLora.because};
inline constexpr Condition quantizedBase{&training,
                                         [](const Settings &s) {
                                             return lora(s) && s.adapters.baseQuantization !=
                                                                   BaseQuantization::None;
                                         },
                                         {"a quantised base", "it is not"}};

inline constexpr Condition vllm{
    &inference, is<&Settings::engine, Engine::Vllm>, {"vLLM", kOtherEngine}};
inline constexpr Condition sglang{
    &inference, is<&Settings::engine, Engine::Sglang>, {"SGLang", kOtherEngine}};
inline constexpr Condition trtLlm{
    &inference, is<&Settings::engine, Engine::TrtLlm>, {"TensorRT-LLM", kOtherEngine}};
template<EngineTraits::Trait Trait>
inline constexpr Condition engineWith{
    &inference,
    [](const Settings &s) { return traitsOf(s.engine).has(Trait); },
    {engineNames<Trait>.data(), kOtherEngine}};
inline constexpr const Condition &versionedEngine = engineWith<EngineTraits::Releases>;
inline constexpr const Condition &gpuShare = engineWith<EngineTraits::Share>;
inline constexpr const Condition &boundedBatches = engineWith<EngineTraits::Sequences>;
inline constexpr const Condition &batchedTokens = engineWith<EngineTraits::Tokens>;
inline constexpr Condition slidingPool{
    &sglang,
    [](const Settings &s) { return s.architecture.slidingWindow > 0; },
    {"sliding windows", "the model has none"}};
inline constexpr Condition statePool{
    &sglang,
    [](const Settings &s) { return s.architecture.state.kind != StateKind::None; },
    {"layers that keep a state", "the model has none"}};
inline constexpr Condition adapterEngine{&inference,
                                         is<&Settings::engine, Engine::Vllm, Engine::Sglang>,
                                         {"vLLM and SGLang", kOtherEngine}};
inline constexpr Condition servesAdapters{&adapterEngine,
                                          isAbove<&Settings::maxLoras, 0>,
                                          {"served adapters", "there are no slots for them"}};
inline constexpr Condition shardsAdapters{&vllm, servesAdapters.test, servesAdapters.because};
inline constexpr Condition encodes{
    &vllm,
    [](const Settings &s) { return !s.towers.empty() && s.towers.front().encoding.known; },
    {"a vision tower", "the model has none whose encoding is known"}};
inline constexpr Condition encodesVideos{
    &encodes,
    [](const Settings &s) { return s.towers.front().videos != VideoRule::None; },
    {"long videos", "no video is larger than the largest image"}};
inline constexpr Condition scalesImages{
    &encodes,
    [](const Settings &s) { return s.towers.front().images == ImageRule::Grid; },
    {"images of any size", "the model scales all images to one size"}};
/// Where no layer keeps a state, prefix caching takes no memory of its own.
inline constexpr Condition keptStates{&vllm, statePool.test, statePool.because};
inline constexpr Condition windowedEngine{&inference,
                                          engineWith<EngineTraits::Length>.test,
                                          {"engines with a context length", kOtherEngine}};
inline constexpr Condition cacheOfTokens{&inference,
                                         isNot<&Settings::engine, Engine::LlamaCpp>,
                                         {"a growing cache", "llama.cpp fills it at once"}};
inline constexpr Condition llamaExperts{
    &inference,
    [](const Settings &s) { return s.engine == Engine::LlamaCpp && s.architecture.moe(); },
    {"a mixture of experts under llama.cpp", "this plan has another engine or no experts"}};
inline constexpr Condition speculates{
    &inference,
    [](const Settings &s) { return s.speculative.method != SpeculativeMethod::None; },
    {"speculation", "nothing is speculated"}};
/// The draft is a model of its own, or a head that was trained for the model.
inline constexpr Condition ownDraft{&inference,
                                    [](const Settings &s) {
                                        return s.speculative.method ==
                                                   SpeculativeMethod::DraftModel ||
                                               s.speculative.method == SpeculativeMethod::Eagle ||
                                               s.speculative.method == SpeculativeMethod::Eagle3;
                                    },
                                    {"a draft of its own", "none is loaded"}};
inline constexpr Condition quantizedWeights{
    &inference,
    isNot<&Settings::weightFormat, WeightFormat::Bf16, WeightFormat::Fp16, WeightFormat::Fp32>,
    {"quantised weights", "they are not"}};
inline constexpr Condition expertKernels{&vllm,
                                         [](const Settings &s) {
                                             return s.weightFormat == WeightFormat::MxFp4 &&
                                                    s.architecture.experts > 0;
                                         },
                                         {"experts in MXFP4", "the model has none"}};
inline constexpr Condition groupQuantized{
    &inference,
    is<&Settings::weightFormat, WeightFormat::GptqInt4, WeightFormat::AwqInt4>,
    {"quantised groups", "the format has none"}};

inline constexpr Condition callsPipeline{&diffusion, anyInference.test, anyInference.because};
inline constexpr Condition videos{&diffusion,
                                  [](const Settings &s) { return s.diffusion->makesVideos(); },
                                  {"pipelines of videos", "this one makes images"}};
inline constexpr Condition guided{
    &callsPipeline,
    [](const Settings &s) { return s.diffusion->guidance != GuidancePasses::None; },
    {"guidance by a second pass", "the pipeline has none"}};
inline constexpr Condition imageDecoder{
    &callsPipeline,
    [](const Settings &s) { return s.diffusion->tilesDecoding(); },
    {"AutoencoderKL", "the pipeline has another autoencoder"}};

} // namespace vramscope::applies
