// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/harmless_keys.h"

namespace vramscope {

namespace {

// clang-format off
constexpr std::string_view kConfig[] = {
    "architectures*", "auto_map*", "transformers_version", "_name_or_path", "_*",
    "bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id", "unk_token_id",
    "cls_token_id", "mask_token_id", "decoder_start_token_id", "boi_token_index",
    "eoi_token_index", "image_token_index", "image_token_id", "video_token_id",
    "vision_start_token_id", "vision_end_token_id", "vision_token_id", "id2label*", "label2id*",
    "use_cache", "initializer_range", "initializer_factor", "embedding_initializer_range",
    "attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar", "hidden_act",
    "hidden_activation", "activation_function", "act_fn", "ffn_act_fn*", "activation", "afn",
    "rms_norm_eps", "norm_eps", "norm_epsilon", "layer_norm_eps", "layer_norm_epsilon",
    "layernorm_epsilon", "rope_theta", "rope_scaling*", "rope_parameters*",
    "rope_local_base_freq", "rope_traditional", "rope_ratio", "rope_pct", "rope_interleave",
    "rotary_dim", "rotary_pct", "rotary_emb_base", "rotary", "partial_rotary_factor",
    "original_max_position_embeddings", "original_rope", "pretraining_tp", "summary_*",
    "task_specific_params*", "scale_attn_*", "reorder_and_upcast_attn",
    "attention_softmax_in_fp32", "output_router_logits", "output_hidden_states",
    "output_attentions", "return_dict", "router_aux_loss_coef", "router_z_loss_coef",
    "router_jitter_noise", "input_jitter_noise", "aux_loss_alpha", "seq_aux", "norm_topk_prob",
    "routed_scaling_factor", "scoring_func", "topk_method", "topk_group", "n_group",
    "logit_scale", "logits_scaling", "embedding_multiplier", "residual_multiplier",
    "attention_multiplier", "scale_depth", "scale_emb", "dim_model_base", "swiglu_limit",
    "position_embedding_type", "model_version",
   
    "activation_dropout",
    "classifier_dropout", "layerdrop",
    "chunk_size_feed_forward", "tokenizer_class", "prefix", "gradient_checkpointing",
    "do_layer_norm_before", "no_rope_layers*", "no_rope_layer_interval", "use_parallel_residual",
    "attn_config.*", "ffn_config.*", "mm_tokens_per_image", "max_window_layers",
    "use_sliding_window", "quantization_config.*",
};

constexpr std::string_view kDeepSpeed[] = {
    "steps_per_print", "wall_clock_breakdown", "dump_state", "gradient_clipping",
    "prescale_gradients", "zero_allow_untested_optimizer", "zero_force_ds_cpu_optimizer",
    "gradient_predivide_factor", "memory_breakdown", "disable_allgather", "seed",
    "optimizer.params*", "scheduler*", "fp16.*", "bf16.*", "amp*", "tensorboard*", "wandb*",
    "csv_monitor*", "comms_logger*", "flops_profiler*", "monitor_config*", "comet*",
    "elasticity*", "autotuning*", "aio*", "checkpoint*", "data_efficiency*", "timers*",
    "local_rank", "activation_checkpointing.*", "zero_optimization.contiguous_gradients",
    "zero_optimization.reduce_scatter", "zero_optimization.allgather_partitions",
    "zero_optimization.round_robin_gradients", "zero_optimization.ignore_unused_parameters",
    "zero_optimization.stage3_gather_16bit_weights_on_model_save",
    "zero_optimization.stage3_gather_fp16_weights_on_model_save",
    "zero_optimization.stage3_module_granularity_threshold",
    "zero_optimization.elastic_checkpoint", "zero_optimization.load_from_fp32_weights",
    "zero_optimization.memory_efficient_linear", "zero_optimization.log_trace_cache_warnings",
    "zero_optimization.offload_optimizer.*", "zero_optimization.offload_param.*",
};

constexpr std::string_view kVerl[] = {
    "--config-path", "--config-name", "data.*", "trainer.*", "algorithm.*", "critic.*",
    "reward_model.*", "reward.*", "custom_reward_function.*", "global_profiler.*", "ray_kwargs.*",
    "ray_init.*", "env.*", "hydra.*", "transfer_queue.*",
    "actor_rollout_ref.nccl_timeout", "actor_rollout_ref.hybrid_engine",
    "actor_rollout_ref.model.trust_remote_code", "actor_rollout_ref.model.use_shm",
    "actor_rollout_ref.model.lora_alpha", "actor_rollout_ref.model.use_remove_padding",
    "actor_rollout_ref.model.custom_chat_template", "actor_rollout_ref.model.tokenizer_path",
    "actor_rollout_ref.model.external_lib", "actor_rollout_ref.model.exclude_modules",
    "actor_rollout_ref.model.fused_kernel_options.*",
    "actor_rollout_ref.actor.optim.*", "actor_rollout_ref.actor.clip*",
    "actor_rollout_ref.actor.kl_loss*", "actor_rollout_ref.actor.loss_agg_mode",
    "actor_rollout_ref.actor.grad_clip", "actor_rollout_ref.actor.ppo_epochs",
    "actor_rollout_ref.actor.shuffle", "actor_rollout_ref.actor.checkpoint.*",
    "actor_rollout_ref.actor.policy_loss.*", "actor_rollout_ref.actor.profiler.*",
    "actor_rollout_ref.actor.use_torch_compile", "actor_rollout_ref.actor.megatron.use_mbridge",
    "actor_rollout_ref.actor.megatron.vanilla_mbridge", "actor_rollout_ref.actor.megatron.seed",
    "actor_rollout_ref.actor.fsdp_config.wrap_policy.*",
    "actor_rollout_ref.actor.fsdp_config.forward_prefetch",
    "actor_rollout_ref.actor.fsdp_config.use_torch_compile",
    "actor_rollout_ref.actor.megatron.*checkpointing*",
    "actor_rollout_ref.ref.*",
    "actor_rollout_ref.rollout.mode", "actor_rollout_ref.rollout.temperature",
    "actor_rollout_ref.rollout.top_*", "actor_rollout_ref.rollout.val_kwargs.*",
    "actor_rollout_ref.rollout.load_format", "actor_rollout_ref.rollout.multi_turn.*",
    "actor_rollout_ref.rollout.agent.*", "actor_rollout_ref.rollout.calculate_log_probs",
    "actor_rollout_ref.rollout.disable_log_stats", "actor_rollout_ref.rollout.do_sample",
    "actor_rollout_ref.rollout.enable_chunked_prefill", "actor_rollout_ref.rollout.ignore_eos",
    "actor_rollout_ref.rollout.layered_summon", "actor_rollout_ref.rollout.prompt_length",
    "actor_rollout_ref.rollout.response_length", "actor_rollout_ref.rollout.trace.*",
    "actor_rollout_ref.rollout.free_cache_engine", "actor_rollout_ref.rollout.profiler.*",
    "actor_rollout_ref.rollout.enable_prefix_caching", "actor_rollout_ref.rollout.dtype",
};

constexpr std::string_view kTorchtitan[] = {
    "job.*", "profiling.*", "metrics.*", "checkpoint.*", "comm.*", "lr_scheduler.*",
    "validation.*", "debug.*", "fault_tolerance.*", "experimental.custom_*", "experimental.seed",
    "model.tokenizer_path", "model.hf_assets_path", "model.norm_type",
    "model.print_after_conversion", "model.converters", "optimizer.lr", "optimizer.eps",
    "optimizer.beta1", "optimizer.beta2", "optimizer.weight_decay", "training.steps",
    "training.warmup_steps", "training.dataset*", "training.data_parallel_type",
    "training.max_norm", "training.seed", "training.deterministic", "training.gc_freq",
    "training.gc_debug", "training.dtype", "training.enable_async_tensor_parallel",
    "experimental.enable_async_tensor_parallel", "experimental.context_parallel_rotate_method",
    "parallelism.enable_async_tensor_parallel", "parallelism.context_parallel_rotate_method",
    "parallelism.enable_compiled_autograd", "parallelism.module_fqns_per_model_part",
    "parallelism.pipeline_parallel_expert_parallel_overlap",
    "activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns",
    "activation_checkpoint.early_stop", "activation_checkpoint.selective_ac_option", "quantize*",
    "float8.*", "mx.*", "compile.*",
};

constexpr std::string_view kAxolotl[] = {
    "accelerator_config.dispatch_batches", "accelerator_config.split_batches", "adam_*",
    "auto_resume_from_checkpoints", "bench_*", "chat_template*", "cloud*", "comet_*", "cosine_*",
    "curriculum_sampling", "dataloader_*", "dataset*", "ddp", "ddp_broadcast_buffers",
    "ddp_find_unused_parameters", "ddp_timeout", "debug", "default_system_message", "device",
    "device_map", "do_bench_eval", "do_causal_lm_eval", "early_stopping_patience", "embedding_lr*",
    "eot_tokens", "eta_min", "eval_*", "evals_per_epoch", "evaluation_strategy",
    "excess_length_strategy", "experimental_skip_move_to_device", "fsdp_final_state_dict_type",
    "gc_collect_steps", "gc_steps", "generate_samples", "generation_*", "gpu_count",
    "gptq_disable_exllama", "gptq_groupsize", "gptq_model_v1", "gradient_checkpointing_kwargs.*",
    "greater_is_better", "group_by_length", "hf_use_auth_token", "hub_*", "include_*",
    "is_falcon_derived_model", "is_llama_derived_model", "is_mistral_derived_model",
    "is_preprocess", "is_qwen_derived_model", "learning_rate", "load_best_model_at_end",
    "local_rank", "logging_steps", "lora_alpha", "lora_fan_in_fan_out", "lora_model_dir",
    "loraplus_*", "loss_watchdog_*", "low_cpu_mem_usage", "lr_*", "max_grad_norm",
    "max_packed_sequence_len", "max_prompt_len", "max_steps", "mean_resizing_embeddings",
    "merge_lora", "merge_method", "metric_for_best_model", "min_sample_len", "mlflow_*",
    "model_config.output_router_logits", "model_revision", "model_type", "multipack_real_batches",
    "neftune_noise_alpha", "noisy_embedding_alpha", "num_dataset_shards_to_save", "num_epochs", "num_generation_samples",
    "otel_*", "output_dir", "pad_to_multiple_of", "pad_to_sequence_len", "peft.*",
    "peft_init_lora_weights", "peft_use_rslora", "preprocess_iterable", "pretrain_*",
    "pretraining_*", "profiler_*", "push_*", "ray_*", "remove_unused_columns", "resources_*",
    "resume_from_checkpoint", "revision_of_model", "rope_scaling", "s2_attention", "sample_packing*",
    "save_*", "saves_per_epoch", "seed", "shuffle_*", "skip_prepare_dataset", "special_tokens*",
    "streaming*", "strict", "swanlab_*", "test_datasets*", "tf32", "tokenizer_*", "tokens*",
    "torch_compile_backend", "torch_empty_cache_steps", "torchdistx_path", "trackio_*",
    "train_on_inputs", "trust_remote_code", "use_comet", "use_mlflow", "use_otel_metrics",
    "use_ray", "use_swanlab", "use_tensorboard", "use_trackio", "use_wandb", "val_set_size",
    "wandb_*", "warmup_*", "weight_decay", "world_size",
    // of fsdp_config
    "cpu_offload_pin_memory", "cpu_ram_efficient_loading", "final_state_dict_type",
    "state_dict_type", "sync_module_states", "transformer_layer_cls_to_wrap",
};

constexpr std::string_view kTrainer[] = {
    "command", "-m", "--adam-*", "--assistant-only-loss", "--completion-only-loss", "--data-*",
    "--dataloader-*", "--dataset-*", "--dataset*", "--ddp-timeout", "--do-eval", "--do-train",
    "--eos-token", "--eval-*", "--evaluation-strategy", "--env.*", "--fsdp-config.*",
    "--fsdp-transformer-layer-cls-to-wrap", "--gradient-checkpointing-kwargs.*",
    "--group-by-length", "--hub-*", "--learning-rate", "--load-best-model-at-end", "--local-rank",
    "--log-*", "--logging-*", "--lora-alpha", "--lora-task-type", "--lr-scheduler-*",
    "--machine-rank", "--main-process-*", "--main-training-function", "--master-addr",
    "--master-port", "--max-grad-norm", "--max-restarts", "--max-steps",
    "--model-revision", "--node-rank", "--num-train-epochs", "--output-dir",
    "--overwrite-output-dir", "--packing", "--packing-strategy", "--per-device-eval-batch-size",
    "--preprocessing-num-workers", "--project", "--push-to-hub", "--rdzv-*",
    "--remove-unused-columns", "--report-to", "--resume-from-checkpoint", "--run-name", "--save-*",
    "--seed", "--standalone", "--streaming", "--tf32", "--train-file", "--trust-remote-code",
    "--use-fast-tokenizer", "--validation-*", "--warmup-*", "--weight-decay",
};

constexpr std::string_view kMegatron[] = {
    "command", "--lr*", "--min-lr", "--start-weight-decay", "--end-weight-decay",
    "--weight-decay*", "--adam-*", "--sgd-momentum", "--clip-grad", "--train-iters",
    "--train-samples", "--save*", "--load", "--no-load-*", "--no-save-*", "--finetune",
    "--data-*", "--split", "--train-data-path", "--valid-data-path", "--test-data-path",
    "--vocab-file", "--merge-file", "--tokenizer-*", "--log-*", "--eval-*", "--tensorboard-*",
    "--wandb-*", "--seed", "--init-method-*", "--distributed-backend",
    "--distributed-timeout-minutes", "--exit-*", "--num-workers", "--rotary-*", "--norm-epsilon",
    "--layernorm-epsilon", "--overlap-*", "--tp-comm-*", "--use-mcore-models",
    "--use-legacy-models", "--apply-layernorm-1p", "--attention-softmax-in-fp32",
    "--no-masked-softmax-fusion", "--no-bias-*", "--no-rope-fusion",
    "--no-gradient-accumulation-fusion", "--no-async-tensor-model-parallel-allreduce", "--ckpt-*",
    "--dist-ckpt-*", "--use-dist-ckpt", "--auto-detect-ckpt-format", "--async-save", "--profile*",
    "--manual-gc*", "--timing-log-*", "--check-for-nan-*", "--no-check-for-nan-*", "--override-*",
    "--use-checkpoint-*", "--reset-*", "--mock-data", "--dataloader-type", "--eod-mask-loss",
    "--create-attention-mask-in-dataloader", "--no-create-attention-mask-in-dataloader",
    "--position-embedding-*", "--use-rope-scaling", "--rope-*", "--mrope-*", "--squared-relu",
    "--untie-embeddings-and-output-weights", "--make-vocab-size-divisible-by",
    "--max-position-embeddings", "--moe-router-*", "--moe-aux-loss-coeff", "--moe-z-loss-coeff",
    "--moe-token-dispatcher-type", "--moe-grouped-gemm", "--moe-permute-fusion",
    "--moe-enable-deepep", "--moe-per-layer-logging", "--delay-wgrad-compute",
    "--accumulate-allreduce-grads-in-fp32", "--initial-loss-scale", "--loss-scale*",
    "--min-loss-scale", "--hysteresis", "--rampup-batch-size", "--override-opt_param-scheduler",
    "--ddp-*", "--align-*", "--no-align-*", "--cross-entropy-*", "--calculate-per-token-loss",
    "--master-addr", "--master-port", "--node-rank", "--rdzv-*", "--local-rank", "--max-restarts",
    "--tee", "--redirects", "--standalone", "-m", "--fp8-*", "--first-last-layers-bf16",
    "--disable-straggler-*", "--transformer-impl", "--enable-experimental", "--bf16", "--spec*",
    "--kv-channels", "--group-query-attention", "--no-mmap-bin-files",
    "--num-dataset-builder-threads", "--use-tp-pp-dp-mapping", "--nccl-communicator-config-path",
    "--apply-query-key-layer-scaling", "--microbatch-group-size-per-virtual-pipeline-stage",
    "--pytorch-profile*", "--te-rng-tracker", "--attention-backend",
    "--distribute-saved-activations", "--inference-*",
};

constexpr std::string_view kVllm[] = {
    "command", "--host", "--port", "--uds", "--api-key", "--api-server-count",
    "--served-model-name", "--trust-remote-code", "--chat-template*", "--tokenizer*",
    "--revision", "--code-revision", "--seed", "--download-dir", "--load-format",
    "--config-format", "--model-loader-extra-config", "--enable-auto-tool-choice", "--tool-call-parser",
    "--tool-parser-plugin", "--reasoning-parser", "--enable-reasoning", "--disable-log-requests",
    "--disable-log-stats", "--enable-log-requests", "--uvicorn-log-level", "--allowed-*",
    "--allow-credentials", "--ssl-*", "--root-path", "--middleware", "--response-role",
    "--generation-config", "--override-generation-config", "--max-logprobs",
    "--guided-decoding-backend", "--distributed-executor-backend", "--scheduling-policy",
    "--async-scheduling", "--disable-custom-all-reduce", "--task", "--runner", "--convert",
    "--enable-chunked-prefill", "--no-enable-chunked-prefill", "--swap-space",
    "--disable-frontend-multiprocessing", "--master-addr", "--master-port", "--node-rank",
    "--headless", "--data-parallel-address", "--data-parallel-rpc-port", "--worker-use-ray",
    "--hf-overrides", "--rope-scaling", "--rope-theta", "--version",
    "-h", "-m", "--nnodes", "--all2all-backend", "--lora-modules", "--fully-sharded-loras",
    "--enable-prompt-tokens-details", "--enable-server-load-tracking", "--enable-force-include-usage",
    "--disable-uvicorn-access-log", "--disable-fastapi-docs", "--long-prefill-token-threshold",
    "--attention-backend", "--mm-encoder-attn-backend", "--kv-events-config", "--otlp-*",
    "--collect-detailed-traces", "--show-hidden-metrics-*", "--skip-tokenizer-init",
    "--use-tqdm-on-load", "--use-v2-block-manager", "--structured-outputs-config",
    "VLLM_LOGGING_*", "VLLM_CONFIGURE_LOGGING", "VLLM_HOST_IP", "VLLM_API_KEY", "VLLM_PORT",
    "VLLM_ATTENTION_BACKEND", "VLLM_USE_MODELSCOPE", "VLLM_WORKER_MULTIPROC_METHOD",
    "VLLM_NO_USAGE_STATS", "VLLM_DO_NOT_TRACK", "VLLM_CACHE_ROOT",
    "VLLM_ENGINE_ITERATION_TIMEOUT_S", "VLLM_RPC_TIMEOUT", "VLLM_ALLOW_LONG_MAX_MODEL_LEN",
};

constexpr std::string_view kSglang[] = {
    "--host", "--port", "--api-key", "--served-model-name", "--trust-remote-code",
    "--tokenizer-*", "--chat-template", "--completion-template", "--revision", "--seed",
    "--random-seed", "--download-dir", "--load-format", "--model-loader-extra-config",
    "--log-*", "--show-time-cost", "--enable-metrics*", "--enable-request-time-stats-logging",
    "--decode-log-interval", "--watchdog-timeout", "--dist-timeout", "--dist-init-addr",
    "--nccl-init-addr", "--nccl-port", "--nnodes", "--node-rank", "--schedule-policy",
    "--schedule-conservativeness", "--tool-call-parser", "--reasoning-parser",
    "--grammar-backend", "--sampling-*", "--preferred-sampling-params", "--attention-backend",
    "--prefill-attention-backend", "--decode-attention-backend", "--mm-attention-backend",
    "--moe-runner-backend", "--moe-a2a-backend", "--fp8-gemm-backend", "--disable-radix-cache",
    "--disable-overlap-schedule", "--disable-custom-all-reduce", "--enable-torch-compile",
    "--torch-compile-max-bs", "--warmups", "--skip-server-warmup", "--skip-tokenizer-init",
    "--stream-interval", "--stream-output", "--constrained-json-*", "--load-balance-method",
    "--max-queued-requests", "--max-prefill-tokens", "--crash-dump-folder",
    "--enable-cache-report", "--speculative-eagle-topk", "--speculative-attention-mode",
    "--device", "--base-gpu-id", "--gpu-id-step", "--disable-chunked-prefix-cache",
    "--enable-mixed-chunk", "--enable-p2p-check", "--numa-node", "--json-model-override-args",
    "--triton-attention-*", "--file-storage-path", "--fastapi-root-path", "SGLANG_USE_MODELSCOPE", "SGLANG_LOGGING_CONFIG_PATH",
    "SGLANG_TORCH_PROFILER_DIR", "SGLANG_HOST_IP", "SGLANG_PORT", "SGLANG_CACHE_DIR",
};

constexpr std::string_view kLlamaCpp[] = {
    "--host", "--port", "--api-key*", "--api-prefix", "--path", "--ssl-*", "-to", "--timeout",
    "--threads-http", "-t", "--threads", "-tb", "--threads-batch", "-C", "--cpu-*", "--prio*",
    "--poll*", "-b", "--batch-size", "-n", "--predict", "--n-predict", "--keep", "-p", "--prompt",
    "-f", "--file", "-sys", "--system-prompt*", "-fa", "--flash-attn", "--jinja", "--no-jinja",
    "--chat-template*", "--reasoning-*", "-a", "--alias", "--temp", "--temperature", "--top-*",
    "--min-p", "--typical", "--repeat-*", "--presence-penalty", "--frequency-penalty", "--dry-*",
    "--xtc-*", "--mirostat*", "--samplers", "--sampling-seq", "-s", "--seed", "--logit-bias",
    "--grammar*", "-j", "--json-schema*", "--ignore-eos", "--metrics", "--slots", "--no-slots",
    "--props", "--slot-*", "--cache-reuse", "--cache-prompt", "--no-cache-prompt", "-cb",
    "--cont-batching", "-nocb", "--no-cont-batching", "-cnv", "--conversation",
    "-no-cnv", "--no-conversation", "-v", "--verbose", "-lv", "--verbosity", "--log-*",
    "--no-webui", "--webui", "--offline", "--mlock", "--no-mmap", "--mmap", "--numa",
    "--no-warmup", "--warmup", "--no-perf", "--perf", "-e", "--escape", "--color", "--special",
    "--context-shift", "--no-context-shift", "-hft", "--hf-token", "--check-tensors", "-mu",
    "--model-url", "--rope-*", "--yarn-*", "--grp-attn-*", "--defrag-thold", "-dt", "--device",
    "-dev", "--list-devices", "-ngld", "--gpu-layers-draft", "-devd", "--device-draft",
    "--draft-min", "--draft-p-min", "-kvu", "--kv-unified", "-fit", "--fit", "-fitt",
    "--fit-target", "-fitc", "--fit-ctx", "LLAMA_ARG_HOST", "LLAMA_ARG_PORT",
    "LLAMA_ARG_THREADS", "LLAMA_ARG_FLASH_ATTN", "-ctxcp", "--ctx-checkpoints", "-cram",
    "--cache-ram", "-i", "-if", "-st", "--single-turn", "--simple-io", "-r",
};

constexpr std::string_view kTrtLlm[] = {
    "--host", "--port", "--backend", "--tokenizer", "--trust-remote-code", "--log-level",
    "--num-postprocess-workers", "--cluster-size", "--gpus-per-node", "--max-beam-width",
    "--reasoning-parser", "--tool-parser", "--metadata-server-config-file", "--server-role",
    "--fail-fast-on-attention-window-too-large", "--otlp-traces-endpoint", "--enable-chunked-prefill",
    "--disagg-cluster-uri", "--chat-template", "--served-model-name",
};

// clang-format on

} // namespace

std::span<const std::string_view> configHarmless()
{
    return kConfig;
}

std::span<const std::string_view> deepSpeedHarmless()
{
    return kDeepSpeed;
}

std::span<const std::string_view> torchtitanHarmless()
{
    return kTorchtitan;
}

std::span<const std::string_view> axolotlHarmless()
{
    return kAxolotl;
}

std::span<const std::string_view> trainerHarmless()
{
    return kTrainer;
}

std::span<const std::string_view> megatronHarmless()
{
    return kMegatron;
}

std::span<const std::string_view> vllmHarmless()
{
    return kVllm;
}

std::span<const std::string_view> sglangHarmless()
{
    return kSglang;
}

std::span<const std::string_view> llamaCppHarmless()
{
    return kLlamaCpp;
}

std::span<const std::string_view> trtLlmHarmless()
{
    return kTrtLlm;
}

std::span<const std::string_view> verlHarmless()
{
    return kVerl;
}

} // namespace vramscope
