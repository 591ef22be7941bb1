// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace vramscope {

/// The paths of all fields, in the order of the document. Each has its row in fields_*.cpp: the
/// table does not compile where a row is missing or stands elsewhere.
inline constexpr auto kFieldPaths = std::to_array<std::string_view>({
    "name",
    "workload",
    "objective",
    "trainer",
    "trainer_version",
    "model.preset",
    "model.known_as",
    "model.config",
    "model.pipeline",
    "model.components",
    "model.norm",
    "model.gated_mlp",
    "model.activation",
    "model.bias",
    "model.learned_positions",
    "model.qk_norm",
    "model.norms_per_layer",
    "model.attention_sinks",
    "model.vocab_size_padded",
    "model.parameters_override",
    "model.parameters_per_rank_override",
    "model.buffer_bytes",
    "model.text_only",
    "model.checkpoint",
    "hardware.gpu",
    "hardware.gpu_list",
    "hardware.gpus",
    "hardware.gpus_per_node",
    "hardware.network_gigabits",
    "hardware.capacity_bytes",
    "hardware.host_memory_bytes",
    "hardware.system_bytes",
    "hardware.page_cache_bytes",
    "parallel.data",
    "parallel.tensor",
    "parallel.pipeline",
    "parallel.virtual_stages",
    "parallel.schedule",
    "parallel.layers_per_stage",
    "parallel.context",
    "parallel.context_exchange",
    "parallel.expert",
    "parallel.expert_tensor",
    "parallel.sequence",
    "parallel.strategy",
    "parallel.sharding",
    "parallel.shard_group",
    "parallel.units",
    "parallel.gradient_as_bucket_view",
    "parallel.backward_prefetch",
    "parallel.forward_prefetch",
    "parallel.limit_all_gathers",
    "parallel.use_orig_params",
    "parallel.stage",
    "parallel.bucket.reduce_bucket_size",
    "parallel.bucket.allgather_bucket_size",
    "parallel.bucket.prefetch_bucket_size",
    "parallel.bucket.max_live_parameters",
    "parallel.bucket.max_reuse_distance",
    "parallel.bucket.param_persistence_threshold",
    "parallel.bucket.sub_group_size",
    "parallel.bucket.overlap_comm",
    "parallel.cpu_offload",
    "parallel.head_stage",
    "precision.regime",
    "precision.weight_bytes",
    "precision.gradient_bytes",
    "precision.master_weight_bytes",
    "precision.reduce_bytes",
    "precision.linear",
    "optimizer.name",
    "optimizer.implementation",
    "optimizer.state_bytes",
    "optimizer.offload",
    "optimizer.offload_device",
    "optimizer.zero_grad",
    "batch.micro_batch",
    "batch.sequence_length",
    "batch.accumulation_steps",
    "batch.no_sync",
    "batch.attention_mask",
    "batch.images",
    "batch.image_width",
    "batch.image_height",
    "batch.vision_tower",
    "activations.checkpointing",
    "activations.every",
    "activations.blocks",
    "activations.attention",
    "activations.attention_backend",
    "activations.softmax_input",
    "activations.kernels",
    "activations.expanded_kv",
    "activations.dropout",
    "activations.attention_dropout",
    "activations.offload",
    "activations.experts",
    "activations.capacity_factor",
    "activations.load_imbalance",
    "loss",
    "loss_chunks",
    "loss_keep_logits",
    "loss_keep_outputs",
    "adapters.kind",
    "adapters.rank",
    "adapters.targets",
    "adapters.base_quantization",
    "adapters.weight_bytes",
    "adapters.dropout",
    "adapters.fused_qkv",
    "adapters.group_size",
    "adapters.modules_to_not_convert",
    "adapters.quantize_at_load",
    "adapters.upcast_unquantized",
    "overheads.context_bytes",
    "overheads.nccl_bytes",
    "overheads.cublas_workspace_bytes",
    "overheads.engine_workspace_bytes",
    "overheads.alloc_conf",
    "overheads.reserved_factor",
    "overheads.resident_bytes",
    "overheads.calibrated",
    "inference.engine",
    "inference.engine_version",
    "inference.weight_format",
    "inference.moe_backend",
    "inference.kv_bytes_per_element",
    "inference.block_size",
    "inference.gpu_memory_utilization",
    "inference.max_model_len",
    "inference.max_num_seqs",
    "inference.max_num_batched_tokens",
    "inference.concurrent_sequences",
    "inference.mean_sequence_length",
    "inference.sglang.chunked_prefill_size",
    "inference.sglang.cuda_graph_max_bs",
    "inference.sglang.mem_fraction_static",
    "inference.sglang.max_total_tokens",
    "inference.sglang.max_running_requests",
    "inference.sglang.page_size",
    "inference.sglang.swa_full_tokens_ratio",
    "inference.sglang.mamba_full_memory_ratio",
    "inference.trtllm.free_gpu_memory_fraction",
    "inference.cuda_graph_bytes",
    "inference.embedding_parallel",
    "inference.prefix_caching",
    "inference.host_expert_layers",
    "inference.group_size",
    "inference.modules_to_not_convert",
    "inference.quantize_at_load",
    "inference.non_torch_bytes",
    "inference.activation_peak_bytes",
    "inference.kv_cache_memory_bytes",
    "inference.max_loras",
    "inference.max_lora_rank",
    "inference.multimodal.images",
    "inference.multimodal.videos",
    "inference.multimodal.max_pixels",
    "inference.multimodal.profiled",
    "inference.speculative.method",
    "inference.speculative.num_speculative_tokens",
    "inference.speculative.model",
    "inference.speculative.config",
    "inference.speculative.weight_format",
    "diffusion.width",
    "diffusion.height",
    "diffusion.frames",
    "diffusion.images",
    "diffusion.guidance",
    "diffusion.prompt_tokens",
    "diffusion.transformer_format",
    "diffusion.vae_format",
    "diffusion.offload",
    "diffusion.vae_tiling",
    "diffusion.vae_slicing",
    "rl.tensor",
    "rl.sleep_level",
    "rl.shared_process",
    "rl.param_offload",
    "rl.optimizer_offload",
    "rl.reference",
    "rl.reference_offload",
    "rl.critic",
    "rl.log_prob_micro_batch",
    "rl.sync_bucket_bytes",
    "run.tokens",
    "run.gpu_hour_price",
});

/// A field, named by its path in the document. The compiler looks the path up: one that no field
/// has is an error where it is written.
class FieldPath
{
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a literal stands for its field
    consteval FieldPath(const char *path)
        : m_index(indexOf(path))
    {
    }

    [[nodiscard]] constexpr std::string_view text() const { return kFieldPaths[m_index]; }
    // NOLINTNEXTLINE(google-explicit-constructor): it is a text
    constexpr operator std::string_view() const { return text(); }
    /// Its place in kFieldPaths, and the row's in planFields().
    [[nodiscard]] constexpr std::size_t index() const { return m_index; }

    bool operator==(const FieldPath &) const = default;

private:
    static consteval std::size_t indexOf(std::string_view path)
    {
        std::size_t index = 0;
        while (kFieldPaths.at(index) != path) // at() does not compile where no field has the path
            ++index;
        return index;
    }

    std::size_t m_index;
};

/// Whether a field stands in a group, "model".
[[nodiscard]] constexpr bool isOfGroup(FieldPath field, std::string_view group)
{
    const std::string_view path = field;
    return path.starts_with(group) && path.substr(group.size()).starts_with('.');
}

} // namespace vramscope
