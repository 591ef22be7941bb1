// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/trainer_terms.h"

#include <array>

namespace vramscope {

namespace {

// Flags and defaults of transformers 5.16 (training_args.py) and of TRL 1.9 (trainer/sft_config.py,
// trainer/model_config.py), behind those of accelerate launch, torchrun and deepspeed. Where the
// two have other defaults, the line does not say which holds.

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

void importTrainerStrategy(Translation &t)
{
    fillDataParallel(t);
    const ForeignSetting *fsdp = t.take({"--fsdp"});
    if (const auto file = t.text({"--deepspeed"}); file && *file != "true") {
        importDeepSpeedNamed(t, *file);
    } else if (fsdp) {
        t.set("parallel.strategy", "fsdp2");
        t.note("--fsdp", "is FSDP2 in transformers 5, as counted, and FSDP1 before.");
        for (const std::string &word : wordsOf(*fsdp)) {
            if (word == "offload")
                t.set("parallel.cpu_offload", true);
            importSharding(t, word);
        }
        if (t.take({"--fsdp-config"}))
            t.note("names settings that stand elsewhere; they are not read.");
    } else {
        t.set("parallel.strategy", t.plan().parallel.data.value_or(1) > 1 ? "ddp" : "none");
    }
}

void importTrainerPrecision(Translation &t)
{
    const auto bf16 = t.flag({"--bf16"});
    const auto fp16 = t.flag({"--fp16"});
    const auto strategy = t.plan().parallel.strategy.value_or(Strategy::None);
    const bool zero =
        strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
    t.clear("precision");
    const bool half = fp16.value_or(false);
    const bool fsdp = strategy == Strategy::Fsdp2;
    if (bf16.value_or(false) || half)
        t.set("precision.regime", zero   ? (half ? "deepspeed-fp16" : "deepspeed-bf16")
                                  : fsdp ? "fsdp-mixed-bf16"
                                  : half ? "autocast-fp16"
                                         : "autocast-bf16");
    else if (bf16)
        t.set("precision.regime", "fp32");
    else
        t.note("--bf16", "is not stated; it is off in transformers and on in TRL: set "
                         "precision.regime.");
    const auto type = t.text({"--torch-dtype", "--dtype"});
    const bool plain = !zero && !fsdp && (bf16.value_or(false) || half);
    if (!type && plain)
        t.note("--dtype", "is not stated: weights are counted in 16 bit, which most checkpoints "
                          "are in; TRL's own scripts load them in float32.");
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
    if (isGiven(t, {"--load-in-4bit"}))
        t.set("adapters.base_quantization", nested ? "nf4-double" : "nf4");
    else if (isGiven(t, {"--load-in-8bit"}))
        t.set("adapters.base_quantization", "int8");
}

void importTrainerStep(Translation &t)
{
    t.set("batch.micro_batch", t.count({"--per-device-train-batch-size"}).value_or(8));
    t.set("batch.accumulation_steps", t.count({"--gradient-accumulation-steps"}).value_or(1));
    const Translation::Keys length = {"--max-length", "--max-seq-length", "--model-max-length",
                                      "--block-size"};
    if (t.take(length))
        t.carry("batch.sequence_length", length);
    else
        t.note("--max-length", "is not stated; set batch.sequence_length.");
    importTrainerOptimizer(t, {"--optim"});
    if (const auto checkpoints = t.flag({"--gradient-checkpointing"}))
        t.set("activations.checkpointing", *checkpoints ? "full" : "none");
    else
        t.note("--gradient-checkpointing", "is not stated; it is off in transformers and on in "
                                           "TRL: set activations.checkpointing.");
    importAttention(t, t.text({"--attn-implementation"}).value_or("sdpa"));
    // Liger's default takes norms, gates and the loss with the head.
    const bool liger = isGiven(t, {"--use-liger-kernel", "--use-liger"});
    const bool compiled = isGiven(t, {"--torch-compile"});
    t.set("activations.kernels", compiled ? "compiled" : liger ? "fused" : "eager");
    t.set("loss", liger ? "linear-fused" : "hf-padded");
    if (!liger && (t.has("--packing") || t.has("--max-length") || t.has("--loss-type"))) {
        t.take({"--loss-type"});
        t.note("--loss-type", "is chunked_nll by default in TRL 1.9, whose logits come a few at a "
                              "time; they are counted whole.");
    }
}

} // namespace

Imported importTrainer(Translation t)
{
    t.set("workload", "training");
    t.set("trainer", "hf");
    if (const auto name = t.text({"--model-name-or-path", "--model-name", "--model-id"}))
        setModel(t, *name);
    importLauncher(t);
    importTrainerStrategy(t);
    importTrainerPrecision(t);
    importTrainerAdapters(t);
    importTrainerStep(t);
    return std::move(t).finish("arguments of transformers' Trainer", trainerHarmless());
}

} // namespace vramscope
