// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/field_conditions.h"

#include <algorithm>

namespace vramscope {

namespace applies {

bool training(const Settings &s)
{
    return s.workload == Workload::Training;
}
bool inference(const Settings &s)
{
    return s.workload == Workload::Inference;
}
bool fsdp(const Settings &s)
{
    return training(s) && (s.strategy == Strategy::Fsdp1 || s.strategy == Strategy::Fsdp2);
}
bool fsdp1(const Settings &s)
{
    return training(s) && s.strategy == Strategy::Fsdp1;
}
bool hybrid(const Settings &s)
{
    return fsdp(s) && s.sharding == Sharding::HybridShard;
}
bool ddp(const Settings &s)
{
    return training(s) && s.strategy == Strategy::Ddp;
}
bool deepSpeed(const Settings &s)
{
    return training(s) && (s.strategy == Strategy::Zero1 || s.strategy == Strategy::Zero2 ||
                           s.strategy == Strategy::Zero3);
}
bool zero3(const Settings &s)
{
    return training(s) && s.strategy == Strategy::Zero3;
}
bool accumulates(const Settings &s)
{
    return training(s) && s.accumulationSteps > 1;
}
bool tensorParallel(const Settings &s)
{
    return training(s) && s.tensor > 1;
}
bool pipelined(const Settings &s)
{
    return s.pipeline > 1;
}
bool pipelinedTraining(const Settings &s)
{
    return training(s) && s.pipeline > 1;
}
bool splitSequences(const Settings &s)
{
    return training(s) && s.context > 1;
}
bool experts(const Settings &s)
{
    return s.architecture.moe();
}
bool trainedExperts(const Settings &s)
{
    return training(s) && experts(s);
}
bool everyK(const Settings &s)
{
    return training(s) && s.checkpointing == Checkpointing::EveryK;
}
bool someBlocks(const Settings &s)
{
    return training(s) && s.checkpointing == Checkpointing::Block;
}
bool chunkedLoss(const Settings &s)
{
    return training(s) && s.loss == LossKind::Chunked;
}
bool lora(const Settings &s)
{
    return training(s) && s.adapters == AdapterKind::Lora;
}
bool quantizedBase(const Settings &s)
{
    return lora(s) && s.baseQuantization != BaseQuantization::None;
}
bool vllm(const Settings &s)
{
    return inference(s) && s.engine == Engine::Vllm;
}
bool windowedEngine(const Settings &s)
{
    return inference(s) && (s.engine == Engine::Vllm || s.engine == Engine::LlamaCpp);
}
bool cacheOfTokens(const Settings &s)
{
    return inference(s) && s.engine != Engine::LlamaCpp;
}
bool quantizedWeights(const Settings &s)
{
    return inference(s) && s.weightFormat != WeightFormat::Bf16 &&
           s.weightFormat != WeightFormat::Fp16 && s.weightFormat != WeightFormat::Fp32;
}
bool groupQuantized(const Settings &s)
{
    return inference(s) &&
           (s.weightFormat == WeightFormat::GptqInt4 || s.weightFormat == WeightFormat::AwqInt4);
}
} // namespace applies

namespace {

enum class Of { Training, Inference, Both };

struct ConditionWords
{
    Condition condition;
    Of workload;
    HiddenBecause because;
};

using namespace applies;
constexpr std::string_view kOtherStrategy = "another strategy";
constexpr std::string_view kOtherEngine = "another engine";
constexpr std::string_view kOtherCheckpointing = "another policy";
constexpr std::string_view kDense = "the model has none";
constexpr ConditionWords kConditionWords[] = {
    {training, Of::Training, {}},
    {inference, Of::Inference, {}},
    {fsdp, Of::Training, {"FSDP", kOtherStrategy}},
    {fsdp1, Of::Training, {"FSDP1", kOtherStrategy}},
    {hybrid, Of::Training, {"hybrid sharding", "another sharding"}},
    {ddp, Of::Training, {"DDP", kOtherStrategy}},
    {deepSpeed, Of::Training, {"ZeRO", kOtherStrategy}},
    {zero3, Of::Training, {"ZeRO-3", kOtherStrategy}},
    {accumulates, Of::Training, {"accumulation", "one micro-batch a step"}},
    {tensorParallel, Of::Training, {"tensor parallelism", "one rank"}},
    {pipelined, Of::Both, {"pipelines", "one stage"}},
    {pipelinedTraining, Of::Training, {"pipelines", "one stage"}},
    {splitSequences, Of::Training, {"context parallelism", "one rank"}},
    {experts, Of::Both, {"experts", kDense}},
    {trainedExperts, Of::Training, {"experts", kDense}},
    {everyK, Of::Training, {"every k-th block", kOtherCheckpointing}},
    {someBlocks, Of::Training, {"the first blocks", kOtherCheckpointing}},
    {chunkedLoss, Of::Training, {"the chunked loss", "another loss"}},
    {lora, Of::Training, {"LoRA", "no adapters"}},
    {quantizedBase, Of::Training, {"a quantised base", "it is not"}},
    {vllm, Of::Inference, {"vLLM", kOtherEngine}},
    {windowedEngine, Of::Inference, {"vLLM and llama.cpp", kOtherEngine}},
    {cacheOfTokens, Of::Inference, {"a growing cache", "llama.cpp fills it at once"}},
    {quantizedWeights, Of::Inference, {"quantised weights", "they are not"}},
    {groupQuantized, Of::Inference, {"quantised groups", "the format has none"}},
};

struct OfField
{
    std::string_view path;
    Condition condition;
};
// All others always mean something.
constexpr OfField kConditions[] = {
    {"batch.micro_batch", training},
    {"batch.sequence_length", training},
    {"batch.accumulation_steps", training},
    {"batch.no_sync", accumulates},
    {"parallel.strategy", training},
    {"parallel.sharding", fsdp},
    {"parallel.shard_group", hybrid},
    {"parallel.context_exchange", splitSequences},
    {"parallel.expert", experts},
    {"parallel.expert_tensor", experts},
    {"parallel.sequence", tensorParallel},
    {"parallel.virtual_stages", pipelinedTraining},
    {"parallel.schedule", pipelinedTraining},
    {"parallel.layers_per_stage", pipelined},
    {"parallel.stage", pipelined},
    {"parallel.head_stage", pipelinedTraining},
    {"parallel.cpu_offload", fsdp},
    {"parallel.gradient_as_bucket_view", ddp},
    {"parallel.backward_prefetch", fsdp1},
    {"parallel.forward_prefetch", fsdp1},
    {"parallel.limit_all_gathers", fsdp1},
    {"parallel.bucket.reduce_bucket_size", deepSpeed},
    {"parallel.bucket.allgather_bucket_size", deepSpeed},
    {"parallel.bucket.prefetch_bucket_size", zero3},
    {"parallel.bucket.max_live_parameters", zero3},
    {"parallel.bucket.param_persistence_threshold", zero3},
    {"parallel.bucket.sub_group_size", zero3},
    {"parallel.bucket.overlap_comm", deepSpeed},
    {"precision.regime", training},
    {"precision.linear", training},
    {"precision.weight_bytes", training},
    {"precision.gradient_bytes", training},
    {"precision.master_weight_bytes", training},
    {"precision.reduce_bytes", training},
    {"optimizer.name", training},
    {"optimizer.implementation", training},
    {"optimizer.state_bytes", training},
    {"optimizer.offload", training},
    {"optimizer.zero_grad", training},
    {"activations.checkpointing", training},
    {"activations.every", everyK},
    {"activations.blocks", someBlocks},
    {"activations.attention", training},
    {"activations.kernels", training},
    {"activations.expanded_kv", training},
    {"activations.offload", training},
    {"activations.dropout", training},
    {"activations.attention_dropout", training},
    {"activations.capacity_factor", trainedExperts},
    {"activations.load_imbalance", trainedExperts},
    {"loss", training},
    {"loss_chunks", chunkedLoss},
    {"loss_keep_logits", training},
    {"adapters.kind", training},
    {"adapters.rank", lora},
    {"adapters.targets", lora},
    {"adapters.base_quantization", lora},
    {"adapters.weight_bytes", lora},
    {"adapters.group_size", quantizedBase},
    {"adapters.modules_to_not_convert", quantizedBase},
    {"adapters.quantize_at_load", quantizedBase},
    {"adapters.upcast_unquantized", quantizedBase},
    {"inference.engine", inference},
    {"inference.weight_format", inference},
    {"inference.kv_bytes_per_element", inference},
    {"inference.max_model_len", windowedEngine},
    {"inference.concurrent_sequences", cacheOfTokens},
    {"inference.mean_sequence_length", cacheOfTokens},
    {"inference.gpu_memory_utilization", vllm},
    {"inference.max_num_seqs", vllm},
    {"inference.max_num_batched_tokens", windowedEngine},
    {"inference.block_size", vllm},
    {"inference.embedding_parallel", inference},
    {"inference.group_size", groupQuantized},
    {"inference.modules_to_not_convert", quantizedWeights},
    {"inference.quantize_at_load", quantizedWeights},
    {"inference.cuda_graph_bytes", vllm},
    {"inference.non_torch_bytes", vllm},
    {"inference.activation_peak_bytes", vllm},
    {"inference.kv_cache_memory_bytes", vllm},
};

} // namespace

Condition conditionOf(std::string_view path)
{
    const auto found = std::ranges::find(kConditions, path, &OfField::path);
    return found == std::end(kConditions) ? nullptr : found->condition;
}

bool appliesTo(std::string_view path, const Settings &settings)
{
    const Condition condition = conditionOf(path);
    return condition == nullptr || condition(settings);
}

HiddenBecause hiddenBecause(Condition condition, const Settings &settings)
{
    const auto found = std::ranges::find(kConditionWords, condition, &ConditionWords::condition);
    if (found == std::end(kConditionWords))
        return {};
    const bool isOther = (found->workload == Of::Training && !training(settings)) ||
                         (found->workload == Of::Inference && !inference(settings));
    return isOther ? otherWorkload(settings) : found->because;
}

HiddenBecause otherWorkload(const Settings &settings)
{
    return inference(settings) ? HiddenBecause{"training", "the workload is inference"}
                               : HiddenBecause{"inference", "the workload is training"};
}

} // namespace vramscope
