// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/form_layout.h"

#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kGiBs = static_cast<double>(kGiB);
constexpr auto kMiBs = static_cast<double>(kMiB);
constexpr bool kMore = true;
constexpr double kLongest = 1 << 20; // tokens

using enum FormGroup;
constexpr Placement kPlacements[] = {
    {"name", Model, kMore},
    {"workload", Model},
    {"objective", Model, kMore},
    {"trainer", Model},
    {"trainer_version", Model, kMore},
    {"model.preset", Model},
    {"model.known_as", Model, kMore},
    {"model.pipeline", Model, kMore},
    {"model.components", Model, kMore},
    {"model.config", Model, kMore},
    {"model.vocab_size_padded", Model, kMore},
    {"model.norm", Model, kMore},
    {"model.gated_mlp", Model, kMore},
    {"model.activation", Model, kMore},
    {"model.bias", Model, kMore},
    {"model.qk_norm", Model, kMore},
    {"model.norms_per_layer", Model, kMore, Scale::Linear, 1, 4},
    {"model.attention_sinks", Model, kMore},
    {"model.learned_positions", Model, kMore},
    {"model.parameters_override", Model, kMore},
    {"model.parameters_per_rank_override", Model, kMore},
    {"model.buffer_bytes", Model, kMore, Scale::Linear, 0, kGiBs, 16 * kMiBs},
    {"model.text_only", Model, kMore},
    {"model.checkpoint", Model, kMore},

    {"hardware.gpu", Hardware},
    {"hardware.gpu_list", Hardware, kMore},
    {"hardware.gpus", Hardware, false, Scale::PowersOfTwo, 1, 4096},
    {"hardware.gpus_per_node", Hardware, kMore, Scale::PowersOfTwo, 1, 128},
    {"hardware.network_gigabits", Hardware, kMore, Scale::PowersOfTwo, 10, 3200},
    {"hardware.capacity_bytes", Hardware, kMore, Scale::Linear, 4 * kGiBs, 288 * kGiBs, kGiBs},
    {"hardware.host_memory_bytes", Hardware, kMore, Scale::PowersOfTwo, 16 * kGiBs, 8192 * kGiBs},
    {"hardware.system_bytes", Hardware, kMore, Scale::Linear, 0, 32 * kGiBs, 512 * kMiBs},
    {"hardware.page_cache_bytes", Hardware, kMore, Scale::Linear, 0, 128 * kGiBs, kGiBs},

    {"diffusion.width", Picture, false, Scale::Linear, 256, 2048, 64},
    {"diffusion.height", Picture, false, Scale::Linear, 256, 2048, 64},
    {"diffusion.frames", Picture, false, Scale::Linear, 1, 161, 4},
    {"diffusion.images", Picture, false, Scale::PowersOfTwo, 1, 64},
    {"diffusion.guidance", Picture},
    {"diffusion.prompt_tokens", Picture, kMore, Scale::PowersOfTwo, 64, 2048},
    {"diffusion.transformer_format", Picture},
    {"diffusion.vae_format", Picture, kMore},
    {"diffusion.offload", Picture},
    {"diffusion.vae_tiling", Picture},
    {"diffusion.vae_slicing", Picture, kMore},

    {"batch.micro_batch", Batch, false, Scale::PowersOfTwo, 1, 512},
    {"batch.sequence_length", Batch, false, Scale::PowersOfTwo, 128, kLongest},
    {"batch.accumulation_steps", Batch, false, Scale::PowersOfTwo, 1, 256},
    {"batch.no_sync", Batch},
    {"batch.attention_mask", Batch, kMore},
    {"batch.images", Batch, false, Scale::Linear, 0, 16},
    {"batch.image_width", Batch, false, Scale::Linear, 28, 4096},
    {"batch.image_height", Batch, false, Scale::Linear, 28, 4096},
    {"batch.vision_tower", Batch},

    {"parallel.strategy", Parallelism},
    {"parallel.sharding", Parallelism},
    {"parallel.shard_group", Parallelism, false, Scale::PowersOfTwo, 1, 1024},
    {"parallel.data", Parallelism, false, Scale::PowersOfTwo, 1, 4096},
    {"parallel.tensor", Parallelism, false, Scale::PowersOfTwo, 1, 64},
    {"parallel.pipeline", Parallelism, false, Scale::PowersOfTwo, 1, 64},
    {"parallel.context", Parallelism, kMore, Scale::PowersOfTwo, 1, 64},
    {"parallel.context_exchange", Parallelism, kMore},
    {"parallel.expert", Parallelism, false, Scale::PowersOfTwo, 1, 256},
    {"parallel.expert_tensor", Parallelism, kMore, Scale::PowersOfTwo, 1, 64},
    {"parallel.sequence", Parallelism},
    {"parallel.virtual_stages", Parallelism, false, Scale::PowersOfTwo, 1, 32},
    {"parallel.schedule", Parallelism, kMore},
    {"parallel.layers_per_stage", Parallelism, kMore},
    {"parallel.stage", Parallelism, kMore, Scale::Linear, 0, 63},
    {"parallel.head_stage", Parallelism, kMore},
    {"parallel.units", Parallelism, kMore},
    {"parallel.cpu_offload", Parallelism, kMore},
    {"parallel.gradient_as_bucket_view", Parallelism},
    {"parallel.backward_prefetch", Parallelism, kMore},
    {"parallel.forward_prefetch", Parallelism, kMore},
    {"parallel.limit_all_gathers", Parallelism, kMore},
    {"parallel.use_orig_params", Parallelism, kMore},
    {"parallel.bucket.reduce_bucket_size", Parallelism, kMore},
    {"parallel.bucket.allgather_bucket_size", Parallelism, kMore},
    {"parallel.bucket.prefetch_bucket_size", Parallelism, kMore},
    {"parallel.bucket.max_live_parameters", Parallelism, kMore},
    {"parallel.bucket.max_reuse_distance", Parallelism, kMore},
    {"parallel.bucket.param_persistence_threshold", Parallelism, kMore},
    {"parallel.bucket.sub_group_size", Parallelism, kMore},
    {"parallel.bucket.overlap_comm", Parallelism, kMore},

    {"precision.regime", Precision},
    {"precision.linear", Precision, kMore},
    {"precision.weight_bytes", Precision, kMore, Scale::PowersOfTwo, 1, 4},
    {"precision.gradient_bytes", Precision, kMore, Scale::PowersOfTwo, 1, 4},
    {"precision.master_weight_bytes", Precision, kMore, Scale::Linear, 0, 4, 2},
    {"precision.reduce_bytes", Precision, kMore, Scale::PowersOfTwo, 1, 4},
    {"optimizer.name", Precision},
    {"optimizer.implementation", Precision},
    {"optimizer.state_bytes", Precision, kMore, Scale::PowersOfTwo, 0.5, 4},
    {"optimizer.offload", Precision, kMore},
    {"optimizer.offload_device", Precision, kMore},
    {"optimizer.zero_grad", Precision, kMore},

    {"activations.checkpointing", MemorySavers},
    {"activations.every", MemorySavers, false, Scale::Linear, 1, 32},
    {"activations.blocks", MemorySavers, false, Scale::Linear, 0, 128},
    {"activations.attention", MemorySavers},
    {"activations.attention_backend", MemorySavers, kMore},
    {"activations.softmax_input", MemorySavers, kMore},
    {"activations.kernels", MemorySavers},
    {"activations.expanded_kv", MemorySavers, kMore},
    {"activations.offload", MemorySavers, kMore},
    {"activations.dropout", MemorySavers, kMore, Scale::Linear, 0, 0.5, 0.05},
    {"activations.attention_dropout", MemorySavers, kMore, Scale::Linear, 0, 0.5, 0.05},
    {"activations.experts", MemorySavers, kMore},
    {"activations.capacity_factor", MemorySavers, kMore, Scale::Linear, 0.25, 4, 0.25},
    {"activations.load_imbalance", MemorySavers, kMore, Scale::Linear, 1, 4, 0.1},

    {"loss", Loss},
    {"loss_chunks", Loss, false, Scale::PowersOfTwo, 1, 256},
    {"loss_keep_logits", Loss, kMore},
    {"loss_keep_outputs", Loss, kMore},

    {"adapters.kind", Adapters},
    {"adapters.rank", Adapters, false, Scale::PowersOfTwo, 1, 512},
    {"adapters.targets", Adapters},
    {"adapters.base_quantization", Adapters},
    {"adapters.weight_bytes", Adapters, kMore, Scale::PowersOfTwo, 1, 4},
    {"adapters.dropout", Adapters, kMore, Scale::Linear, 0, 0.5, 0.05},
    {"adapters.fused_qkv", Adapters, kMore},
    {"adapters.group_size", Adapters, kMore, Scale::PowersOfTwo, 16, 1024},
    {"adapters.modules_to_not_convert", Adapters, kMore},
    {"adapters.quantize_at_load", Adapters, kMore},
    {"adapters.upcast_unquantized", Adapters, kMore},

    {"rl.tensor", Rl, false, Scale::PowersOfTwo, 1, 16},
    {"rl.sleep_level", Rl, false, Scale::Linear, 0, 2},
    {"rl.param_offload", Rl},
    {"rl.optimizer_offload", Rl},
    {"rl.reference", Rl},
    {"rl.reference_offload", Rl},
    {"rl.critic", Rl},
    {"rl.log_prob_micro_batch", Rl, kMore, Scale::PowersOfTwo, 1, 256},
    {"rl.sync_bucket_bytes", Rl, kMore, Scale::Linear, 0, 8 * kGiBs, 128 * kMiBs},
    {"rl.shared_process", Rl, kMore},

    {"inference.engine", Inference},
    {"inference.engine_version", Inference},
    {"inference.weight_format", Inference},
    {"inference.kv_bytes_per_element", Inference, false, Scale::PowersOfTwo, 0.5, 4},
    {"inference.max_model_len", Inference, false, Scale::PowersOfTwo, 512, kLongest},
    {"inference.concurrent_sequences", Inference, false, Scale::PowersOfTwo, 1, 4096},
    {"inference.mean_sequence_length", Inference, false, Scale::PowersOfTwo, 128, kLongest},
    {"inference.gpu_memory_utilization", Inference, false, Scale::Linear, 0.1, 1, 0.01},
    {"inference.sglang.mem_fraction_static", Inference, false, Scale::Linear, 0.1, 1, 0.01},
    {"inference.sglang.chunked_prefill_size", Inference, kMore, Scale::PowersOfTwo, 512, 65536},
    {"inference.sglang.max_running_requests", Inference, kMore, Scale::PowersOfTwo, 1, 4096},
    {"inference.sglang.cuda_graph_max_bs", Inference, kMore, Scale::PowersOfTwo, 1, 512},
    {"inference.sglang.max_total_tokens", Inference, kMore, Scale::PowersOfTwo, 1024, 1 << 24},
    {"inference.sglang.page_size", Inference, kMore, Scale::PowersOfTwo, 1, 256},
    {"inference.sglang.swa_full_tokens_ratio", Inference, kMore, Scale::Linear, 0.05, 1, 0.05},
    {"inference.sglang.mamba_full_memory_ratio", Inference, kMore, Scale::Linear, 0.1, 4, 0.1},
    {"inference.trtllm.free_gpu_memory_fraction", Inference, false, Scale::Linear, 0.1, 1, 0.01},
    {"inference.max_num_seqs", Inference, kMore, Scale::PowersOfTwo, 1, 4096},
    {"inference.max_num_batched_tokens", Inference, kMore, Scale::PowersOfTwo, 128, 131072},
    {"inference.block_size", Inference, kMore, Scale::PowersOfTwo, 8, 256},
    {"inference.embedding_parallel", Inference, kMore},
    {"inference.moe_backend", Inference, kMore},
    {"inference.prefix_caching", Inference, kMore},
    {"inference.host_expert_layers", Inference, false, Scale::Linear, 0, 128},
    {"inference.group_size", Inference, kMore, Scale::PowersOfTwo, 16, 1024},
    {"inference.modules_to_not_convert", Inference, kMore},
    {"inference.quantize_at_load", Inference, kMore},
    {"inference.cuda_graph_bytes", Inference, kMore, Scale::Linear, 0, 4 * kGiBs, 64 * kMiBs},
    {"inference.non_torch_bytes", Inference, kMore, Scale::Linear, 0, 4 * kGiBs, 64 * kMiBs},
    {"inference.activation_peak_bytes", Inference, kMore, Scale::Linear, 0, 16 * kGiBs,
     128 * kMiBs},
    {"inference.kv_cache_memory_bytes", Inference, kMore, Scale::Linear, 0, 128 * kGiBs, kGiBs},
    {"inference.max_loras", Inference, kMore, Scale::Linear, 0, 16},
    {"inference.max_lora_rank", Inference, kMore, Scale::PowersOfTwo, 8, 512},

    {"inference.multimodal.images", Inference, kMore, Scale::Linear, 0, 16},
    {"inference.multimodal.videos", Inference, kMore, Scale::Linear, 0, 16},
    {"inference.multimodal.max_pixels", Inference, kMore, Scale::PowersOfTwo, 65536, 16777216},
    {"inference.multimodal.profiled", Inference, kMore},

    {"inference.speculative.method", Inference},
    {"inference.speculative.num_speculative_tokens", Inference, false, Scale::Linear, 1, 16},
    {"inference.speculative.model", Inference},
    {"inference.speculative.config", Inference, kMore},
    {"inference.speculative.weight_format", Inference, kMore},

    {"overheads.context_bytes", Overheads, kMore, Scale::Linear, 0, 4 * kGiBs, 32 * kMiBs},
    {"overheads.nccl_bytes", Overheads, kMore, Scale::Linear, 0, 8 * kGiBs, 64 * kMiBs},
    {"overheads.cublas_workspace_bytes", Overheads, kMore, Scale::Linear, 0, 256 * kMiBs,
     2 * kMiBs},
    {"overheads.engine_workspace_bytes", Overheads, kMore, Scale::Linear, 0, 256 * kMiBs,
     4 * kMiBs},
    {"overheads.alloc_conf", Overheads, kMore},
    {"overheads.reserved_factor", Overheads, kMore, Scale::Linear, 1, 1.5, 0.01},
    {"overheads.resident_bytes", Overheads, kMore, Scale::Linear, 0, 64 * kGiBs, kGiBs},
    {"overheads.calibrated", Overheads, kMore},

    {"run.tokens", Run},
    {"run.gpu_hour_price", Run},
};

struct Unit
{
    FieldPath path;
    QStringView unit;
};
constexpr Unit kUnits[] = {
    {"diffusion.width", u"px"},
    {"diffusion.height", u"px"},
    {"diffusion.prompt_tokens", u"tok"},
    {"batch.sequence_length", u"tok"},
    {"precision.weight_bytes", u"B"},
    {"precision.gradient_bytes", u"B"},
    {"precision.master_weight_bytes", u"B"},
    {"precision.reduce_bytes", u"B"},
    {"optimizer.state_bytes", u"B"},
    {"adapters.weight_bytes", u"B"},
    {"inference.kv_bytes_per_element", u"B"},
    {"inference.max_model_len", u"tok"},
    {"inference.mean_sequence_length", u"tok"},
    {"inference.max_num_batched_tokens", u"tok"},
    {"inference.sglang.chunked_prefill_size", u"tok"},
    {"inference.sglang.max_total_tokens", u"tok"},
    {"inference.sglang.page_size", u"tok"},
    {"inference.block_size", u"tok"},
    {"activations.capacity_factor", u"×"},
    {"activations.load_imbalance", u"×"},
    {"overheads.reserved_factor", u"×"},
};

} // namespace

QString formGroupTitle(FormGroup group)
{
    static const std::array<QString, kFormGroupCount> titles = {u"Model"_s,
                                                                u"Hardware"_s,
                                                                u"Images and videos"_s,
                                                                u"Batch"_s,
                                                                u"Parallelism"_s,
                                                                u"Precision and optimizer"_s,
                                                                u"Memory savers"_s,
                                                                u"Loss"_s,
                                                                u"Adapters"_s,
                                                                u"Reinforcement learning"_s,
                                                                u"Inference"_s,
                                                                u"Overheads"_s,
                                                                u"Time and money"_s};
    return titles[static_cast<std::size_t>(group)];
}

std::span<const Placement> formPlacements()
{
    return kPlacements;
}

QString fieldUnit(FieldPath path)
{
    const auto found = std::ranges::find(kUnits, path, &Unit::path);
    return found == std::end(kUnits) ? QString() : found->unit.toString();
}

} // namespace vramscope
