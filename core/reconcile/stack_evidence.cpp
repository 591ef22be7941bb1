// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/stack_evidence.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

// A part of a frame's path, or of its function's name, and what ran where it stands in a stack.
struct StackEvidence::Mark
{
    Seen seen;
    std::string_view file;
    std::string_view name;
};

std::span<const StackEvidence::Mark> StackEvidence::marks()
{
    using enum Seen;
    static constexpr std::array kMarks = {
        Mark{Python, ".py", ""},
        Mark{Recompute, "torch/utils/checkpoint.py", ""},
        Mark{RecomputePolicy, "torch/utils/checkpoint.py", "__torch_dispatch__"},
        Mark{Recompute, "deepspeed/runtime/activation_checkpointing", ""},
        Mark{Recompute, "megatron/core/tensor_parallel/random.py", "Checkpoint"},
        Mark{FusedAttention, "", "scaled_dot_product_attention"},
        Mark{FusedAttention, "", "_flash_attention"},
        Mark{FusedAttention, "flash_attn", ""},
        Mark{FusedAttention, "", "_efficient_attention"},
        // A function of the program may be called scaled_dot_product_attention too.
        Mark{AttentionKernel, "", "_flash_attention"},
        Mark{AttentionKernel, "", "_cudnn_attention"},
        Mark{AttentionKernel, "", "_efficient_attention"},
        Mark{AttentionKernel, "flash_attn/", ""},
        Mark{AttentionKernel, "xformers/ops", ""},
        Mark{FusedAttention, "xformers/ops", ""},
        Mark{Compiled, "torch/_inductor", ""},
        Mark{Compiled, "torchinductor", ""},
        Mark{TransformerEngine, "transformer_engine", ""},
        Mark{ForeachOptimizer, "torch/optim/", "_multi_tensor_"},
        Mark{FusedOptimizer, "torch/optim/", "_fused_"},
        Mark{ForLoopOptimizer, "torch/optim/", "_single_tensor_"},
        Mark{Ddp, "torch/nn/parallel/distributed.py", ""},
        Mark{Fsdp1, "torch/distributed/fsdp/_flat_param.py", ""},
        Mark{Fsdp2, "torch/distributed/fsdp/_fully_shard/", ""},
        Mark{Fsdp2, "torch/distributed/_composable/fsdp/", ""},
        Mark{AdamW, "torch/optim/adamw.py", ""},
        Mark{Adam, "torch/optim/adam.py", ""},
        Mark{Sgd, "torch/optim/sgd.py", ""},
    };
    return kMarks;
}

StackEvidence::StackEvidence(const Trace &trace)
{
    std::string path;
    for (std::size_t at = 0; at < trace.frameCount(); ++at) {
        const Frame &frame = trace.frame(static_cast<FrameId>(at));
        path = trace.text(frame.file);
        std::ranges::replace(path, '\\', '/');
        const std::string_view name = trace.text(frame.name);
        for (const Mark &mark : marks()) {
            if (path.find(mark.file) != std::string::npos &&
                name.find(mark.name) != std::string_view::npos)
                m_seen.insert(mark.seen);
        }
    }
}

bool StackEvidence::speaksAgainst(std::span<const FieldSetting> settings) const
{
    return saw(Seen::Python) && std::ranges::any_of(settings, [this](const FieldSetting &setting) {
               return speaksAgainst(setting);
           });
}

std::vector<StackEvidence::Proof> StackEvidence::proofs() const
{
    struct Row
    {
        Seen seen;
        FieldPath path;
        std::string_view value;
        std::string_view ran;
    };
    using enum Seen;
    static constexpr std::array kRows = {
        Row{Ddp, "parallel.strategy", "ddp", "torch's DistributedDataParallel"},
        Row{Fsdp1, "parallel.strategy", "fsdp1", "torch's FullyShardedDataParallel"},
        Row{Fsdp2, "parallel.strategy", "fsdp2", "torch's fully_shard"},
        Row{AdamW, "optimizer.name", "adamw", "torch.optim's AdamW"},
        Row{Adam, "optimizer.name", "adam", "torch.optim's Adam"},
        Row{Sgd, "optimizer.name", "sgd", "torch.optim's SGD"},
        Row{ForeachOptimizer, "optimizer.implementation", "foreach",
            "the foreach implementation of torch.optim"},
        Row{FusedOptimizer, "optimizer.implementation", "fused",
            "the fused implementation of torch.optim"},
        Row{ForLoopOptimizer, "optimizer.implementation", "for-loop",
            "the for-loop implementation of torch.optim"},
        Row{AttentionKernel, "activations.attention", "flash", "a fused attention kernel"},
    };
    std::vector<Proof> proofs;
    for (const Row &row : kRows) {
        // AdamW takes its step in the code of Adam.
        if (!saw(row.seen) || (row.seen == Adam && saw(AdamW)))
            continue;
        const bool contradicted = std::ranges::any_of(kRows, [&](const Row &other) {
            return other.path == row.path && other.value != row.value && saw(other.seen) &&
                   !(row.seen == AdamW && other.seen == Adam);
        });
        if (!contradicted)
            proofs.push_back({{row.path, std::string(row.value)}, row.ran});
    }
    return proofs;
}

std::optional<bool> StackEvidence::recomputes() const
{
    return saw(Seen::Python) ? std::optional(saw(Seen::Recompute)) : std::nullopt;
}

bool StackEvidence::speaksAgainst(const FieldSetting &setting) const
{
    const auto *value = std::get_if<std::string>(&setting.value);
    if (!value)
        return false;
    if (setting.path == "activations.checkpointing")
        return (*value == "none") == saw(Seen::Recompute) ||
               ((*value == "selective-op" || *value == "keep-matmuls") &&
                !saw(Seen::RecomputePolicy));
    if (setting.path == "activations.attention")
        return *value != "flash" && saw(Seen::FusedAttention);
    if (setting.path == "activations.kernels")
        return (*value == "compiled" && !saw(Seen::Compiled)) ||
               (*value == "megatron-te" && !saw(Seen::TransformerEngine)) ||
               (*value == "megatron-local" && saw(Seen::TransformerEngine)) ||
               *value == "textbook"; // a formula of a paper, no kernels
    if (setting.path == "optimizer.implementation")
        return otherOptimizerThan(*value);
    return false;
}

bool StackEvidence::otherOptimizerThan(std::string_view implementation) const
{
    constexpr std::array<std::pair<std::string_view, Seen>, 3> kImplementations = {
        {{"foreach", Seen::ForeachOptimizer},
         {"fused", Seen::FusedOptimizer},
         {"for-loop", Seen::ForLoopOptimizer}}};
    return std::ranges::any_of(kImplementations, [&](const auto &known) {
        return known.first != implementation && saw(known.second);
    });
}

} // namespace vramscope
