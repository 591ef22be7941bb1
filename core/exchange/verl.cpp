// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/exchange/formats.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

// Keys and defaults of verl's trainer/config (ppo_trainer.yaml, ppo_megatron_trainer.yaml and their
// parts), at 1dda039b and b178a3cd.

constexpr std::string_view kActor = "actor_rollout_ref.actor.";
constexpr std::string_view kRollout = "actor_rollout_ref.rollout.";

constexpr WordPair kVerlOptimizers[] = {{"true", "megatron-distributed-optimizer"},
                                        {"false", "megatron"}};
constexpr WordPair kVerlRecompute[] = {{"true", "full"}, {"false", "none"}};
constexpr WordPair kVerlLiger[] = {{"true", "fused"}, {"false", "eager"}};
constexpr WordPair kVerlTrue[] = {{"true", "true"}};
constexpr WordPair kSleepLevels[] = {{"true", "2"}, {"false", "0"}};

constexpr SettingRow kVerlDegrees[] = {
    {"tensor_model_parallel_size", "parallel.tensor"},
    {"pipeline_model_parallel_size", "parallel.pipeline"},
    {"context_parallel_size", "parallel.context"},
    {"expert_model_parallel_size", "parallel.expert"},
    {"expert_tensor_parallel_size", "parallel.expert_tensor"},
    {"use_distributed_optimizer", "parallel.strategy", Always, kVerlOptimizers,
     "megatron-distributed-optimizer"},
};
constexpr SettingRow kVerlActivations[] = {
    {"enable_gradient_checkpointing", "activations.checkpointing", Always, kVerlRecompute, "full"},
    {"enable_activation_offload", "activations.offload", Always, kVerlTrue},
    {"use_liger", "activations.kernels", Always, kVerlLiger, "eager"},
};
constexpr SettingRow kVerlOffloads[] = {
    {"param_offload", "rl.param_offload", Always, {}, "false"},
    {"optimizer_offload", "rl.optimizer_offload", Always, {}, "false"},
};
constexpr WordPair kVerlEngines[] = {
    {"vllm", "vllm"}, {"sglang", "sglang"}, {"trtllm", "trt-llm"}, {"hf", "hf"}};

std::string actor(std::string_view key)
{
    return std::string(kActor).append(key);
}

std::string rollout(std::string_view key)
{
    return std::string(kRollout).append(key);
}

std::int64_t countOr(Translation &t, const std::string &key, std::int64_t usual)
{
    return std::max<std::int64_t>(t.count(key).value_or(usual), 1);
}

void importCluster(Translation &t)
{
    const std::int64_t each = countOr(t, "trainer.n_gpus_per_node", 8);
    constexpr std::int64_t kMost = 1'000'000;
    t.set("hardware.gpus",
          std::min(each, kMost) * std::min(countOr(t, "trainer.nnodes", 1), kMost));
}

/// Whether Megatron trains; otherwise FSDP.
bool importStrategy(Translation &t)
{
    const std::string name = t.text(actor("strategy")).value_or("");
    const std::string config = t.text("--config-name").value_or("");
    const bool megatron = name == "megatron" || (name.empty() && t.hasWithin(actor("megatron."))) ||
                          config.find("megatron") != config.npos;
    if (megatron) {
        t.read(kVerlDegrees, actor("megatron."));
        t.set("parallel.sequence", t.isOn(actor("megatron.sequence_parallel"), true) &&
                                       t.plan().parallel.tensor.value_or(1) > 1);
        fillDataParallel(t);
        t.set("precision.regime", "megatron-bf16");
        t.set("activations.kernels", "megatron-te");
        return true;
    }
    const std::int64_t ulysses = countOr(t, actor("ulysses_sequence_parallel_size"),
                                         countOr(t,
                                                 actor("fsdp_config.ulysses_sequence_parallel_"
                                                       "size"),
                                                 1));
    if (ulysses > 1) {
        t.set("parallel.context", ulysses);
        t.set("parallel.context_exchange", "ulysses");
    }
    fillDataParallel(t);
    t.set("parallel.strategy", name == "fsdp2" ? "fsdp2" : "fsdp1");
    const bool reshards = t.isOn(actor("fsdp_config.reshard_after_forward"), true);
    const auto group = t.count(actor("fsdp_config.fsdp_size")).value_or(-1);
    if (group > 0 && group < t.plan().hardware.gpus.value_or(1)) {
        t.set("parallel.sharding", "hybrid_shard");
        t.set("parallel.shard_group", group);
    } else if (!reshards) {
        t.set("parallel.sharding", "shard_grad_op");
    }
    t.set("precision.regime", "fsdp-mixed-bf16");
    const std::string type = t.text(actor("fsdp_config.model_dtype")).value_or("fp32");
    if (type == "bfloat16" || type == "bf16")
        t.set("precision.weight_bytes", std::int64_t(2));
    if (t.isOn(actor("fsdp_config.offload_policy")))
        t.set("parallel.cpu_offload", true);
    return false;
}

void importModel(Translation &t, bool megatron)
{
    if (const auto path = t.text("actor_rollout_ref.model.path"))
        setModel(t, *path);
    const auto rank = t.count("actor_rollout_ref.model.lora_rank").value_or(0);
    t.clear("adapters");
    if (rank > 0) {
        t.set("adapters.kind", "lora");
        t.set("adapters.rank", rank);
        t.set("adapters.targets", TextList{"all-linear"});
        const auto targets = t.text("actor_rollout_ref.model.target_modules");
        if (targets && *targets != "all-linear")
            t.note("names modules; adapters are counted on all linear layers: set "
                   "adapters.targets.");
    }
    if (megatron)
        return; // whose recomputation uses Megatron's own words
    t.read(kVerlActivations, "actor_rollout_ref.model.");
}

void importRecomputation(Translation &t)
{
    const std::string prefix = actor("megatron.override_transformer_config.recompute_");
    const auto how = t.text(prefix + "granularity");
    t.set("activations.checkpointing", how == "full"        ? "full"
                                       : how == "selective" ? "selective-attention"
                                                            : "none");
    if (how == "full" && t.text(prefix + "method") == "block") {
        t.set("activations.checkpointing", "block");
        t.carry("activations.blocks", prefix + "num_layers");
    }
    t.takeAll(prefix);
}

/// Sequences of `tokens`, if batches are filled up to a number of tokens per rank.
std::int64_t sequencesOf(Translation &t, std::int64_t tokens)
{
    const std::int64_t ranks = t.plan().parallel.context.value_or(1);
    const std::int64_t length =
        std::max<std::int64_t>(t.plan().batch.sequenceLength.value_or(1), 1);
    return std::clamp<std::int64_t>(std::min<std::int64_t>(tokens, 1'000'000'000) * ranks / length,
                                    1, 1'000'000);
}

/// Sequences per pass on each GPU, from verl's three ways to set them.
std::int64_t microBatch(Translation &t, const std::string &prefix, const std::string &micro,
                        const std::string &tokens, bool dynamic, std::int64_t usual)
{
    const auto each = t.count(prefix + micro + "_per_gpu");
    const auto all = t.count(prefix + micro);
    const auto most = t.count(prefix + tokens);
    if (dynamic) {
        t.note("Batches are filled up to a number of tokens: counted as sequences of full length.");
        return sequencesOf(t, most.value_or(16'384));
    }
    if (each)
        return *each;
    const std::int64_t data = std::max<std::int64_t>(t.plan().parallel.data.value_or(1), 1);
    return all ? std::max<std::int64_t>(*all / data, 1) : usual;
}

void importBatches(Translation &t)
{
    const std::int64_t prompt = countOr(t, "data.max_prompt_length", 512);
    const std::int64_t response = countOr(t, "data.max_response_length", 512);
    constexpr std::int64_t kMost = 1'000'000'000;
    t.set("batch.sequence_length", std::min(prompt, kMost) + std::min(response, kMost));
    const bool dynamic = t.isOn(actor("use_dynamic_bsz"));
    const std::int64_t micro = microBatch(t, std::string(kActor), "ppo_micro_batch_size",
                                          "ppo_max_token_len_per_gpu", dynamic, 1);
    t.set("batch.micro_batch", micro);
    const std::int64_t mini = countOr(t, actor("ppo_mini_batch_size"), 256);
    const std::int64_t answers = countOr(t, rollout("n"), 1);
    const std::int64_t data = std::max<std::int64_t>(t.plan().parallel.data.value_or(1), 1);
    const std::int64_t held = t.plan().batch.microBatch.value_or(1); // limited to its range
    const std::int64_t steps =
        std::min(mini, kMost) * std::min<std::int64_t>(answers, 1'000'000) / (data * held);
    t.set("batch.accumulation_steps", std::clamp<std::int64_t>(steps, 1, 1'000'000));
    const bool dynamicForward = t.isOn(rollout("log_prob_use_dynamic_bsz"), dynamic);
    t.set("rl.log_prob_micro_batch",
          microBatch(t, std::string(kRollout), "log_prob_micro_batch_size",
                     "log_prob_max_token_len_per_gpu", dynamicForward, micro));
    const bool fused = t.isOn("actor_rollout_ref.model.use_fused_kernels");
    t.set("loss", fused ? "linear-fused" : "in-place");
    if (!fused)
        t.note("", "The loss is flash-attn's, which writes its gradient over the logits; without "
                   "flash-attn verl takes PyTorch's, and more.");
    const auto entropy = t.number(actor("entropy_coeff"));
    if (entropy && *entropy != 0)
        t.note(actor("entropy_coeff"), "keeps what the entropy of all logits needs for its "
                                       "gradient, which is not counted.");
}

void importEngine(Translation &t)
{
    const std::string name = t.text(rollout("name")).value_or("vllm");
    const auto *const engine = std::ranges::find(kVerlEngines, name, &WordPair::theirs);
    const bool known = engine != std::end(kVerlEngines);
    t.clear("inference");
    if (!known)
        t.note(rollout("name"), "is no engine that is known; counted as vLLM.");
    const std::string ours(known ? engine->ours : "vllm");
    t.set("inference.engine", ours);
    const double share = t.number(rollout("gpu_memory_utilization")).value_or(0.5);
    if (ours == "sglang")
        t.set("inference.sglang.mem_fraction_static", share);
    else if (ours == "trt-llm")
        t.set("inference.trtllm.free_gpu_memory_fraction", share);
    else if (ours == "vllm")
        t.set("inference.gpu_memory_utilization", share);
    t.set("inference.max_model_len",
          t.count(rollout("max_model_len")).value_or(t.plan().batch.sequenceLength.value_or(1024)));
    if (ours == "vllm" || ours == "trt-llm") {
        t.set("inference.max_num_seqs", countOr(t, rollout("max_num_seqs"), 256));
        t.set("inference.max_num_batched_tokens",
              countOr(t, rollout("max_num_batched_tokens"), 8192));
    }
    if (t.isOn(rollout("enforce_eager")) && ours == "vllm")
        t.set("inference.cuda_graph_bytes", std::int64_t(0));
    t.set("rl.tensor", countOr(t, rollout("tensor_model_parallel_size"), 2));
    // VLLM_SLEEP_LEVEL of verl/third_party/vllm.
    t.read({rollout("free_cache_engine"), "rl.sleep_level", Always, kSleepLevels, "2"});
    const auto bucket = t.count(rollout("checkpoint_engine.update_weights_bucket_megabytes") + ' ' +
                                rollout("update_weights_bucket_megabytes"));
    constexpr std::int64_t kMiB = 1 << 20;
    t.set("rl.sync_bucket_bytes", std::min<std::int64_t>(bucket.value_or(2048), 1'000'000) * kMiB);
}

void importRoles(Translation &t, bool megatron)
{
    const std::string place = megatron ? "megatron." : "fsdp_config.";
    t.read(kVerlOffloads, actor(place));
    t.take(actor(place + "grad_offload"));
    const bool distance = t.isOn(actor("use_kl_loss")) || t.isOn("algorithm.use_kl_in_reward");
    const bool reference = distance && t.plan().adapters.kind != AdapterKind::Lora;
    t.set("rl.reference", reference);
    const bool offloads = t.isOn("actor_rollout_ref.ref." + place + "param_offload") || !megatron;
    if (reference) // FSDP's reference is always on the host (verl/workers/fsdp_workers.py)
        t.set("rl.reference_offload", offloads);
    const std::string advantage = t.text("algorithm.adv_estimator").value_or("gae");
    t.set("rl.critic", advantage == "gae");
    if (advantage == "gae")
        t.note("algorithm.adv_estimator", "gae trains a critic, counted like the policy whatever "
                                          "critic.* says.");
}

} // namespace

std::vector<ForeignSetting> verlSettings(const std::vector<ShellWord> &words)
{
    std::vector<ForeignSetting> settings;
    const auto add = [&](std::string_view key, std::string_view value, int line) {
        if (value != "null" && value != "None")
            settings.push_back({std::string(key), std::string(value),
                                "line " + formatCount(line) + ", " + std::string(key)});
    };
    for (std::size_t at = 0; at < words.size(); ++at) {
        std::string_view text = words[at].text;
        text.remove_prefix(std::min(text.find_first_not_of('+'), text.size()));
        const std::size_t equals = text.find('=');
        const std::string_view key = text.substr(0, equals);
        const bool config = key == "--config-name";
        if (equals != text.npos && (config || key.find('.') != key.npos))
            add(key, text.substr(equals + 1), words[at].line);
        else if (config && at + 1 < words.size())
            add(key, words[at + 1].text, words[at].line);
    }
    return settings;
}

Imported importVerl(Translation t)
{
    t.set("workload", "rl");
    t.set("trainer", "verl");
    importCluster(t);
    t.clear("precision");
    const bool megatron = importStrategy(t);
    importModel(t, megatron);
    if (megatron)
        importRecomputation(t);
    importBatches(t);
    importEngine(t);
    importRoles(t, megatron);
    return std::move(t).finish("overrides of verl", "verl");
}

} // namespace vramscope
