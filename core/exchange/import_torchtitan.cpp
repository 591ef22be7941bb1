// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/planner/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

// Keys and defaults of torchtitan's job config: the older layout has the degrees under [training]
// and [experimental], the newer one under [parallelism].

constexpr std::array<WordPair, 2> kTorchtitanOptimizers = {{{"adamw", "adamw"}, {"adam", "adam"}}};
constexpr std::array<WordPair, 3> kImplementations = {
    {{"fused", "fused"}, {"foreach", "foreach"}, {"for-loop", "for-loop"}}};

constexpr std::array<WordPair, 8> kSchedules = {{{"1f1b", "1f1b"},
                                                 {"interleaved1f1b", "1f1b"},
                                                 {"gpipe", "gpipe"},
                                                 {"loopedbfs", "gpipe"},
                                                 {"interleavedzerobubble", "zero-bubble"},
                                                 {"zbvzerobubble", "zero-bubble"},
                                                 {"zb1p", "zero-bubble"},
                                                 {"dualpipev", "zero-bubble"}}};

void importTorchtitanModel(Translation &t)
{
    const auto model = t.text({"model.name"});
    const auto flavor = t.text({"model.flavor"});
    if (!model || !flavor)
        return;
    if (const CatalogueModel *preset = findTitanModel(*model, *flavor)) {
        t.clear("model");
        t.set("model.preset", preset->name);
    } else {
        t.note(excerpt(*model, 40) + ' ' + excerpt(*flavor, 40) +
               " is no model that plans know by name; import its config.json.");
    }
}

/// The data-parallel degrees and the strategy that they make.
void importData(Translation &t)
{
    const std::int64_t replicate = t.count({"parallelism.data_parallel_replicate_degree",
                                            "training.data_parallel_replicate_degree"})
                                       .value_or(1);
    const bool badReplicas = replicate < 1 || replicate > 100'000;
    if (badReplicas)
        t.note("is out of range; it is left out.");
    const auto shards =
        t.count({"parallelism.data_parallel_shard_degree", "training.data_parallel_shard_degree",
                 "training.data_parallel_degree"});
    if (badReplicas)
        return;
    const std::int64_t shard = shards.value_or(-1); // -1: all that are left
    if (shard > 100'000)
        return t.note("is out of range; it is left out.");
    // FSDP shards over the context-parallel GPUs too.
    const std::int64_t context = t.plan().parallel.context.value_or(1);
    if (shard == 1 && context == 1) {
        t.set("parallel.data", replicate);
        t.set("parallel.strategy", replicate > 1 ? "ddp" : "none");
        return;
    }
    t.set("parallel.strategy", "fsdp2");
    if (shard > 0)
        t.set("parallel.data", replicate * shard);
    else if (t.plan().hardware.gpus)
        fillDataParallel(t);
    else if (shards)
        t.note("is -1: all GPUs that are left; set hardware.gpus and parallel.data.");
    else
        t.note("data_parallel_shard_degree", "is not stated, and its default is all GPUs that are "
                                             "left; set hardware.gpus and parallel.data.");
    const auto reshard =
        t.text({"parallelism.fsdp_reshard_after_forward", "training.fsdp_reshard_after_forward"});
    const bool pipelined = t.plan().parallel.pipeline.value_or(1) > 1;
    const bool keeps = reshard && (*reshard == "never" || (*reshard == "default" && pipelined));
    if (replicate > 1) {
        t.set("parallel.sharding", "hybrid_shard");
        const std::int64_t all = t.plan().parallel.data.value_or(0);
        if (all % replicate == 0 && all > 0)
            t.set("parallel.shard_group", all / replicate * context);
        if (keeps)
            t.note("cannot be said beside hybrid sharding; the weights are counted as resharded.");
    } else {
        t.set("parallel.sharding", keeps ? "shard_grad_op" : "full_shard");
    }
}

void importDegrees(Translation &t)
{
    t.carry("parallel.tensor",
            {"parallelism.tensor_parallel_degree", "training.tensor_parallel_degree"});
    if (t.plan().parallel.tensor.value_or(1) > 1)
        t.set("parallel.sequence", true); // torchtitan's tensor parallel plans always split it
    t.carry("parallel.pipeline",
            {"parallelism.pipeline_parallel_degree", "experimental.pipeline_parallel_degree"});
    if (t.plan().parallel.pipeline.value_or(1) > 1)
        t.translate(
            "parallel.schedule",
            {"parallelism.pipeline_parallel_schedule", "experimental.pipeline_parallel_schedule"},
            kSchedules);
    t.take({"parallelism.pipeline_parallel_schedule", "experimental.pipeline_parallel_schedule"});
    t.carry("parallel.context",
            {"parallelism.context_parallel_degree", "experimental.context_parallel_degree"});
    t.carry("parallel.expert", {"parallelism.expert_parallel_degree"});
    t.carry("parallel.expert_tensor", {"parallelism.expert_tensor_parallel_degree"});
}

/// Every n-th block is checkpointed, the others are kept whole.
void importEveryNth(Translation &t, const std::string &option)
{
    std::int64_t every = 0;
    std::from_chars(option.data(), option.data() + option.size(), every);
    const auto architecture = architectureOf(t.plan().model);
    if (every == 1)
        return t.set("activations.checkpointing", "full");
    if (every < 1 || !architecture)
        return t.note(every < 1 ? "is not \"op\" or a number; it is left out."
                                : "counts layers of a model that is not known yet; import the "
                                  "model first.");
    t.set("activations.checkpointing", "block");
    t.set("activations.blocks", architecture->layers / every);
}

void importCheckpointing(Translation &t)
{
    const auto mode = t.text({"activation_checkpoint.mode"});
    if (!mode)
        return t.note("[activation_checkpoint]",
                      "mode is not stated, and its default differs "
                      "between versions; set activations.checkpointing.");
    if (*mode == "none" || *mode == "full")
        return t.set("activations.checkpointing", *mode);
    if (*mode != "selective")
        return t.note("is \"" + excerpt(*mode, 40) + "\"; known are none, selective and full.");
    const std::string option = t.text({"activation_checkpoint.selective_ac_option"}).value_or("2");
    if (option == "op")
        t.set("activations.checkpointing", "selective-op");
    else
        importEveryNth(t, option);
}

void importTorchtitanStep(Translation &t)
{
    t.carry("batch.micro_batch", {"training.local_batch_size", "training.batch_size"});
    t.carry("batch.sequence_length", {"training.seq_len"});
    const auto whole = t.count({"training.global_batch_size"});
    const std::int64_t one =
        t.plan().batch.microBatch.value_or(1) * t.plan().parallel.data.value_or(1);
    if (whole && *whole > 0 && *whole % one == 0)
        t.set("batch.accumulation_steps", *whole / one);
    else if (whole && *whole > 0)
        t.note("is no multiple of the " + counted(one, "sequence") + " of one pass.");
    t.translate("optimizer.name", {"optimizer.name"}, kTorchtitanOptimizers);
    if (const auto fused = t.flag({"optimizer.fused"}))
        t.set("optimizer.implementation", *fused ? "fused" : "foreach");
    else if (t.has("optimizer.implementation"))
        t.translate("optimizer.implementation", {"optimizer.implementation"}, kImplementations);
    else
        t.set("optimizer.implementation", "fused"); // torchtitan's default
    if (t.flag({"optimizer.early_step_in_backward"}).value_or(false))
        t.set("optimizer.implementation", "in-backward");
    const bool compiled = t.flag({"compile.enable", "training.compile"}).value_or(false);
    t.set("activations.kernels", compiled ? "compiled" : "eager");
    t.set("activations.attention", "flash");
}

/// Whether model.converters names the converter that computes linear layers in float8.
bool convertsToFloat8(Translation &t)
{
    const ForeignSetting *setting = t.take({"model.converters"});
    if (!setting)
        return false;
    const auto isFloat8 = [](std::string_view name) {
        return name == "quantize.linear.float8" || name == "float8";
    };
    if (const auto *names = std::get_if<TextList>(&setting->value))
        return std::ranges::any_of(*names, isFloat8);
    const auto *name = std::get_if<std::string>(&setting->value);
    return name && isFloat8(*name);
}

/// float8 is switched on by a flag in the layout of 2024, by a converter in the newer one.
void importFloat8(Translation &t)
{
    const bool flagged = t.flag({"float8.enable_fp8_linear", "float8.enable_float8_linear",
                                 "training.enable_fp8_linear", "training.enable_float8_linear"})
                             .value_or(false);
    const bool converted = convertsToFloat8(t);
    if (flagged || converted)
        t.set("precision.linear", "fp8");
    else if (t.takeAll("quantize.linear.float8."))
        t.note("quantize.linear.float8", "has no effect: model.converters does not name it.");
}

void importTorchtitanPrecision(Translation &t)
{
    const std::string compute = t.text({"training.mixed_precision_param"}).value_or("bfloat16");
    const bool sharded = t.plan().parallel.strategy == Strategy::Fsdp2;
    if (compute == "bfloat16")
        t.set("precision.regime", sharded ? "fsdp-mixed-bf16" : "autocast-bf16");
    else if (compute == "float32")
        t.set("precision.regime", "fp32");
    else
        t.note("is \"" + excerpt(compute, 40) + "\"; known are bfloat16 and float32.");
    // torchtitan reduces in fp32 unless told otherwise.
    const std::string reduce = t.text({"training.mixed_precision_reduce"}).value_or("float32");
    if (sharded && compute == "bfloat16")
        t.set("precision.reduce_bytes", std::int64_t(reduce == "float32" ? 4 : 2));
    if (const auto offload = t.flag({"training.enable_cpu_offload"}); offload && *offload)
        t.set("parallel.cpu_offload", true);
}

/// Beside tensor parallelism the loss is sharded over the vocabulary, unless that is disabled. A
/// whole one lets go of the logits before it runs backward (trainer.py).
void importLoss(Translation &t)
{
    const auto disabled =
        t.flag({"parallelism.disable_loss_parallel", "training.disable_loss_parallel"});
    const auto enabled = t.flag({"experimental.enable_loss_parallel"});
    const bool fp32 = t.plan().precision.regime == Regime::Fp32;
    const LossKind whole = fp32 ? LossKind::CrossEntropyFp32 : LossKind::HfPadded;
    const bool split = t.plan().parallel.tensor.value_or(1) > 1;
    const bool sharded = split && enabled.value_or(!disabled.value_or(false));
    t.set("loss", std::string(choiceText(sharded ? LossKind::LossParallel : whole)));
}

} // namespace

Imported importTorchtitan(Translation t)
{
    t.set("workload", "training");
    t.set("trainer", "torchtitan");
    importTorchtitanModel(t);
    importDegrees(t);
    importData(t);
    importCheckpointing(t);
    importTorchtitanStep(t);
    importFloat8(t);
    importTorchtitanPrecision(t);
    importLoss(t);
    return std::move(t).finish("torchtitan TOML", torchtitanHarmless());
}

} // namespace vramscope
