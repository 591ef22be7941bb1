// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/field_conditions.h"

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

struct Words
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
constexpr Words kWords[] = {
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

} // namespace

HiddenBecause hiddenBecause(Condition condition, const Settings &settings)
{
    const auto found = std::ranges::find(kWords, condition, &Words::condition);
    if (found == std::end(kWords))
        return {};
    if (found->workload == Of::Training && !training(settings))
        return {"training", "the workload is inference"};
    if (found->workload == Of::Inference && !inference(settings))
        return {"inference", "the workload is training"};
    return found->because;
}

} // namespace vramscope
