// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/trainer_terms.h"
#include "core/model/parameters.h"

#include <algorithm>

namespace vramscope {

namespace {

// Keys and defaults of axolotl 0.19: utils/schemas/config.py, training.py, peft.py and fsdp.py;
// their effects are in utils/schemas/validation.py, utils/config/__init__.py, loaders/model.py,
// loaders/adapter.py and core/builders/.

constexpr WordPair kRings[] = {{"batch_ring", "ring"}, {"varlen_llama3", "all-gather"}};
constexpr WordPair kExpertKernels[] = {{"eager", "loop"}, {"grouped_mm", "grouped"}};

constexpr SettingRow kAxolotlBatch[] = {
    {"sequence_len", "batch.sequence_length", Always, {}, "512"},
    {"micro_batch_size", "batch.micro_batch", Always, {}, "1"},
    {"gradient_accumulation_steps", "batch.accumulation_steps", Always, {}, "1"},
};
constexpr SettingRow kAxolotlAdapters[] = {
    {"lora_r", "adapters.rank"},
    {"lora_dropout", "adapters.dropout", Always, {}, "0"},
    {"peft_use_dora", "adapters.dora", Stated},
};
constexpr SettingRow kTensor = {"tensor_parallel_size", "parallel.tensor", AboveOne, {}, "1"};
constexpr SettingRow kContext = {
    "context_parallel_size sequence_parallel_degree", "parallel.context", AboveOne, {}, "1"};
constexpr SettingRow kRing = {"ring_attn_func", "parallel.context_exchange", Always, kRings};
constexpr SettingRow kExperts = {"expert_parallel_size", "parallel.expert", AboveOne};
constexpr WordPair kFp8Words[] = {{"true", "fp8"}};
constexpr SettingRow kFp8 = {"fp8", "precision.linear", Always, kFp8Words};
constexpr SettingRow kExpertImplementation = {"experts_implementation", "activations.experts",
                                              Stated, kExpertKernels};

/// Flags from before attn_implementation, special ones before general ones
/// (LEGACY_ATTN_FLAG_TO_IMPL).
constexpr WordPair kAttentionFlags[] = {{"xformers_attention", "xformers"},
                                        {"sage_attention", "sage"},
                                        {"flex_attention", "flex_attention"},
                                        {"flash_attention", "flash_attention_2"},
                                        {"sdp_attention", "sdpa"},
                                        {"eager_attention", "eager"}};

bool hasAdapters(const Plan &plan)
{
    return plan.adapters.kind == AdapterKind::Lora;
}

void importAxolotlModel(Translation &t)
{
    if (const auto name = t.text("base_model"))
        setModel(t, *name);
    if (t.text("processor_type"))
        t.note("belongs to a model of images or sound; its text part alone is counted.");
    for (const std::string_view key : {"rl", "reward_model", "process_reward_model"}) {
        if (t.text(key).value_or("false") == "false")
            continue;
        t.note("trains another way than on a text's next tokens; counted as if it did not.");
        for (const std::string_view part : {"trl.", "vllm.", "ebft.", "dpo_", "kto_"})
            t.takeAll(part);
    }
}

void importTargetModules(Translation &t)
{
    TextList names;
    const bool linear = t.isOn("lora_target_linear");
    if (const ForeignSetting *stated = t.take("lora_target_modules")) {
        const auto *pattern = std::get_if<std::string>(&stated->value);
        if (pattern && pattern->find_first_of("*+?[(\\^$|") != pattern->npos)
            t.note("is a pattern, which is not read; set adapters.targets.");
        else
            names = wordsOf(*stated);
    }
    if (linear) // find_all_linear_names() leaves out only the head
        names.insert(names.begin(), "all-linear");
    importTargets(t, names);
}

/// Linear layers of bitsandbytes; experts, which are not linear layers since transformers 5, stay
/// in 16 bit unless quantize_moe_experts is on.
void importBase(Translation &t, bool qlora)
{
    const bool four = t.isOn("load_in_4bit");
    const bool eight = t.isOn("load_in_8bit");
    if (t.isOn("gptq"))
        return t.set("adapters.base_quantization", "gptq-int4-g128");
    if (four != qlora && (four || !eight))
        t.note("adapter", qlora ? "is qlora, which needs load_in_4bit: true."
                                : "is lora, beside which load_in_4bit has no effect.");
    const bool nested = t.isOn("bnb_config_kwargs.bnb_4bit_use_double_quant", true);
    if (!qlora && !eight)
        return;
    t.set("adapters.base_quantization", !qlora ? "int8" : nested ? "nf4-double" : "nf4");
    const auto architecture = architectureOf(t.plan().model);
    const bool experts = t.isOn("quantize_moe_experts");
    if (architecture && architecture->moe() && !experts)
        t.set("adapters.modules_to_not_convert", TextList{"embedding", "head", "expert"});
}

/// axolotl's own kernels are on by default, but not with 8 bit, reinforcement or code of the model
/// (check_auto_enable_lora_kernels).
void noteLoraKernels(Translation &t)
{
    bool stated = false;
    bool on = false;
    for (const std::string_view key :
         {"lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel", "lora_embedding_kernel"}) {
        const auto kernel = t.flag(key);
        stated = stated || kernel;
        on = on || kernel.value_or(false);
    }
    const bool usual = t.plan().adapters.baseQuantization != BaseQuantization::Int8 &&
                       !t.has("rl") && !t.isOn("trust_remote_code");
    if (on || (!stated && usual))
        t.note("lora_mlp_kernel", stated ? "keeps less for the backward pass than is counted."
                                         : "is on by default, with its like; such kernels keep "
                                           "less for the backward pass than is counted.");
}

void importAxolotlAdapters(Translation &t)
{
    t.clear("adapters");
    const auto adapter = t.text("adapter");
    if (!adapter) {
        for (const std::string_view part : {"lora_", "load_in_", "peft_"})
            t.takeAll(part);
        if (t.has("unfrozen_parameters") && t.takeAll("unfrozen_parameters"))
            t.note("trains a part of the model, which plans cannot say; all of it is counted.");
        return;
    }
    if (*adapter != "lora" && *adapter != "qlora")
        return t.noteWord(*adapter, "; known are lora and qlora.");
    t.set("adapters.kind", "lora");
    t.read(kAxolotlAdapters);
    if (!t.plan().adapters.rank)
        t.note("lora_r", "is not stated and has no default; set adapters.rank.");
    importTargetModules(t);
    if (t.takeAll("lora_target_parameters"))
        t.note("adds adapters to tensors of experts, which plans cannot say; left out.");
    t.remark({"lora_modules_to_save", Remarks::Given,
              "trains whole modules beside the adapters, which is not counted."});
    importBase(t, *adapter == "qlora");
    noteLoraKernels(t);
}

void importAxolotlDegrees(Translation &t)
{
    t.read(kTensor);
    t.set("parallel.sequence", false); // transformers' tensor parallel plans do not split it
    const std::int64_t context = t.count(kContext.theirs).value_or(1);
    t.set("parallel.context", context);
    if (context > 1) {
        t.set("parallel.context_exchange", t.isOn("sample_packing") ? "all-gather" : "ring");
        t.read(kRing);
    }
    t.takeAll("ring_attn_func");
    t.takeAll("heads_k_stride");
    t.read(kExperts);
}

/// Degrees of sharding and replication; by default all GPUs of the plan are data parallel.
void importAxolotlData(Translation &t)
{
    const auto shard = t.count("dp_shard_size");
    const auto replicate = t.count("dp_replicate_size");
    constexpr std::int64_t kMost = 100'000;
    const auto inRange = [](std::int64_t degree) { return degree >= 1 && degree <= kMost; };
    const bool sound = inRange(shard.value_or(1)) && inRange(replicate.value_or(1));
    if (!sound)
        t.note("is out of range; it is left out.");
    else if (t.plan().hardware.gpus)
        fillDataParallel(t);
    else if (shard || replicate)
        t.set("parallel.data", shard.value_or(1) * replicate.value_or(1));
    else if (!t.plan().parallel.data)
        t.note("", "The launcher decides how many GPUs there are: set hardware.gpus and "
                   "parallel.data.");
    if (!sound || replicate.value_or(1) < 2 || !isFsdp(strategyOf(t.plan())))
        return;
    const std::int64_t all = t.plan().parallel.data.value_or(0);
    t.set("parallel.sharding", "hybrid_shard");
    if (all > 0 && all % *replicate == 0)
        t.set("parallel.shard_group", all / *replicate * t.plan().parallel.context.value_or(1));
}

/// FSDP1 unless the file sets version 2 (check_fsdp_version_in_fsdp_config).
void importAxolotlFsdp(Translation &t, const TextList &words)
{
    const auto version = t.count("fsdp_version fsdp_config.fsdp_version fsdp_config.version");
    const bool second = version.value_or(1) == 2;
    t.set("parallel.strategy", second ? "fsdp2" : "fsdp1");
    t.set("parallel.sharding", "full_shard");
    const bool offloads = t.isOn("fsdp_config.offload_params fsdp_config.fsdp_offload_params");
    if (const auto word =
            t.text("fsdp_config.sharding_strategy fsdp_config.fsdp_sharding_strategy");
        word && !importSharding(t, *word))
        t.noteWord(*word, ", which is no sharding; it is left out.");
    const bool moved = importFsdpWords(
        t, words, "fsdp_config.reshard_after_forward fsdp_config.fsdp_reshard_after_forward");
    t.set("parallel.cpu_offload", offloads || moved);
    const auto policy = t.text("fsdp_config.auto_wrap_policy fsdp_config.fsdp_auto_wrap_policy");
    if (policy && lowered(*policy) != "transformer_based_wrap")
        t.note("shards other units than blocks; blocks are counted.");
    constexpr Translation::Keys kPrefixes = "fsdp_config. fsdp_config.fsdp_";
    if (!second)
        return importFirstFsdp(t, kPrefixes);
    for (const std::string_view prefix : partsOf(kPrefixes, ' ')) // FSDP2 has no prefetching
        for (const char *key :
             {"use_orig_params", "backward_prefetch", "forward_prefetch", "limit_all_gathers"})
            t.take(std::string(prefix) + key);
}

void importAxolotlStrategy(Translation &t)
{
    const ForeignSetting *listed = t.take("fsdp");
    const TextList words = listed ? wordsOf(*listed) : TextList();
    if (t.hasWithin("deepspeed.")) {
        importDeepSpeedWithin(t);
    } else if (const auto file = t.text("deepspeed"); file && !file->empty()) {
        importAxolotlDeepSpeed(t, *file);
    } else if (!words.empty() || t.hasWithin("fsdp_config.")) {
        importAxolotlFsdp(t, words);
    } else {
        t.take("fsdp_version");
        t.set("parallel.strategy", "none");
    }
    importAxolotlData(t);
    const PlanParallel &parallel = t.plan().parallel;
    if (parallel.strategy == Strategy::None &&
        parallel.data.value_or(1) * parallel.context.value_or(1) > 1)
        t.set("parallel.strategy", "ddp");
}

/// The regime of a file; bf16 is "auto" by default, which is on from Ampere on.
void importAxolotlPrecision(Translation &t)
{
    const bool half = t.isOn("fp16");
    const std::string word = t.text("bf16").value_or(half ? "false" : "auto");
    const bool pure = word == "full" || t.isOn("float16");
    const bool bf16 = t.isOn("bfloat16") || word == "true" || (word == "auto" && !half);
    t.take("float32");
    const Strategy strategy = strategyOf(t.plan());
    const Regime regime = regimeUnder(strategy, bf16 || (pure && isZero(strategy)), half);
    t.set("precision.regime",
          std::string(choiceText(regime == Regime::Fp32 && pure ? Regime::PureBf16 : regime)));
    // accelerate casts the weights that FSDP1 trains to fp32; axolotl's own fsdp2_prepare_model()
    // does not (monkeypatch/accelerate/fsdp2.py): weights stay in the 16 bit in which they were
    // loaded.
    const bool mixed = (bf16 || half) && isFsdp(strategy);
    const bool second = strategy == Strategy::Fsdp2;
    if (mixed && (second || hasAdapters(t.plan())))
        t.set("precision.weight_bytes", std::int64_t(2));
    if (mixed && second && !hasAdapters(t.plan()))
        t.set("precision.gradient_bytes", std::int64_t(2));
    t.read(kFp8);
}

/// Values of gradient_checkpointing other than true keep activations on the host.
void importAxolotlCheckpointing(Translation &t)
{
    const std::string kind = t.text("gradient_checkpointing").value_or("false");
    const std::string moved = t.text("activation_offloading").value_or("false");
    const bool wrapped =
        t.isOn("fsdp_config.activation_checkpointing fsdp_config.fsdp_activation_checkpointing");
    const bool on = kind != "false" || wrapped;
    const bool offloads = on && ((kind != "true" && kind != "false") || moved != "false");
    t.set("activations.checkpointing", on ? "full" : "none");
    t.set("activations.offload", offloads);
    // With adapters TRL's offloader replaces recomputation (_apply_activation_checkpointing).
    if (offloads && hasAdapters(t.plan()) && moved != "hidden_states" && kind != "unsloth")
        t.note("activation_offloading", "moves all that is kept to the host and recomputes "
                                        "nothing beside adapters; counted as recomputed.");
    const auto selective = t.text("selective_checkpointing");
    if ((selective && *selective != "false") || t.takeAll("selective_checkpointing."))
        t.note("selective_checkpointing", "keeps outputs of attention too, which are not counted.");
    t.remark({"layer_offloading", Remarks::On,
              "keeps frozen layers on the host; they are counted on the GPU."});
}

/// The attention from attn_implementation or a flag; empty: transformers' default.
std::string importAxolotlAttention(Translation &t)
{
    std::string name;
    for (const WordPair &flag : kAttentionFlags) {
        if (t.isOn(flag.theirs) && name.empty())
            name = flag.ours;
    }
    name = t.text("attn_implementation").value_or(name);
    importAttention(t, name.empty() ? "sdpa" : std::string_view(name));
    if (name == "sdpa" && t.isOn("sample_packing"))
        t.note("keeps packed samples apart by a mask of sequence by sequence, which is not "
               "counted.");
    return name;
}

/// In a full fine-tuning with plain attention, norms, embedding and head stay in fp32
/// (_configure_embedding_dtypes).
void noteWideEmbedding(Translation &t, const std::string &attention, bool cut)
{
    const Plan &plan = t.plan();
    const bool plain = attention.empty() || attention == "sdpa" || attention == "eager";
    const bool sixteen = plan.precision.regime != Regime::Fp32;
    const bool sharded = isFsdp(strategyOf(plan)) || isZero(strategyOf(plan));
    if (plain && sixteen && !cut && !hasAdapters(plan) && !sharded)
        t.note("attn_implementation", "leaves norms, embedding and head in fp32 where it is not "
                                      "flash attention; they are counted in 16 bit.");
}

struct LossSwitches
{
    bool cut, ligerHead, liger, chunked;
};

/// The Liger plugin follows its keys; cut cross-entropy needs only its plugin.
LossSwitches importPlugins(Translation &t)
{
    const ForeignSetting *setting = t.take("plugins");
    const TextList plugins = setting ? wordsOf(*setting) : TextList();
    const auto hasPlugin = [&](std::string_view name) {
        return std::ranges::any_of(
            plugins, [name](const std::string &plugin) { return plugin.ends_with(name); });
    };
    const bool liger = hasPlugin("LigerPlugin");
    const bool cut = t.isOn("cut_cross_entropy", true) && hasPlugin("CutCrossEntropyPlugin");
    const bool norms = t.isOn("liger_rms_norm");
    const bool gates = t.isOn("liger_glu_activation liger_swiglu");
    const bool head = t.isOn("liger_fused_linear_cross_entropy");
    const bool entropy = t.isOn("liger_cross_entropy");
    if (t.takeAll("liger_") && !liger)
        t.note("has no effect: plugins does not name the Liger plugin.");
    const bool compiled = t.text("torch_compile").value_or("false") != "false";
    t.set("activations.kernels", compiled                  ? "compiled"
                                 : liger && norms && gates ? "fused"
                                                           : "eager");
    if (liger && norms != gates && !compiled)
        t.note("liger", "fuses norms or gates alone; blocks are counted as if neither was fused.");
    return {cut, liger && head, liger && entropy, t.isOn("chunked_cross_entropy")};
}

void importAxolotlLoss(Translation &t, const LossSwitches &on)
{
    t.set("loss", on.cut || on.ligerHead ? "linear-fused"
                  : on.liger             ? "fused-upcast"
                  : on.chunked           ? "chunked"
                                         : "hf-padded");
    const auto chunks = t.count("chunked_cross_entropy_num_chunks");
    if (on.chunked)
        t.set("loss_chunks", chunks.value_or(8)); // monkeypatch/loss/chunked.py
}

void importAxolotlStep(Translation &t)
{
    t.read(kAxolotlBatch);
    if (!t.has("gradient_accumulation_steps") && t.take("batch_size"))
        t.note("decides nothing: gradient_accumulation_steps is 1 where it is not stated.");
    importTrainerOptimizer(t, "optimizer");
    if (!t.plan().overheads.allocConf) // set_pytorch_cuda_alloc_conf() of utils/__init__.py
        t.set("overheads.alloc_conf", "expandable_segments:True");
    t.read(kExpertImplementation);
}

void writeTargets(Outline &o)
{
    TextList modules = targetModules(o).value_or(TextList());
    o.putIf(std::erase(modules, "all-linear") > 0, "lora_target_linear");
    if (!modules.empty())
        o.put("lora_target_modules", modules);
}

/// With quantised linear layers, experts stay in 16 bit unless quantize_moe_experts is on.
void writeQuantizedExperts(Outline &o)
{
    const Settings &s = o.settings();
    TextList rest = s.adapters.notConverted;
    const bool keeps = std::erase(rest, "expert") > 0;
    o.putIf(s.architecture.moe() && !keeps, "quantize_moe_experts");
    o.covered({"adapters.modules_to_not_convert"}, rest == Settings().adapters.notConverted);
}

void writeLora(Outline &o)
{
    const Settings &s = o.settings();
    if (s.adapters.kind != AdapterKind::Lora)
        return;
    const BaseQuantization base = s.adapters.baseQuantization;
    const bool four = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    const bool eight = base == BaseQuantization::Int8;
    o.put("adapter", four ? "qlora" : "lora");
    o.covered({"adapters.base_quantization"}, base != BaseQuantization::Fp8);
    o.putIf(four, "load_in_4bit");
    o.putIf(eight, "load_in_8bit");
    o.putIf(base == BaseQuantization::GptqInt4, "gptq");
    if (base == BaseQuantization::Nf4)
        o.put("bnb_config_kwargs.bnb_4bit_use_double_quant", false);
    if (four || eight)
        writeQuantizedExperts(o);
    o.covered({"adapters.kind"});
    o.write(kAxolotlAdapters);
    writeTargets(o);
}

/// bf16 is "auto" by default. Weights stay in the 16 bit in which they are loaded, unless FSDP1
/// trains all of them (importAxolotlPrecision()).
void writeAxolotlPrecision(Outline &o)
{
    const Settings &s = o.settings();
    MixedPrecision mixed = mixedPrecision(o, false);
    if (s.regime == Regime::PureBf16) { // its builders know "full", its schema does not
        mixed.bf16 = true;
        o.replaced("precision.regime", ", which axolotl 0.19 has no word for; the run is under "
                                       "autocast, over weights in bf16.");
    }
    o.put("bf16", mixed.bf16);
    o.putIf(mixed.fp16, "fp16");
    o.write(kFp8);
    if ((!mixed.bf16 && !mixed.fp16) || isZero(s.strategy))
        return;
    const bool lora = s.adapters.kind == AdapterKind::Lora;
    const bool first = s.strategy == Strategy::Fsdp1;
    const auto keeps = [&](FieldPath field, std::int64_t ours, std::int64_t theirs) {
        o.covered({field});
        if (ours != theirs)
            o.replaced(field, "; axolotl has " + std::to_string(theirs) + " there.");
    };
    keeps("precision.weight_bytes", s.weightBytes, first && !lora ? 4 : 2);
    if (isFsdp(s.strategy) && !lora)
        keeps("precision.gradient_bytes", s.gradientBytes, first ? 4 : 2);
}

void writeAxolotlDegrees(Outline &o)
{
    const Settings &s = o.settings();
    o.write(kTensor);
    o.covered({"parallel.sequence"}, !s.sequenceParallel);
    o.write(kContext);
    if (s.context > 1)
        o.write(kRing);
    o.write(kExperts);
    if (s.strategy != Strategy::Fsdp2 || s.sharding != Sharding::HybridShard)
        return;
    const std::int64_t shards = s.data * s.context;
    const std::int64_t replicas = s.shardGroup > 0 ? shards / s.shardGroup : 1;
    const bool even = replicas > 1 && replicas * s.shardGroup == shards && s.data % replicas == 0;
    if (!even)
        return o.replaced("parallel.sharding",
                          ", whose groups are no part of the data parallel degree; it has become "
                          "full_shard.");
    o.put("dp_replicate_size", replicas);
    o.put("dp_shard_size", s.data / replicas);
}

/// FSDP1 has its sharding among the words of `fsdp`, and no prefetching (utils/schemas/fsdp.py).
void writeFirstFsdp(Outline &o)
{
    const Settings &s = o.settings();
    o.put("fsdp_version", std::int64_t(1));
    o.put("fsdp", TextList{std::string(choiceText(s.sharding)), "auto_wrap"});
    o.write({"fsdp_config.offload_params", "parallel.cpu_offload"});
    o.write({"fsdp_config.use_orig_params", "parallel.use_orig_params"});
    o.put("fsdp_config.auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
    o.covered({"parallel.strategy", "parallel.sharding", "parallel.backward_prefetch"});
    o.covered({"parallel.shard_group"},
              s.sharding == Sharding::HybridShard && s.shardGroup == s.gpusPerNode);
    if (s.backwardPrefetch != BackwardPrefetch::None)
        o.replaced("parallel.backward_prefetch", "; under axolotl nothing is prefetched.");
}

void writeSharding(Outline &o)
{
    const Settings &s = o.settings();
    if (s.strategy == Strategy::Fsdp1) {
        writeFirstFsdp(o);
    } else if (s.strategy == Strategy::Fsdp2) {
        o.put("fsdp_version", std::int64_t(2));
        writeFsdp(o, {.offload = "offload_params", .replicates = true});
    } else if (isZero(s.strategy)) {
        writeDeepSpeedWithin(o);
    }
    o.covered({"parallel.strategy"}, isPlain(s.strategy));
    writeAxolotlDegrees(o);
}

/// Kernels and losses that plugins turn on.
void writePlugins(Outline &o)
{
    const Settings &s = o.settings();
    const bool blocks = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    const bool entropy = s.loss == LossKind::FusedUpcast;
    const bool chunked = s.loss == LossKind::Chunked;
    o.putIf(compiles(o), "torch_compile");
    if (blocks || head || entropy)
        o.put("plugins", TextList{"axolotl.integrations.liger.LigerPlugin"});
    for (const char *key : {"liger_rope", "liger_rms_norm", "liger_glu_activation"})
        o.putIf(blocks, key);
    o.covered({"activations.kernels"}, blocks);
    o.putIf(head, "liger_fused_linear_cross_entropy");
    o.putIf(entropy, "liger_cross_entropy");
    o.putIf(chunked, "chunked_cross_entropy");
    if (chunked)
        o.write({"chunked_cross_entropy_num_chunks", "loss_chunks"});
    if (head || entropy || chunked)
        o.covered({"loss"});
    else
        coverOwnLoss(o);
}

void writeAxolotlActivations(Outline &o)
{
    o.put("attn_implementation", std::string(attentionWord(o)));
    const bool recomputes = checkpoints(o);
    const bool offloads = o.settings().activationOffload;
    o.put("gradient_checkpointing", recomputes);
    o.putIf(recomputes && offloads, "activation_offloading");
    o.covered({"activations.offload"}, recomputes || !offloads);
    o.write(kExpertImplementation);
}

} // namespace

Imported importAxolotl(Translation t)
{
    t.set("workload", "training");
    t.set("trainer", "axolotl");
    importAxolotlModel(t);
    importAxolotlAdapters(t);
    importAxolotlDegrees(t);
    t.clear("precision"); // which the words of DeepSpeed may also set
    importAxolotlStrategy(t);
    importAxolotlPrecision(t);
    importAxolotlStep(t);
    importAxolotlCheckpointing(t);
    const LossSwitches loss = importPlugins(t);
    noteWideEmbedding(t, importAxolotlAttention(t), loss.cut);
    importAxolotlLoss(t, loss);
    constexpr std::array<std::string_view, 2> kParts = {"fsdp_config.fsdp_", "fsdp_config."};
    return std::move(t).finish("axolotl YAML", "axolotl", kParts);
}

void writeAxolotl(Outline &o)
{
    coverRun(o, "axolotl");
    writeLaunch(o, {.before = "axolotl train THIS_FILE --launcher torchrun -- --nproc_per_node ",
                    .machines = " --nnodes ",
                    .all = false});
    if (o.settings().allocConf.empty()) // set_pytorch_cuda_alloc_conf() of utils/__init__.py
        o.changed("overheads.alloc_conf", "is not stated; axolotl then sets "
                                          "expandable_segments:True by itself.");
    o.comment("Yours to add: datasets, learning_rate, num_epochs, output_dir.");
    writeModelName(o, "base_model");
    o.write(kAxolotlBatch);
    writeLora(o);
    writeAxolotlPrecision(o);
    writeTrainerOptimizer(o, "optimizer", true);
    writeSharding(o);
    writeAxolotlActivations(o);
    writePlugins(o);
}

} // namespace vramscope
