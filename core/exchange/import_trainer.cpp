// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/trainer_terms.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Flags and defaults of transformers 5.16 (training_args.py) and of TRL 1.9 (trainer/sft_config.py,
// trainer/model_config.py), behind those of accelerate launch, torchrun and deepspeed. Where the
// two have other defaults, the line does not say which holds.

constexpr std::array<WordPair, 3> kTrainerPrefetches = {
    {{"backward_pre", "pre"}, {"backward_post", "post"}, {"no_prefetch", "none"}}};

bool isGiven(Translation &t, Translation::Keys keys)
{
    return t.flag(keys).value_or(false);
}

void importLauncher(Translation &t)
{
    const auto nodes = t.count({"--nnodes", "--num-nodes", "--num-machines"}).value_or(1);
    const auto all = t.count({"--num-processes"});
    const auto each = t.count({"--nproc-per-node", "--num-gpus"});
    constexpr std::int64_t kMost = 1'000'000;
    if (all)
        t.set("hardware.gpus", *all);
    else if (each && *each > 0 && *each < kMost && nodes > 0 && nodes < kMost)
        t.set("hardware.gpus", *each * nodes);
    if (!t.plan().hardware.gpus)
        t.note("", "The line does not say how many GPUs there are: set hardware.gpus and "
                   "parallel.data.");
    if (t.take({"--config-file"}))
        t.note("names accelerate's settings, which stand elsewhere: set what they say of sharding "
               "and precision.");
}

/// What stands in a file of arguments under fsdp_config; FSDP2 where it states no version.
void importTrainerFsdp(Translation &t, const ForeignSetting &fsdp)
{
    const auto version = t.count({"--fsdp-config.version", "--fsdp-config.fsdp-version"});
    const bool first = version == 1;
    t.set("parallel.strategy", first ? "fsdp1" : "fsdp2");
    if (!version)
        t.note("--fsdp", "is FSDP2 in transformers 5, as counted, and FSDP1 before.");
    bool offloads = isGiven(t, {"--fsdp-config.cpu-offload", "--fsdp-config.fsdp-offload-params"});
    for (const std::string &word : wordsOf(fsdp)) {
        offloads = offloads || word == "offload";
        importSharding(t, word);
    }
    if (offloads)
        t.set("parallel.cpu_offload", true);
    const auto reshard = t.text({"--fsdp-config.reshard-after-forward"});
    if (reshard && !importSharding(t, *reshard))
        t.set("parallel.sharding", *reshard == "false" ? "shard_grad_op" : "full_shard");
    if (t.take({"--fsdp-config"}))
        t.note("names settings that stand elsewhere; they are not read.");
    if (!first)
        return;
    t.set("parallel.backward_prefetch", "none"); // training_args.py
    t.translate("parallel.backward_prefetch", {"--fsdp-config.backward-prefetch"},
                kTrainerPrefetches);
    t.carry("parallel.forward_prefetch", {"--fsdp-config.forward-prefetch"});
    t.carry("parallel.use_orig_params", {"--fsdp-config.use-orig-params"});
    t.carry("parallel.limit_all_gathers", {"--fsdp-config.limit-all-gathers"});
}

void importTrainerStrategy(Translation &t)
{
    fillDataParallel(t);
    const ForeignSetting *fsdp = t.take({"--fsdp"});
    const auto file = t.text({"--deepspeed"});
    if (t.hasWithin("--deepspeed.")) {
        importDeepSpeedWithin(t, "--deepspeed.");
    } else if (file && *file != "true") {
        importDeepSpeedNamed(t, *file);
    } else if (fsdp && asFlag(fsdp->value).value_or(true)) {
        importTrainerFsdp(t, *fsdp);
    } else {
        t.set("parallel.strategy", t.plan().parallel.data.value_or(1) > 1 ? "ddp" : "none");
    }
}

/// `trl`: its configs turn bf16 on where fp16 is not (trainer/base_config.py), and its trainers
/// load a model by name in float32 (trainer/utils.py).
void importTrainerPrecision(Translation &t, bool trl)
{
    const auto fp16 = t.flag({"--fp16"});
    const auto stated = t.flag({"--bf16"});
    const auto bf16 = trl && !stated ? std::optional(!fp16.value_or(false)) : stated;
    const auto strategy = t.plan().parallel.strategy.value_or(Strategy::None);
    const bool zero =
        strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
    const bool half = fp16.value_or(false);
    const bool fsdp = strategy == Strategy::Fsdp1 || strategy == Strategy::Fsdp2;
    const auto type = t.text({"--torch-dtype", "--dtype"});
    if (bf16.value_or(false) || half)
        t.set("precision.regime", zero   ? (half ? "deepspeed-fp16" : "deepspeed-bf16")
                                  : fsdp ? "fsdp-mixed-bf16"
                                  : half ? "autocast-fp16"
                                         : "autocast-bf16");
    else if (bf16)
        t.set("precision.regime", type == "bfloat16" && !zero && !fsdp ? "pure-bf16" : "fp32");
    else
        t.note("--bf16", "is not stated; it is off in transformers and on in TRL: set "
                         "precision.regime.");
    const bool plain = !zero && !fsdp && (bf16.value_or(false) || half);
    if (!type && plain && trl)
        t.set("precision.weight_bytes", std::int64_t(4));
    else if (!type && plain)
        t.note("--dtype", "is not stated: weights are counted in 16 bit, which most checkpoints "
                          "are in.");
    else if (type && plain && *type != "auto")
        t.set("precision.weight_bytes", std::int64_t(*type == "float32" ? 4 : 2));
}

void importTrainerAdapters(Translation &t)
{
    t.clear("adapters");
    if (!isGiven(t, {"--use-peft"}))
        return;
    t.set("adapters.kind", "lora");
    t.set("adapters.rank", t.count({"--lora-r"}).value_or(16));
    t.set("adapters.dropout", t.number({"--lora-dropout"}).value_or(0.05));
    if (const ForeignSetting *targets = t.take({"--lora-target-modules"}))
        importTargets(t, wordsOf(*targets));
    else
        t.note("--lora-target-modules", "is not stated, and PEFT chooses by the model; set "
                                        "adapters.targets.");
    if (t.take({"--lora-modules-to-save"}))
        t.note("trains whole modules beside the adapters, which is not counted.");
    const bool nested = isGiven(t, {"--use-bnb-nested-quant"});
    const bool four = isGiven(t, {"--load-in-4bit"});
    const bool eight = !four && isGiven(t, {"--load-in-8bit"});
    if (four || eight)
        t.set("adapters.base_quantization", eight ? "int8" : nested ? "nf4-double" : "nf4");
    if (four || eight || t.plan().parallel.strategy == Strategy::Zero3)
        t.set("adapters.weight_bytes", std::int64_t(2)); // trainer/sft_trainer.py
}

/// Liger's default takes norms, gates and the loss with the head. Whether it is used.
bool importTrainerKernels(Translation &t)
{
    const bool liger = isGiven(t, {"--use-liger-kernel", "--use-liger"});
    const bool compiled = isGiven(t, {"--torch-compile"});
    const auto taken = [&](std::string_view kernel, bool usual) {
        return t.flag({std::string("--liger-kernel-config.") + std::string(kernel)})
            .value_or(usual);
    };
    const bool blocks = taken("rms-norm", true);
    const bool head = taken("fused-linear-cross-entropy", true);
    const bool entropy = taken("cross-entropy", false);
    t.takeAll("--liger-kernel-config.");
    t.set("activations.kernels", compiled ? "compiled" : liger && blocks ? "fused" : "eager");
    t.set("loss", liger && head ? "linear-fused" : liger && entropy ? "fused-upcast" : "hf-padded");
    return liger;
}

void importTrainerStep(Translation &t, bool trl, bool policy)
{
    t.set("batch.micro_batch", t.count({"--per-device-train-batch-size"}).value_or(8));
    t.set("batch.accumulation_steps", t.count({"--gradient-accumulation-steps"}).value_or(1));
    const Translation::Keys length = {"--max-length", "--max-seq-length", "--model-max-length",
                                      "--block-size"};
    if (t.take(length))
        t.carry("batch.sequence_length", length);
    else if (trl && !policy) // trainer/sft_config.py; policies have prompts and answers instead
        t.set("batch.sequence_length", std::int64_t(1024));
    else if (!policy)
        t.note("--max-length", "is not stated; set batch.sequence_length.");
    importTrainerOptimizer(t, {"--optim"});
    const bool wrapped = isGiven(t, {"--fsdp-config.activation-checkpointing"});
    const auto checkpoints = t.flag({"--activation-checkpointing", "--gradient-checkpointing"});
    if (checkpoints || wrapped || trl) // TRL's own default
        t.set("activations.checkpointing", wrapped || checkpoints.value_or(trl) ? "full" : "none");
    else
        t.note("--gradient-checkpointing", "is not stated; it is off in transformers and on in "
                                           "TRL: set activations.checkpointing.");
    importAttention(t, t.text({"--attn-implementation"}).value_or("sdpa"));
    if (const auto offloads = t.flag({"--activation-offloading"}))
        t.set("activations.offload", *offloads);
    const bool liger = importTrainerKernels(t);
    if (trl && !policy) {
        t.take({"--loss-type"});
        t.set("loss", "linear-fused");
        if (!liger)
            t.note("loss", "is counted as TRL computes it from 1.9 on, a few logits at a time; "
                           "older releases hold them all, as hf-padded.");
    }
}

/// GRPO and its kin of TRL (trainer/grpo_config.py, generation/vllm_generation.py at f2cd5771),
/// with vLLM in the trainer's own processes.
void importGrpo(Translation &t)
{
    const auto completion = t.count({"--max-completion-length"});
    const auto prompt = t.count({"--max-prompt-length"});
    const auto context = t.count({"--vllm-max-model-length", "--vllm-max-model-len"});
    constexpr std::int64_t kMost = 1'000'000'000;
    const std::int64_t whole = std::clamp<std::int64_t>(prompt.value_or(0), 0, kMost) +
                               std::clamp<std::int64_t>(completion.value_or(512), 1, kMost);
    t.set("batch.sequence_length", context.value_or(whole));
    if (!prompt && !context)
        t.note("--max-prompt-length", "is not stated: prompts are not counted; set "
                                      "batch.sequence_length to prompt and answer together.");
    t.take({"--num-generations", "--generation-batch-size", "--loss-type"});
    const bool liger = t.plan().loss == LossKind::LinearFused;
    if (!liger)
        t.set("loss", "selective-log-softmax");
    const auto beta = t.number({"--beta"}).value_or(0);
    const bool adapters = t.plan().adapters.kind == AdapterKind::Lora;
    const std::string mode = t.text({"--vllm-mode"}).value_or("colocate");
    const auto share = t.number({"--vllm-gpu-memory-utilization"}).value_or(0.3);
    const auto tensor = t.count({"--vllm-tensor-parallel-size"}).value_or(1);
    const bool sleeps = isGiven(t, {"--vllm-enable-sleep-mode"});
    const auto steps =
        t.count({"--steps-per-generation"}).value_or(t.plan().batch.accumulationSteps.value_or(1));
    if (!isGiven(t, {"--use-vllm"}) || mode != "colocate") {
        t.note("--use-vllm", mode == "colocate"
                                 ? "is not given: the trainer's own weights generate, whose cache "
                                   "is not counted."
                                 : "generates on GPUs of its own: the plan is of the trainer.");
        if (beta != 0 && !adapters)
            t.note("--beta", "loads a reference model, which is not counted: set "
                             "overheads.resident_bytes.");
        return;
    }
    t.set("workload", "rl");
    t.set("rl.shared_process", true);
    t.set("rl.tensor", tensor);
    t.set("rl.sleep_level", std::int64_t(sleeps ? 2 : 0));
    t.set("rl.reference", beta != 0 && !adapters);
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

/// Arguments that TRL's trainers of policies alone have.
bool learnsPolicy(const Translation &t)
{
    constexpr std::array<std::string_view, 5> kMarks = {"--use-vllm", "--num-generations",
                                                        "--max-completion-length", "--vllm-mode",
                                                        "--vllm-gpu-memory-utilization"};
    return std::ranges::any_of(kMarks, [&](std::string_view key) { return t.has(key); });
}

/// Arguments that scripts of TRL have and transformers' own have not.
bool isTrl(const Translation &t)
{
    constexpr std::array<std::string_view, 5> kMarks = {"--use-peft", "--packing", "--max-length",
                                                        "--lora-r", "--loss-type"};
    return std::ranges::any_of(kMarks, [&](std::string_view key) { return t.has(key); });
}

} // namespace

Imported importTrainer(Translation t)
{
    const bool policy = learnsPolicy(t);
    const bool trl = policy || isTrl(t);
    t.set("workload", "training");
    t.set("trainer", trl ? "trl" : "hf");
    if (const auto name = t.text({"--model-name-or-path", "--model-name", "--model-id"}))
        setModel(t, *name);
    importLauncher(t);
    t.carry("overheads.alloc_conf", {"--env.PYTORCH-CUDA-ALLOC-CONF", "--env.PYTORCH-ALLOC-CONF"});
    t.clear("precision");
    importTrainerStrategy(t);
    importTrainerPrecision(t, trl);
    importTrainerAdapters(t);
    importTrainerStep(t, trl, policy);
    if (policy)
        importGrpo(t);
    return std::move(t).finish("arguments of transformers' Trainer", trainerHarmless());
}

} // namespace vramscope
