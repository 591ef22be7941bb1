// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/category_rules.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace vramscope {

namespace {

using enum Category;

constexpr std::array<std::string_view, kPhaseCount> kPhaseNames{"unknown", "init", "forward",
                                                                "backward", "optimizer"};

// A rule in the notation of this file.
struct Row
{
    Category category;
    int priority;
    double confidence;
    const char *name;
    const char *file;
    const char *reason;
};

struct PhaseRow
{
    Phase phase;
    int priority;
    const char *name;
    const char *file;
};

// Priorities: 90 the kind of an allocation whatever calls it, 70 what a library's own function
// makes, 50 the purpose of a call, 30 hints from names.
constexpr std::array kRows{
    Row{Framework, 90, 0.95, "getCurrentCUDABlasHandle", "", "made with the cuBLAS handle"},
    Row{Framework, 90, 0.95, "getCUDABlasLtWorkspace", "", "the workspace of cuBLASLt"},
    Row{Framework, 90, 0.95, "getNewWorkspace", "", "the workspace of cuBLAS"},
    Row{Framework, 90, 0.95, "parseChosenWorkspaceSize", "", "the workspace of cuBLAS"},
    Row{Framework, 90, 0.9, "Workspace::Workspace", "", "the workspace of a cuDNN kernel"},
    Row{Framework, 90, 0.9, "get_workspace", "transformer_engine",
        "Transformer Engine's workspace"},
    Row{Communication, 80, 0.95, "c10d::ProcessGroupNCCL", "", "made by NCCL's process group"},
    Row{Communication, 80, 0.9, "c10d::Reducer", "", "a bucket of gradients of data parallelism"},
    Row{Communication, 80, 0.9, "_ddp_init_helper", "",
        "a bucket of gradients of data parallelism"},
    Row{Communication, 80, 0.95, "", "fsdp/_fully_shard/_fsdp_collectives.py",
        "a buffer of an FSDP collective"},
    Row{Communication, 80, 0.9, "init_all_gather_outputs", "_fsdp_param.py",
        "whole parameters, gathered by FSDP"},
    Row{Communication, 80, 0.9, "alloc_all_gather_outputs", "_fsdp_param.py",
        "whole parameters, gathered by FSDP"},
    Row{Communication, 80, 0.9, "unshard", "fsdp/", "whole parameters, gathered by FSDP"},
    Row{Communication, 80, 0.9, "_alloc_padded_unsharded_flat_param", "",
        "whole parameters, gathered by FSDP"},
    Row{Communication, 80, 0.85, "_get_reduce_scatter_tensors", "fsdp/",
        "gradients on their way through FSDP's reduce-scatter"},
    Row{Communication, 80, 0.85, "all_gather", "deepspeed/runtime/zero/",
        "whole parameters, gathered by ZeRO"},
    Row{Communication, 80, 0.85, "_allgather", "deepspeed/runtime/zero/",
        "whole parameters, gathered by ZeRO"},
    Row{Communication, 80, 0.85, "reduce_scatter", "deepspeed/", "gradients being reduced by ZeRO"},
    Row{Communication, 80, 0.85, "", "deepspeed/runtime/comm/",
        "a buffer of a DeepSpeed collective"},
    Row{Communication, 80, 0.85, "^_gather_along", "tensor_parallel/mappings.py",
        "a collective of tensor parallelism"},
    Row{Communication, 80, 0.85, "^_reduce_scatter_along", "tensor_parallel/mappings.py",
        "a collective of tensor parallelism"},
    Row{Communication, 80, 0.85, "", "pipeline_parallel/p2p_communication.py",
        "a message between pipeline stages"},
    Row{Communication, 80, 0.8, "", "torch/distributed/distributed_c10d.py",
        "made by a collective"},
    Row{Communication, 80, 0.8, "", "torch/distributed/_functional_collectives.py",
        "made by a collective"},
    Row{Communication, 80, 0.8, "broadcast_coalesced", "torch/nn/parallel/",
        "parameters, copied to a replica"},
    Row{Inputs, 85, 0.8, "_to_kwargs", "torch/distributed/utils.py",
        "a batch was copied to the device"},
    Row{Communication, 80, 0.85, "_sync_", "torch/nn/parallel/distributed.py",
        "parameters and buffers, sent to the other ranks"},
    Row{Communication, 75, 0.85, "_pre_forward", "torch/nn/parallel/distributed.py",
        "DDP's buckets, into which gradients are copied"},
    Row{Communication, 75, 0.85, "_ddp_init_helper", "torch/nn/parallel/distributed.py",
        "DDP's buckets, into which gradients are copied"},
    Row{Gradients, 75, 0.95, "torch::autograd::AccumulateGrad", "", "kept by AccumulateGrad"},
    Row{Gradients, 75, 0.6, "__init__", "param_and_grad_buffer.py",
        "Megatron's buffer of gradients (and, with its distributed optimizer, of parameters)"},
    Row{Gradients, 75, 0.6, "__init__", "distributed/grad_buffer.py", "Megatron's gradient buffer"},
    Row{OptimizerStates, 75, 0.97, "_init_group", "torch/optim/",
        "made by the optimizer for its states"},
    Row{OptimizerStates, 75, 0.95, "^init_state_fn", "optimizer",
        "made by Megatron's optimizer for its states"},
    Row{OptimizerStates, 75, 0.9, "initialize_optimizer_states", "deepspeed/",
        "made by ZeRO for the optimizer"},
    Row{OptimizerStates, 75, 0.85, "_create_fp32_partitions", "deepspeed/",
        "ZeRO's master parameters"},
    Row{OptimizerStates, 75, 0.9, "init_state", "bitsandbytes/optim/",
        "made by the optimizer for its states"},
    Row{OptimizerStates, 75, 0.9, "get_state_buffer", "bitsandbytes/optim/",
        "made by the optimizer for its states"},
    Row{OptimizerStates, 75, 0.9, "build_model_and_main_param_groups", "megatron/core/optimizer/",
        "Megatron's master parameters"},
    Row{OptimizerStates, 75, 0.9, "__init__", "megatron/core/optimizer/",
        "made by Megatron's optimizer: master parameters and states"},
    Row{OptimizerStates, 75, 0.85, "initialize_state", "transformer_engine/pytorch/optimizers/",
        "made by the optimizer for its states"},
    Row{OptimizerStates, 30, 0.85, "^exp_avg", "", "named as a moment of Adam"},
    Row{OptimizerStates, 30, 0.8, "^momentum_buffer", "", "named as a momentum"},
    Row{KeyValueCache, 85, 0.93, "", "transformers/cache_utils.py",
        "keys and values that Transformers caches"},
    Row{KeyValueCache, 85, 0.93, "kv_cache", "", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.93, "kvcache", "", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.93, "KVCache", "", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.9, "", "kv_cache", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.9, "", "kvcache", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.9, "", "mem_cache/", "made as a cache of keys and values"},
    Row{KeyValueCache, 85, 0.9, "", "cache_engine.py", "made as a cache of keys and values"},
    Row{KeyValueCache, 65, 0.75, "^_allocate_cache", "", "made as a cache"},
    Row{KeyValueCache, 65, 0.75, "^allocate_cache", "", "made as a cache"},
    Row{KeyValueCache, 65, 0.75, "init_cache", "", "made as a cache"},
    Row{KeyValueCache, 65, 0.75, "initialize_cache", "", "made as a cache"},
    Row{KeyValueCache, 65, 0.75, "^setup_cache", "", "made as a cache"},
    Row{Parameters, 70, 0.9, "__deepcopy__", "torch/nn/parameter.py", "a copied module"},
    Row{Parameters, 70, 0.75, "__deepcopy__", "torch/_tensor.py", "a copied module"},
    Row{Parameters, 70, 0.95, "_apply", "torch/nn/modules/module.py",
        "a module was moved or converted"},
    Row{Parameters, 70, 0.9, "__init__", "torch/nn/modules/", "made with a module"},
    Row{Parameters, 70, 0.9, "reset_parameters", "", "made with a module"},
    Row{Parameters, 70, 0.9, "__init__", "tensor_parallel/layers.py", "made with a module"},
    Row{Parameters, 70, 0.85, "", "transformers/modeling_utils.py$",
        "loaded as a pretrained model"},
    Row{Parameters, 70, 0.85, "", "transformers/core_model_loading.py",
        "loaded as a pretrained model"},
    Row{Parameters, 70, 0.85, "set_module_tensor_to_device", "", "loaded as a pretrained model"},
    Row{Parameters, 70, 0.85, "load_state_dict", "", "loaded from a checkpoint"},
    Row{Parameters, 70, 0.8, "^load_model", "", "made while a model was loaded"},
    Row{Parameters, 70, 0.8, "init_weight", "", "weights were made"},
    Row{Parameters, 70, 0.85, "_init_sharded_param", "fsdp/", "a shard of the parameters"},
    Row{Parameters, 70, 0.85, "to_empty", "", "a module was given memory"},
    Row{Parameters, 70, 0.85, "cuda", "bitsandbytes/nn/modules.py", "quantized weights"},
    Row{LossAndLogits, 60, 0.92, "^cross_entropy", "", "made by the cross entropy"},
    Row{LossAndLogits, 60, 0.9, "::cross_entropy", "", "made by the cross entropy"},
    Row{LossAndLogits, 60, 0.85, "nll_loss", "", "made by the loss"},
    Row{LossAndLogits, 60, 0.85, "", "/loss_utils.py", "made by the loss"},
    Row{LossAndLogits, 40, 0.65, "log_softmax", "", "made by the log-softmax of the loss"},
    Row{LossAndLogits, 40, 0.65, "", "torch/nn/modules/loss.py", "made by the loss"},
    Row{LossAndLogits, 60, 0.75, "LogSoftmaxBackward", "", "the gradient of the loss"},
    Row{LossAndLogits, 60, 0.75, "NllLossBackward", "", "the gradient of the loss"},
    Row{LossAndLogits, 30, 0.7, "^logits$", "", "named as logits"},
    Row{LossAndLogits, 30, 0.7, "^lm_head", "", "named as the output head"},
    Row{Inputs, 50, 0.75, "send_to_device", "accelerate/", "a batch was copied to the device"},
    Row{Inputs, 50, 0.75, "_prepare_input", "transformers/trainer.py",
        "a batch was copied to the device"},
    Row{Inputs, 50, 0.75, "", "torch/utils/data/", "made by the data loader"},
    Row{Inputs, 50, 0.7, "^to_device$", "", "a batch was copied to the device"},
};

constexpr std::array kPhaseRows{
    PhaseRow{Phase::Backward, 90, "torch::autograd::Engine", ""},
    PhaseRow{Phase::Backward, 90, "_engine_run_backward", ""},
    PhaseRow{Phase::Backward, 80, "^backward$", ""},
    PhaseRow{Phase::Backward, 80, "_backward_hook", ""},
    PhaseRow{Phase::Backward, 80, "unpack_hook", "torch/utils/checkpoint.py"},
    PhaseRow{Phase::Backward, 80, "_post_backward", ""},
    PhaseRow{Phase::Optimizer, 85, "", "torch/optim/"},
    PhaseRow{Phase::Optimizer, 85, "", "bitsandbytes/optim/"},
    PhaseRow{Phase::Optimizer, 85, "", "apex/optimizers/"},
    PhaseRow{Phase::Optimizer, 85, "", "deepspeed/ops/adam/"},
    PhaseRow{Phase::Optimizer, 87, "^zero_grad", ""},
    PhaseRow{Phase::Optimizer, 85, "", "apex/contrib/optimizers/"},
    PhaseRow{Phase::Optimizer, 85, "", "deepspeed/ops/lion/"},
    PhaseRow{Phase::Optimizer, 85, "", "megatron/core/optimizer/"},
    PhaseRow{Phase::Optimizer, 85, "", "transformer_engine/pytorch/optimizers/"},
    PhaseRow{Phase::Optimizer, 85, "step", "transformers/optimization.py"},
    PhaseRow{Phase::Optimizer, 85, "", "/optim/"},
    PhaseRow{Phase::Optimizer, 80, "", "/optimizer.py$"},
    PhaseRow{Phase::Optimizer, 80, "", "/optimizers.py$"},
    PhaseRow{Phase::Init, 75, "_apply", "torch/nn/modules/module.py"},
    PhaseRow{Phase::Init, 75, "__init__", "torch/nn/modules/"},
    PhaseRow{Phase::Init, 75, "from_pretrained", ""},
    PhaseRow{Phase::Init, 75, "load_state_dict", ""},
    PhaseRow{Phase::Forward, 70, "_call_impl", "torch/nn/modules/module.py"},
    PhaseRow{Phase::Forward, 65, "^forward", ""},
    PhaseRow{Phase::Forward, 65, "cross_entropy", ""},
    PhaseRow{Phase::Forward, 40, "", "torch/nn/functional.py"},
    PhaseRow{Phase::Init, 75, "__deepcopy__", "torch/nn/parameter.py"},
    PhaseRow{Phase::Init, 50, "^setup_model", ""},
};

} // namespace

std::string_view phaseName(Phase phase)
{
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> phaseNamed(std::string_view name)
{
    const auto found = std::ranges::find(kPhaseNames, name);
    if (found == kPhaseNames.end())
        return std::nullopt;
    return static_cast<Phase>(found - kPhaseNames.begin());
}

const std::vector<CategoryRule> &defaultCategoryRules()
{
    static const std::vector<CategoryRule> rules = [] {
        std::vector<CategoryRule> made;
        made.reserve(std::size(kRows) + std::size(kPhaseRows));
        for (const Row &row : kRows)
            made.push_back({row.category, Phase::Unknown, row.name, row.file, 0, row.priority,
                            row.confidence, row.reason});
        for (const PhaseRow &row : kPhaseRows)
            made.push_back({std::nullopt, row.phase, row.name, row.file, 0, row.priority, 0, {}});
        return made;
    }();
    return rules;
}

} // namespace vramscope
