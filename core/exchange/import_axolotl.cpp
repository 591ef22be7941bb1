// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/trainer_terms.h"
#include "core/planner/parameters.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Keys and defaults of axolotl 0.19: utils/schemas/config.py, training.py, peft.py and fsdp.py;
// what they do stands in utils/schemas/validation.py, utils/config/__init__.py, loaders/model.py,
// loaders/adapter.py and core/builders/.

constexpr std::array<WordPair, 3> kPrefetches = {
    {{"backward_pre", "pre"}, {"backward_post", "post"}, {"no_prefetch", "none"}}};
constexpr std::array<WordPair, 2> kRings = {
    {{"batch_ring", "ring"}, {"varlen_llama3", "all-gather"}}};
constexpr std::array<WordPair, 2> kExpertKernels = {{{"eager", "loop"}, {"grouped_mm", "grouped"}}};

bool isOn(Translation &t, Translation::Keys keys)
{
    return t.flag(keys).value_or(false);
}

bool isFsdp(const Plan &plan)
{
    return plan.parallel.strategy == Strategy::Fsdp1 || plan.parallel.strategy == Strategy::Fsdp2;
}

bool isZero(const Plan &plan)
{
    const auto strategy = plan.parallel.strategy;
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 ||
           strategy == Strategy::Zero3;
}

bool hasAdapters(const Plan &plan)
{
    return plan.adapters.kind == AdapterKind::Lora;
}

void importAxolotlModel(Translation &t)
{
    if (const auto name = t.text({"base_model"}))
        setModel(t, *name);
    if (t.text({"processor_type"}))
        t.note("belongs to a model of images or sound; its text part alone is counted.");
    for (const std::string_view key : {"rl", "reward_model", "process_reward_model"}) {
        const auto kind = t.text({key});
        if (!kind || *kind == "false")
            continue;
        t.note("trains another way than on a text's next tokens; counted as if it did not.");
        for (const std::string_view part : {"trl.", "vllm.", "ebft.", "dpo_", "kto_"})
            t.takeAll(part);
    }
}

void importTargetModules(Translation &t)
{
    TextList names;
    const bool linear = isOn(t, {"lora_target_linear"});
    if (const ForeignSetting *stated = t.take({"lora_target_modules"})) {
        const auto *pattern = std::get_if<std::string>(&stated->value);
        if (pattern && pattern->find_first_of("*+?[(\\^$|") != pattern->npos)
            t.note("is a pattern, which is not read; set adapters.targets.");
        else
            names = wordsOf(*stated);
    }
    if (linear) // find_all_linear_names() leaves out the head alone
        names.insert(names.begin(), "all-linear");
    importTargets(t, names);
}

/// Linear layers of bitsandbytes; experts, which are no linear layers since transformers 5, keep
/// 16 bit unless that is asked for.
void importBase(Translation &t, bool qlora)
{
    const bool four = isOn(t, {"load_in_4bit"});
    const bool eight = isOn(t, {"load_in_8bit"});
    if (isOn(t, {"gptq"}))
        return t.set("adapters.base_quantization", "gptq-int4-g128");
    if (four != qlora && (four || !eight))
        t.note("adapter", qlora ? "is qlora, which needs load_in_4bit: true."
                                : "is lora, beside which load_in_4bit has no effect.");
    const bool nested = t.flag({"bnb_config_kwargs.bnb_4bit_use_double_quant"}).value_or(true);
    if (qlora)
        t.set("adapters.base_quantization", nested ? "nf4-double" : "nf4");
    else if (eight)
        t.set("adapters.base_quantization", "int8");
    else
        return;
    const auto architecture = architectureOf(t.plan().model);
    const bool experts = isOn(t, {"quantize_moe_experts"});
    if (architecture && architecture->moe() && !experts)
        t.set("adapters.modules_to_not_convert", TextList{"embedding", "head", "expert"});
}

/// Kernels of axolotl's own are on by default, but not beside 8 bit, reinforcement or code of the
/// model (check_auto_enable_lora_kernels).
void noteLoraKernels(Translation &t)
{
    bool stated = false;
    bool on = false;
    for (const std::string_view key :
         {"lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel", "lora_embedding_kernel"}) {
        const auto kernel = t.flag({key});
        stated = stated || kernel;
        on = on || kernel.value_or(false);
    }
    const bool usual = t.plan().adapters.baseQuantization != BaseQuantization::Int8 &&
                       !t.has("rl") && !isOn(t, {"trust_remote_code"});
    if (on || (!stated && usual))
        t.note("lora_mlp_kernel", stated ? "keeps less for the backward pass than is counted."
                                         : "is on by default, with its like; such kernels keep "
                                           "less for the backward pass than is counted.");
}

void importAxolotlAdapters(Translation &t)
{
    t.clear("adapters");
    const auto adapter = t.text({"adapter"});
    if (!adapter) {
        for (const std::string_view part : {"lora_", "load_in_", "peft_"})
            t.takeAll(part);
        if (t.has("unfrozen_parameters") && t.takeAll("unfrozen_parameters"))
            t.note("trains a part of the model, which plans cannot say; all of it is counted.");
        return;
    }
    if (*adapter != "lora" && *adapter != "qlora")
        return t.note("is \"" + excerpt(*adapter, 40) + "\"; known are lora and qlora.");
    t.set("adapters.kind", "lora");
    t.carry("adapters.rank", {"lora_r"});
    if (!t.plan().adapters.rank)
        t.note("lora_r", "is not stated and has no default; set adapters.rank.");
    importTargetModules(t);
    if (t.takeAll("lora_target_parameters"))
        t.note("adds adapters to tensors of experts, which plans cannot say; left out.");
    if (t.take({"lora_modules_to_save"}))
        t.note("trains whole modules beside the adapters, which is not counted.");
    if (isOn(t, {"peft_use_dora"}))
        t.note("keeps a magnitude and a norm of each matrix beside LoRA, which is not counted.");
    t.set("adapters.dropout", t.number({"lora_dropout"}).value_or(0));
    importBase(t, *adapter == "qlora");
    noteLoraKernels(t);
}

void importAxolotlDegrees(Translation &t)
{
    t.set("parallel.tensor", t.count({"tensor_parallel_size"}).value_or(1));
    t.set("parallel.sequence", false); // transformers' tensor parallel plans do not split it
    const auto context = t.count({"context_parallel_size", "sequence_parallel_degree"}).value_or(1);
    t.set("parallel.context", context);
    if (context > 1) {
        const bool packed = isOn(t, {"sample_packing"});
        t.set("parallel.context_exchange", packed ? "all-gather" : "ring");
        t.translate("parallel.context_exchange", {"ring_attn_func"}, kRings);
    }
    t.takeAll("ring_attn_func");
    t.takeAll("heads_k_stride");
    t.carry("parallel.expert", {"expert_parallel_size"});
}

/// Degrees of sharding and replication; else all GPUs that the plan has are data parallel.
void importAxolotlData(Translation &t)
{
    const auto shard = t.count({"dp_shard_size"});
    const auto replicate = t.count({"dp_replicate_size"});
    constexpr std::int64_t kMost = 100'000;
    const bool sound =
        std::clamp(shard.value_or(1), std::int64_t(1), kMost) == shard.value_or(1) &&
        std::clamp(replicate.value_or(1), std::int64_t(1), kMost) == replicate.value_or(1);
    if (!sound)
        t.note("is out of range; it is left out.");
    else if (t.plan().hardware.gpus)
        fillDataParallel(t);
    else if (shard || replicate)
        t.set("parallel.data", shard.value_or(1) * replicate.value_or(1));
    else if (!t.plan().parallel.data)
        t.note("", "The launcher decides how many GPUs there are: set hardware.gpus and "
                   "parallel.data.");
    if (!sound || replicate.value_or(1) < 2 || !isFsdp(t.plan()))
        return;
    const std::int64_t all = t.plan().parallel.data.value_or(0);
    t.set("parallel.sharding", "hybrid_shard");
    if (all > 0 && all % *replicate == 0)
        t.set("parallel.shard_group", all / *replicate * t.plan().parallel.context.value_or(1));
}

/// FSDP1 unless version 2 is stated (check_fsdp_version_in_fsdp_config).
void importAxolotlFsdp(Translation &t, const TextList &words)
{
    const auto version =
        t.count({"fsdp_version", "fsdp_config.fsdp_version", "fsdp_config.version"});
    const bool second = version.value_or(1) == 2;
    t.set("parallel.strategy", second ? "fsdp2" : "fsdp1");
    t.set("parallel.sharding", "full_shard");
    bool offloads = isOn(t, {"fsdp_config.offload_params", "fsdp_config.fsdp_offload_params"});
    if (const auto word =
            t.text({"fsdp_config.sharding_strategy", "fsdp_config.fsdp_sharding_strategy"});
        word && !importSharding(t, *word))
        t.note("is \"" + excerpt(*word, 40) + "\", which is no sharding; it is left out.");
    for (const std::string &word : words) {
        offloads = offloads || word == "offload";
        importSharding(t, word);
    }
    const auto reshard =
        t.text({"fsdp_config.reshard_after_forward", "fsdp_config.fsdp_reshard_after_forward"});
    if (reshard && !importSharding(t, *reshard))
        t.set("parallel.sharding", *reshard == "false" ? "shard_grad_op" : "full_shard");
    t.set("parallel.cpu_offload", offloads);
    const auto policy =
        t.text({"fsdp_config.auto_wrap_policy", "fsdp_config.fsdp_auto_wrap_policy"});
    if (policy && lowered(*policy) != "transformer_based_wrap")
        t.note("shards other units than blocks; blocks are counted.");
    const Translation::Keys original = {"fsdp_config.use_orig_params",
                                        "fsdp_config.fsdp_use_orig_params"};
    const Translation::Keys prefetch = {"fsdp_config.backward_prefetch",
                                        "fsdp_config.fsdp_backward_prefetch"};
    const Translation::Keys ahead = {"fsdp_config.forward_prefetch",
                                     "fsdp_config.fsdp_forward_prefetch"};
    const Translation::Keys limit = {"fsdp_config.limit_all_gathers",
                                     "fsdp_config.fsdp_limit_all_gathers"};
    if (second) { // which has none of them
        for (const Translation::Keys keys : {original, prefetch, ahead, limit})
            t.take(keys);
        return;
    }
    t.set("parallel.backward_prefetch", "none"); // transformers' training_args.py
    t.translate("parallel.backward_prefetch", prefetch, kPrefetches);
    t.carry("parallel.use_orig_params", original);
    t.carry("parallel.forward_prefetch", ahead);
    t.carry("parallel.limit_all_gathers", limit);
}

void importAxolotlStrategy(Translation &t)
{
    const ForeignSetting *listed = t.take({"fsdp"});
    const TextList words = listed ? wordsOf(*listed) : TextList();
    if (t.hasWithin("deepspeed.")) {
        importDeepSpeedWithin(t, "deepspeed.");
    } else if (const auto file = t.text({"deepspeed"}); file && !file->empty()) {
        importAxolotlDeepSpeed(t, *file);
    } else if (!words.empty() || t.hasWithin("fsdp_config.")) {
        importAxolotlFsdp(t, words);
    } else {
        t.take({"fsdp_version"});
        t.set("parallel.strategy", "none");
    }
    importAxolotlData(t);
    const PlanParallel &parallel = t.plan().parallel;
    if (parallel.strategy == Strategy::None &&
        parallel.data.value_or(1) * parallel.context.value_or(1) > 1)
        t.set("parallel.strategy", "ddp");
}

/// The regime that a file asks for; bf16 is "auto" by default, which is on from Ampere on.
void importAxolotlPrecision(Translation &t)
{
    const bool half = isOn(t, {"fp16"});
    const std::string word = t.text({"bf16"}).value_or(half ? "false" : "auto");
    const bool pure = word == "full" || isOn(t, {"float16"});
    const bool bf16 = isOn(t, {"bfloat16"}) || word == "true" || (word == "auto" && !half);
    t.take({"float32"});
    const Plan &plan = t.plan();
    const bool fsdp = isFsdp(plan);
    if (isZero(plan))
        t.set("precision.regime", bf16 || pure ? "deepspeed-bf16"
                                  : half       ? "deepspeed-fp16"
                                               : "fp32");
    else if (bf16 || half)
        t.set("precision.regime", fsdp   ? "fsdp-mixed-bf16"
                                  : bf16 ? "autocast-bf16"
                                         : "autocast-fp16");
    else
        t.set("precision.regime", pure ? "pure-bf16" : "fp32");
    // accelerate makes what FSDP1 trains fp32, axolotl's own fsdp2_prepare_model() nothing
    // (monkeypatch/accelerate/fsdp2.py): weights stay in the 16 bit that they were loaded in.
    const bool second = plan.parallel.strategy == Strategy::Fsdp2;
    if ((bf16 || half) && fsdp && (second || hasAdapters(plan)))
        t.set("precision.weight_bytes", std::int64_t(2));
    if ((bf16 || half) && second && !hasAdapters(plan))
        t.set("precision.gradient_bytes", std::int64_t(2));
    if (isOn(t, {"fp8"}))
        t.set("precision.linear", "fp8");
}

/// Which of its values other than true keep activations on the host.
void importAxolotlCheckpointing(Translation &t)
{
    const std::string kind = t.text({"gradient_checkpointing"}).value_or("false");
    const std::string moved = t.text({"activation_offloading"}).value_or("false");
    const bool wrapped = isOn(
        t, {"fsdp_config.activation_checkpointing", "fsdp_config.fsdp_activation_checkpointing"});
    const bool on = kind != "false" || wrapped;
    const bool offloads = on && ((kind != "true" && kind != "false") || moved != "false");
    t.set("activations.checkpointing", on ? "full" : "none");
    t.set("activations.offload", offloads);
    // The offloader of TRL replaces recomputing beside adapters (_apply_activation_checkpointing).
    if (offloads && hasAdapters(t.plan()) && moved != "hidden_states" && kind != "unsloth")
        t.note("activation_offloading", "moves all that is kept to the host and recomputes "
                                        "nothing beside adapters; counted as recomputed.");
    const auto selective = t.text({"selective_checkpointing"});
    if ((selective && *selective != "false") || t.takeAll("selective_checkpointing."))
        t.note("selective_checkpointing", "keeps outputs of attention too, which are not counted.");
    if (isOn(t, {"layer_offloading"}))
        t.note("keeps frozen layers on the host; they are counted on the GPU.");
}

/// One of the flags of before attn_implementation, the special before the general ones
/// (LEGACY_ATTN_FLAG_TO_IMPL); without any it is transformers' own choice.
std::string importAxolotlAttention(Translation &t)
{
    constexpr std::array<WordPair, 6> kFlags = {{{"xformers_attention", "xformers"},
                                                 {"sage_attention", "sage"},
                                                 {"flex_attention", "flex_attention"},
                                                 {"flash_attention", "flash_attention_2"},
                                                 {"sdp_attention", "sdpa"},
                                                 {"eager_attention", "eager"}}};
    std::string name;
    for (const WordPair &flag : kFlags) {
        if (isOn(t, {flag.theirs}) && name.empty())
            name = flag.ours;
    }
    if (const auto stated = t.text({"attn_implementation"}))
        name = *stated;
    importAttention(t, name.empty() ? "sdpa" : std::string_view(name));
    if (name == "sdpa" && isOn(t, {"sample_packing"}))
        t.note("keeps packed samples apart by a mask of sequence by sequence, which is not "
               "counted.");
    return name;
}

/// Of a full fine-tuning on plain attention, norms, embedding and head stay in fp32
/// (_configure_embedding_dtypes).
void noteWideEmbedding(Translation &t, const std::string &attention, bool cut)
{
    const Plan &plan = t.plan();
    const bool plain = attention.empty() || attention == "sdpa" || attention == "eager";
    const bool sixteen = plan.precision.regime != Regime::Fp32;
    if (plain && sixteen && !cut && !hasAdapters(plan) && !isFsdp(plan) && !isZero(plan))
        t.note("attn_implementation", "leaves norms, embedding and head in fp32 where it is not "
                                      "flash attention; they are counted in 16 bit.");
}

bool hasPlugin(const TextList &plugins, std::string_view name)
{
    return std::ranges::any_of(plugins,
                               [&](const std::string &plugin) { return plugin.ends_with(name); });
}

struct LossSwitches
{
    bool cut, ligerHead, liger, chunked;
};

/// Plugins switch on what their own keys say, cut cross-entropy by being there.
LossSwitches importPlugins(Translation &t)
{
    const ForeignSetting *setting = t.take({"plugins"});
    const TextList plugins = setting ? wordsOf(*setting) : TextList();
    const bool liger = hasPlugin(plugins, "LigerPlugin");
    const bool cut =
        t.flag({"cut_cross_entropy"}).value_or(true) && hasPlugin(plugins, "CutCrossEntropyPlugin");
    const bool norms = isOn(t, {"liger_rms_norm"});
    const bool gates = isOn(t, {"liger_glu_activation", "liger_swiglu"});
    const bool head = isOn(t, {"liger_fused_linear_cross_entropy"});
    const bool entropy = isOn(t, {"liger_cross_entropy"});
    if (t.takeAll("liger_") && !liger)
        t.note("has no effect: plugins does not name the Liger plugin.");
    const bool compiled = t.text({"torch_compile"}).value_or("false") != "false";
    t.set("activations.kernels", compiled                  ? "compiled"
                                 : liger && norms && gates ? "fused"
                                                           : "eager");
    if (liger && norms != gates && !compiled)
        t.note("liger", "fuses norms or gates alone; blocks are counted as if neither was fused.");
    return {cut, liger && head, liger && entropy, isOn(t, {"chunked_cross_entropy"})};
}

void importAxolotlLoss(Translation &t, const LossSwitches &on)
{
    const bool linear = on.cut || on.ligerHead;
    t.set("loss", linear       ? "linear-fused"
                  : on.liger   ? "fused-upcast"
                  : on.chunked ? "chunked"
                               : "hf-padded");
    const auto chunks = t.count({"chunked_cross_entropy_num_chunks"});
    if (on.chunked)
        t.set("loss_chunks", chunks.value_or(8)); // monkeypatch/loss/chunked.py
}

void importAxolotlStep(Translation &t)
{
    t.set("batch.micro_batch", t.count({"micro_batch_size"}).value_or(1));
    t.set("batch.accumulation_steps", t.count({"gradient_accumulation_steps"}).value_or(1));
    t.set("batch.sequence_length", t.count({"sequence_len"}).value_or(512));
    if (!t.has("gradient_accumulation_steps") && t.take({"batch_size"}))
        t.note("decides nothing: gradient_accumulation_steps is 1 where it is not stated.");
    importTrainerOptimizer(t, {"optimizer"});
    if (!t.plan().overheads.allocConf) // set_pytorch_cuda_alloc_conf() of utils/__init__.py
        t.set("overheads.alloc_conf", "expandable_segments:True");
    t.translate("activations.experts", {"experts_implementation"}, kExpertKernels);
}

} // namespace

Imported importAxolotl(Translation t)
{
    t.set("workload", "training");
    t.set("trainer", "axolotl");
    importAxolotlModel(t);
    importAxolotlAdapters(t);
    importAxolotlDegrees(t);
    t.clear("precision"); // which the words of DeepSpeed may state too
    importAxolotlStrategy(t);
    importAxolotlPrecision(t);
    importAxolotlStep(t);
    importAxolotlCheckpointing(t);
    const LossSwitches loss = importPlugins(t);
    noteWideEmbedding(t, importAxolotlAttention(t), loss.cut);
    importAxolotlLoss(t, loss);
    constexpr std::array<std::string_view, 2> kParts = {"fsdp_config.fsdp_", "fsdp_config."};
    return std::move(t).finish("axolotl YAML", axolotlHarmless(), kParts);
}

} // namespace vramscope
