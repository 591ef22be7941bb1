// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parts.h"
#include "core/exchange/formats.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/trainer_terms.h"

#include <algorithm>

namespace vramscope {

namespace {

// Arguments and defaults of transformers 5.16 (training_args.py) and of TRL 1.9 (trainer/
// sft_config.py, trainer/model_config.py), after those of accelerate launch, torchrun and
// deepspeed; exports are for transformers 5.23 and TRL 1.16. If the defaults of the two differ, the
// line does not show which one applies.

constexpr SettingRow kTrlAdapters[] = {
    {"lora_r", "adapters.rank", Always, {}, "16"},
    {"lora_dropout", "adapters.dropout", Always, {}, "0.05"},
    {"use_dora", "adapters.dora", Stated},
};

void importLauncher(Translation &t)
{
    const auto nodes = t.count("nnodes num_nodes num_machines").value_or(1);
    const auto all = t.count("num_processes");
    const auto each = t.count("nproc_per_node num_gpus");
    constexpr std::int64_t kMost = 1'000'000;
    if (all)
        t.set("hardware.gpus", *all);
    else if (each && *each > 0 && *each < kMost && nodes > 0 && nodes < kMost)
        t.set("hardware.gpus", *each * nodes);
    if (!t.plan().hardware.gpus)
        t.note("", "The line does not say how many GPUs there are: set hardware.gpus and "
                   "parallel.data.");
    t.remark({"config_file", Remarks::Given,
              "names accelerate's settings, which stand elsewhere: set what they say of sharding "
              "and precision."});
}

/// FSDP2 unless fsdp_config gives a version.
void importTrainerFsdp(Translation &t, const ForeignSetting &fsdp)
{
    const auto version = t.count("fsdp_config.version fsdp_config.fsdp_version");
    const bool first = version == 1;
    t.set("parallel.strategy", first ? "fsdp1" : "fsdp2");
    if (!version)
        t.note("--fsdp", "is FSDP2 in transformers 5, as counted, and FSDP1 before.");
    const bool offloads = t.isOn("fsdp_config.cpu_offload fsdp_config.fsdp_offload_params");
    if (importFsdpWords(t, wordsOf(fsdp), "fsdp_config.reshard_after_forward") || offloads)
        t.set("parallel.cpu_offload", true);
    t.remark(
        {"fsdp_config", Remarks::Given, "names settings that stand elsewhere; they are not read."});
    if (first)
        importFirstFsdp(t, "fsdp_config.");
}

/// Arguments of accelerate launch (commands/launch.py): FSDP of version 1 and ZeRO-2 by default.
/// False where it shards nothing.
bool importAccelerated(Translation &t)
{
    const bool fsdp = t.isOn("use_fsdp");
    const bool zero = t.isOn("use_deepspeed");
    const auto version = t.count("fsdp_version");
    const auto stage = t.count("zero_stage").value_or(2);
    if (fsdp)
        t.set("parallel.strategy", version == 2 ? "fsdp2" : "fsdp1");
    else if (zero && stage >= 1 && stage <= 3)
        t.set("parallel.strategy", "zero" + std::to_string(stage));
    return fsdp || zero;
}

void importTrainerStrategy(Translation &t)
{
    fillDataParallel(t);
    const ForeignSetting *fsdp = t.take("fsdp");
    const auto file = t.text("deepspeed");
    if (t.hasWithin("deepspeed."))
        importDeepSpeedWithin(t);
    else if (file && *file != "true")
        importDeepSpeedNamed(t, *file);
    else if (fsdp && asFlag(fsdp->value).value_or(true))
        importTrainerFsdp(t, *fsdp);
    else if (!importAccelerated(t))
        t.set("parallel.strategy", t.plan().parallel.data.value_or(1) > 1 ? "ddp" : "none");
}

/// `trl`: its configs turn bf16 on unless fp16 is (trainer/base_config.py), and its trainers load a
/// model by name in float32 (trainer/utils.py).
void importTrainerPrecision(Translation &t, bool trl)
{
    const bool half = t.isOn("fp16");
    const auto stated = t.flag("bf16");
    const auto bf16 = trl && !stated ? std::optional(!half) : stated;
    const Strategy strategy = strategyOf(t.plan());
    const bool mixed = bf16.value_or(false) || half;
    const bool sharded = isZero(strategy) || isFsdp(strategy);
    const auto type = t.text("torch_dtype dtype");
    if (mixed)
        t.set("precision.regime", std::string(choiceText(regimeUnder(strategy, !half, half))));
    else if (bf16)
        t.set("precision.regime", type == "bfloat16" && !sharded ? "pure-bf16" : "fp32");
    else
        t.note("--bf16", "is not stated; it is off in transformers and on in TRL: set "
                         "precision.regime.");
    if (sharded || !mixed)
        return;
    if (!type && trl)
        t.set("precision.weight_bytes", std::int64_t(4));
    else if (!type)
        t.note("--dtype", "is not stated: weights are counted in 16 bit, which most checkpoints "
                          "are in.");
    else if (*type != "auto")
        t.set("precision.weight_bytes", std::int64_t(*type == "float32" ? 4 : 2));
}

void importTrainerAdapters(Translation &t)
{
    t.clear("adapters");
    if (!t.isOn("use_peft"))
        return;
    t.set("adapters.kind", "lora");
    t.read(kTrlAdapters);
    if (const ForeignSetting *targets = t.take("lora_target_modules"))
        importTargets(t, wordsOf(*targets));
    else
        t.note("--lora-target-modules", "is not stated, and PEFT chooses by the model; set "
                                        "adapters.targets.");
    t.remark({"lora_modules_to_save", Remarks::Given,
              "trains whole modules beside the adapters, which is not counted."});
    const bool nested = t.isOn("use_bnb_nested_quant");
    const bool four = t.isOn("load_in_4bit");
    const bool eight = !four && t.isOn("load_in_8bit");
    if (four || eight)
        t.set("adapters.base_quantization", eight ? "int8" : nested ? "nf4-double" : "nf4");
    if (four || eight || t.plan().parallel.strategy == Strategy::Zero3)
        t.set("adapters.weight_bytes", std::int64_t(2)); // trainer/sft_trainer.py
}

/// Liger's default replaces norms, gates and the loss with the head. Returns whether it is on.
bool importTrainerKernels(Translation &t)
{
    const bool liger = t.isOn("use_liger_kernel use_liger");
    const bool compiled = t.isOn("torch_compile");
    const bool blocks = t.isOn("liger_kernel_config.rms_norm", true);
    const bool head = t.isOn("liger_kernel_config.fused_linear_cross_entropy", true);
    const bool entropy = t.isOn("liger_kernel_config.cross_entropy");
    t.takeAll("liger_kernel_config.");
    t.set("activations.kernels", compiled ? "compiled" : liger && blocks ? "fused" : "eager");
    t.set("loss", liger && head ? "linear-fused" : liger && entropy ? "fused-upcast" : "hf-padded");
    return liger;
}

void importTrainerStep(Translation &t, bool trl, bool policy)
{
    t.read(kTrainerBatch);
    constexpr Translation::Keys kLength = "max_length max_seq_length model_max_length block_size";
    if (t.take(kLength))
        t.carry("batch.sequence_length", kLength);
    else if (trl && !policy) // trainer/sft_config.py; policies have prompts and answers instead
        t.set("batch.sequence_length", std::int64_t(1024));
    else if (!policy)
        t.note("--max-length", "is not stated; set batch.sequence_length.");
    importTrainerOptimizer(t, "optim");
    const bool wrapped = t.isOn("fsdp_config.activation_checkpointing");
    const auto checkpoints = t.flag("activation_checkpointing gradient_checkpointing");
    if (checkpoints || wrapped || trl) // TRL's own default
        t.set("activations.checkpointing", wrapped || checkpoints.value_or(trl) ? "full" : "none");
    else
        t.note("--gradient-checkpointing", "is not stated; it is off in transformers and on in "
                                           "TRL: set activations.checkpointing.");
    importAttention(t, t.text("attn_implementation").value_or("sdpa"));
    t.carry("activations.offload", "activation_offloading");
    const bool liger = importTrainerKernels(t);
    if (!trl || policy)
        return;
    t.take("loss_type");
    t.set("loss", "linear-fused");
    if (!liger)
        t.note("loss", "is counted as TRL computes it from 1.9 on, a few logits at a time; older "
                       "releases hold them all, as hf-padded.");
}

/// GRPO and related trainers of TRL (trainer/grpo_config.py, generation/vllm_generation.py at
/// f2cd5771), with vLLM in the trainer's own processes.
void importGrpo(Translation &t)
{
    const auto completion = t.count("max_completion_length");
    const auto prompt = t.count("max_prompt_length");
    const auto context = t.count("vllm_max_model_length vllm_max_model_len");
    constexpr std::int64_t kMost = 1'000'000'000;
    const std::int64_t whole = std::clamp<std::int64_t>(prompt.value_or(0), 0, kMost) +
                               std::clamp<std::int64_t>(completion.value_or(512), 1, kMost);
    t.set("batch.sequence_length", context.value_or(whole));
    if (!prompt && !context)
        t.note("--max-prompt-length", "is not stated: prompts are not counted; set "
                                      "batch.sequence_length to prompt and answer together.");
    t.take("num_generations generation_batch_size loss_type");
    if (t.plan().loss != LossKind::LinearFused)
        t.set("loss", "selective-log-softmax");
    const bool reference =
        t.number("beta").value_or(0) != 0 && t.plan().adapters.kind != AdapterKind::Lora;
    const std::string mode = t.text("vllm_mode").value_or("colocate");
    const auto share = t.number("vllm_gpu_memory_utilization").value_or(0.3);
    const auto tensor = t.count("vllm_tensor_parallel_size").value_or(1);
    const bool sleeps = t.isOn("vllm_enable_sleep_mode");
    const auto steps =
        t.count("steps_per_generation").value_or(t.plan().batch.accumulationSteps.value_or(1));
    if (!t.isOn("use_vllm") || mode != "colocate") {
        t.note("--use-vllm", mode == "colocate"
                                 ? "is not given: the trainer's own weights generate, whose cache "
                                   "is not counted."
                                 : "generates on GPUs of its own: the plan is of the trainer.");
        if (reference)
            t.note("--beta", "loads a reference model, which is not counted: set "
                             "overheads.resident_bytes.");
        return;
    }
    t.set("workload", "rl");
    t.set("rl.shared_process", true);
    t.set("rl.tensor", tensor);
    t.set("rl.sleep_level", std::int64_t(sleeps ? 2 : 0));
    t.set("rl.reference", reference);
    t.clear("inference");
    t.set("inference.engine", "vllm");
    t.set("inference.gpu_memory_utilization", share);
    if (context)
        t.set("inference.max_model_len", *context);
    t.set("inference.max_num_batched_tokens", std::int64_t(4096));
    const std::int64_t batch =
        std::min<std::int64_t>(t.plan().batch.microBatch.value_or(8), 100'000);
    t.set("inference.max_num_seqs",
          std::clamp<std::int64_t>(batch * std::clamp<std::int64_t>(tensor, 1, 1024) *
                                       std::clamp<std::int64_t>(steps, 1, 1000),
                                   1, 1'000'000));
}

/// trainer/sft_trainer.py: fp32 as in PEFT, bf16 on a quantised base and under ZeRO-3.
std::int64_t adapterBytesOfTrl(const Settings &s)
{
    return s.adapters.baseQuantization != BaseQuantization::None || s.strategy == Strategy::Zero3
               ? 2
               : 4;
}

void writePeft(Outline &o)
{
    const Settings &s = o.settings();
    if (s.adapters.kind != AdapterKind::Lora)
        return;
    const BaseQuantization base = s.adapters.baseQuantization;
    o.put("use_peft", true);
    o.covered({"adapters.kind"});
    o.write(kTrlAdapters);
    if (const auto targets = targetModules(o))
        o.put("lora_target_modules", *targets);
    const bool four = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    if (four) {
        o.put("load_in_4bit", true);
        o.put("use_bnb_nested_quant", base == BaseQuantization::Nf4Double);
    }
    o.putIf(base == BaseQuantization::Int8, "load_in_8bit");
    if (!four && base != BaseQuantization::Int8 && base != BaseQuantization::None)
        return;
    o.covered({"adapters.base_quantization", "adapters.weight_bytes"});
    const std::int64_t theirs = adapterBytesOfTrl(s);
    if (s.adapters.weightBytes != theirs)
        o.replaced("adapters.weight_bytes",
                   std::string("; TRL keeps adapters in ") + (theirs == 2 ? "bf16." : "fp32."));
}

/// The type in which weights are loaded, unless another setting changes it.
void writeType(Outline &o)
{
    const Settings &s = o.settings();
    if (isFsdp(s.strategy) || isZero(s.strategy))
        return;
    const bool half = s.regime == Regime::AutocastFp16;
    const bool wide =
        s.regime == Regime::Fp32 || (s.weightBytes == 4 && s.regime != Regime::PureBf16);
    o.put("dtype", wide ? "float32" : half ? "auto" : "bfloat16");
    o.covered({"precision.weight_bytes"});
    if (s.weightBytes != (wide ? 4 : 2))
        o.replaced("precision.weight_bytes", ", which no dtype of this run has.");
}

/// Liger's kernels are all on by default, including the head fused into the loss.
void writeTrainerLiger(Outline &o)
{
    const Settings &s = o.settings();
    const bool blocks = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    const bool entropy = s.loss == LossKind::FusedUpcast;
    o.covered({"activations.kernels"}, blocks);
    if (head || entropy)
        o.covered({"loss"});
    else
        coverOwnLoss(o);
    if (!blocks && !head && !entropy)
        return;
    o.put("use_liger_kernel", true);
    if (blocks && head)
        return;
    const std::string liger = "liger_kernel_config.";
    for (const char *kernel : {"rope", "rms_norm", "swiglu", "geglu"}) {
        if (!blocks)
            o.put(liger + kernel, false);
    }
    o.put(liger + "cross_entropy", entropy);
    o.put(liger + "fused_linear_cross_entropy", head);
}

} // namespace

Imported importTrainer(Translation t)
{
    const auto hasOneOf = [&](Translation::Keys keys) {
        return std::ranges::any_of(partsOf(keys, ' '),
                                   [&](std::string_view key) { return t.has(key); });
    };
    // Arguments that only TRL's policy trainers have, and those that only its scripts have.
    const bool policy = hasOneOf("use_vllm num_generations max_completion_length vllm_mode "
                                 "vllm_gpu_memory_utilization");
    const bool trl = policy || hasOneOf("use_peft packing max_length lora_r loss_type");
    t.set("workload", "training");
    t.set("trainer", trl ? "trl" : "hf");
    if (const auto name = t.text("model_name_or_path model_name model_id"))
        setModel(t, *name);
    importLauncher(t);
    t.carry("overheads.alloc_conf", "env.PYTORCH_CUDA_ALLOC_CONF env.PYTORCH_ALLOC_CONF");
    t.clear("precision");
    importTrainerStrategy(t);
    importTrainerPrecision(t, trl);
    importTrainerAdapters(t);
    importTrainerStep(t, trl, policy);
    if (policy)
        importGrpo(t);
    return std::move(t).finish("arguments of transformers' Trainer", "hf");
}

/// In the format of HfArgumentParser.parse_yaml_file. Model, sequence length and adapters belong to
/// the script.
void writeTrainer(Outline &o)
{
    coverRun(o, "hf");
    writeLaunch(o, {.before = "torchrun --nproc_per_node ",
                    .machines = " --nnodes ",
                    .after = " train.py THIS_FILE",
                    .all = false});
    writeTrainingArguments(o, false);
    writeTrainerOptimizer(o, "optim", false);
    // Another name of activation_checkpointing, which transformers before 5.23 may not have.
    o.put("gradient_checkpointing", checkpoints(o));
    writeTrainerLiger(o);
}

void writeTrl(Outline &o)
{
    const Settings &s = o.settings();
    coverRun(o, "trl");
    writeLaunch(o, {.before = "trl sft --config THIS_FILE --num_processes ",
                    .machines = " --num_machines ",
                    .environment = false});
    if (!s.allocConf.empty()) {
        o.put("env.PYTORCH_CUDA_ALLOC_CONF", '\'' + s.allocConf + '\'');
        o.covered({"overheads.alloc_conf"});
    }
    writeModelName(o, "model_name_or_path");
    o.put("attn_implementation", std::string(attentionWord(o)));
    writeType(o);
    o.write({"max_length", "batch.sequence_length"});
    writeTrainingArguments(o, true);
    writeTrainerOptimizer(o, "optim", false);
    o.put("gradient_checkpointing", checkpoints(o));
    o.write({"activation_offloading", "activations.offload", Stated});
    if (s.kernels == Kernels::Fused) {
        o.put("use_liger_kernel", true);
        o.covered({"activations.kernels"});
    }
    o.covered({"loss"});
    if (s.loss != LossKind::LinearFused)
        o.replaced("loss", "; TRL 1.16 fuses the head into its loss and never has all logits, as "
                           "linear-fused.");
    writePeft(o);
}

} // namespace vramscope
