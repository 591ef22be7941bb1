// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/training_stacks.h"

#include <array>
#include <initializer_list>

namespace vramscope::test {

namespace {

using Frames = std::vector<CodeFrame>;

constexpr std::string_view kModule = "torch/nn/modules/module.py";
constexpr std::string_view kNone = "??";

Frames operator+(Frames inner, const Frames &outer)
{
    inner.insert(inner.end(), outer.begin(), outer.end());
    return inner;
}

// The C++ frames below an operator that makes a tensor.
Frames made(std::string_view kernel)
{
    return {{"c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::allocate(unsigned "
             "long)",
             kNone},
            {kernel, kNone}};
}

// forward() of a module, called the way torch.nn calls it.
Frames module(std::string_view file, int line)
{
    return {{"forward", file, line}, {"_call_impl", kModule, 1787}};
}

Frames program(int line)
{
    return {{"main", "train.py", line}, {"<module>", "train.py", 148}};
}

Frames step(int line)
{
    return Frames{{"train_step", "train.py", line}} + program(126);
}

Frames model(int line)
{
    return module("model.py", line) + step(71);
}

Frames block(int line)
{
    return module("model.py", line) + model(173);
}

Frames attention(int line)
{
    return module("model.py", line) + block(128);
}

Frames mlp(int line)
{
    return module("model.py", line) + block(129);
}

Frames linear(const Frames &caller)
{
    return made("at::native::linear") + module("torch/nn/modules/linear.py", 134) + caller;
}

Frames built(int line)
{
    return Frames{{"__init__", "torch/nn/modules/linear.py", 106}, {"__init__", "model.py", line}} +
           program(97);
}

// The autograd engine runs on a thread of its own, without Python frames.
Frames autograd(std::string_view kernel, std::string_view node)
{
    return made(kernel) + Frames{{node, kNone},
                                 {"torch::autograd::Engine::evaluate_function", kNone},
                                 {"torch::autograd::Engine::thread_main", kNone}};
}

Frames adamw(std::string_view function, int line)
{
    return Frames{{function, "torch/optim/adamw.py", line},
                  {"step", "torch/optim/adam.py", 247},
                  {"_use_grad", "torch/optim/optimizer.py", 79},
                  {"wrapper", "torch/optim/optimizer.py", 517}} +
           step(78);
}

Frames sharded(std::string_view function, int line, const Frames &caller)
{
    return Frames{{function, "torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py", line},
                  {"unshard", "torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py", 338}} +
           caller;
}

Frames trainingFrames(Site site)
{
    switch (site) {
    case Site::Batch:
        return made("at::native::to") + Frames{{"to_device", "train.py", 52}} + program(125);
    case Site::Embedding:
        return made("at::native::embedding") + module("torch/nn/modules/sparse.py", 192) +
               model(170);
    case Site::Norm:
        return made("at::native::rms_norm") + module("torch/nn/modules/normalization.py", 401) +
               block(127);
    case Site::QueryKeyValue:
        return linear(attention(61));
    case Site::Rotary:
        return made("at::native::mul") + Frames{{"apply_rotary", "model.py", 38}} + attention(64);
    case Site::Attention:
        return made("at::native::_scaled_dot_product_flash_attention_cuda") + attention(67);
    case Site::AttentionOutput:
        return linear(attention(70));
    case Site::Gate:
        return linear(mlp(92));
    case Site::Up:
        return linear(mlp(93));
    case Site::Activation:
        return made("at::native::silu") + mlp(94);
    case Site::Product:
        return made("at::native::mul") + mlp(94);
    case Site::Down:
        return linear(mlp(95));
    case Site::Residual:
        return made("at::native::add") + block(130);
    case Site::Head:
        return linear(model(176));
    case Site::LossUpcast:
        return made("at::native::to") + Frames{{"float", "train.py", 60}} + step(73);
    case Site::Loss:
        return made("at::native::log_softmax_cuda") +
               Frames{{"cross_entropy", "torch/nn/functional.py", 3494}} + step(74);
    default:
        return {};
    }
}

} // namespace

Frames framesOf(Site site)
{
    switch (site) {
    case Site::InitEmbedding:
        return Frames{{"__init__", "torch/nn/modules/sparse.py", 167},
                      {"__init__", "model.py", 152}} +
               program(97);
    case Site::InitAttention:
        return built(47);
    case Site::InitMlp:
        return built(83);
    case Site::InitNorm:
        return built(118);
    case Site::InitHead:
        return built(160);
    case Site::BackwardGradient:
        return autograd("at::native::mm_out_cuda",
                        "torch::autograd::generated::MmBackward0::apply");
    case Site::BackwardLoss:
        return autograd("at::native::log_softmax_backward_cuda",
                        "torch::autograd::generated::LogSoftmaxBackward0::apply");
    case Site::BackwardWeight:
        return autograd("at::native::mm_out_cuda", "torch::autograd::AccumulateGrad::apply");
    case Site::BackwardAttention:
        return autograd(
            "at::native::_scaled_dot_product_flash_attention_backward_cuda",
            "torch::autograd::generated::ScaledDotProductFlashAttentionBackward0::apply");
    case Site::OptimizerState:
        return made("at::native::zeros_like") + adamw("_init_group", 176);
    case Site::OptimizerStep:
        return made("at::native::_foreach_sqrt") + adamw("_multi_tensor_adamw", 612);
    case Site::ZeroGrad:
        return Frames{{"zero_grad", "torch/optim/optimizer.py", 1017}} + step(79);
    case Site::StepEnd:
        return program(127);
    case Site::GatherForward:
        return made("at::native::empty") + sharded("all_gather", 262, block(122));
    case Site::GatherBackward:
        return made("at::native::empty") +
               sharded("all_gather", 262, autograd("at::native::empty", "pre_backward"));
    case Site::ReduceScatter:
        return made("at::native::empty") +
               sharded("reduce_scatter", 441, autograd("at::native::empty", "post_backward"));
    case Site::Reshard:
        return Frames{
                   {"reshard", "torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py", 412}} +
               block(132);
    case Site::Capture:
        return made("at::native::empty") + Frames{{"capture_decode", "train.py", 40}} +
               program(104);
    case Site::EmptyCache:
        return Frames{{"empty_cache", "torch/cuda/memory.py", 224}} + program(131);
    case Site::Evaluate:
        return made("at::native::linear") + Frames{{"evaluate", "train.py", 86}} + program(132);
    default:
        return trainingFrames(site);
    }
}

} // namespace vramscope::test
