// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_terms.h"

namespace vramscope {

namespace {

// Keys and defaults of LLaMA-Factory 0.9.5: hparams/, model/adapter.py and model/model_utils/.

constexpr SettingRow kFactoryAdapters[] = {
    {"lora_rank", "adapters.rank"},
    {"lora_dropout", "adapters.dropout"},
    {"use_dora", "adapters.dora", Stated},
};

void writeTuning(Outline &o)
{
    const Settings &s = o.settings();
    const bool lora = s.adapters.kind == AdapterKind::Lora;
    o.put("finetuning_type", lora ? "lora" : "full");
    o.covered({"adapters.kind"});
    if (!lora)
        return;
    o.write(kFactoryAdapters);
    if (const auto targets = targetModules(o)) {
        std::string list;
        for (const std::string &target : *targets)
            list += (list.empty() ? "" : ",") + (target == "all-linear" ? "all" : target);
        o.put("lora_target", list);
    }
    const BaseQuantization base = s.adapters.baseQuantization;
    const bool four = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    const bool eight = base == BaseQuantization::Int8;
    if (four || eight) {
        o.put("quantization_bit", std::int64_t(four ? 4 : 8));
        o.put("quantization_method", "bnb");
    }
    if (four)
        o.put("double_quantization", base == BaseQuantization::Nf4Double);
    o.covered({"adapters.base_quantization"}, four || eight || base == BaseQuantization::None);
}

/// Trained weights become fp32, frozen ones keep the type of the run (init_adapter()).
void coverWeights(Outline &o)
{
    const Settings &s = o.settings();
    const bool autocast = s.regime == Regime::AutocastBf16 || s.regime == Regime::AutocastFp16;
    if (!autocast || isFsdp(s.strategy) || isZero(s.strategy))
        return;
    const std::int64_t bytes = s.adapters.kind == AdapterKind::Lora ? 2 : 4;
    o.covered({"precision.weight_bytes"});
    if (s.weightBytes != bytes)
        o.replaced("precision.weight_bytes", std::string("; LLaMA-Factory holds ") +
                                                 (bytes == 4 ? "what it trains in fp32: 4."
                                                             : "what is frozen in 16 bit: 2."));
}

/// Liger's kernels include a head that is fused into the loss.
void writeFactoryLiger(Outline &o)
{
    const Settings &s = o.settings();
    const bool fused = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    if (!fused && !head)
        return coverOwnLoss(o);
    o.put("enable_liger_kernel", true);
    o.covered({"activations.kernels", "loss"});
    if (!fused)
        o.changed("activations.kernels", "are " + std::string(choiceText(s.kernels)) +
                                             "; Liger's kernels fuse the blocks too.");
    if (!head)
        o.replaced("loss", "; Liger's kernels fuse the head into the loss: linear-fused.");
}

} // namespace

void writeLlamaFactory(Outline &o)
{
    const Settings &s = o.settings();
    coverRun(o, "llamafactory");
    writeLaunch(o, {.before = "FORCE_TORCHRUN=1 NPROC_PER_NODE=",
                    .machines = " NNODES=",
                    .after = " llamafactory-cli train THIS_FILE",
                    .all = false});
    o.comment("Yours to add: dataset, template, output_dir.");
    writeModelName(o, "model_name_or_path");
    o.put("do_train", true);
    writeTuning(o);
    o.write({"cutoff_len", "batch.sequence_length"});
    o.put("flash_attn", attentionWord(o) == "eager" ? "disabled" : "fa2");
    writeTrainingArguments(o, true);
    o.putIf(s.regime == Regime::PureBf16, "pure_bf16");
    coverWeights(o);
    if (s.optimizer.name == OptimizerName::Muon) {
        o.put("use_muon", true);
        o.covered({"optimizer.name"});
    } else {
        writeTrainerOptimizer(o, "optim", false);
    }
    o.put("disable_gradient_checkpointing", !checkpoints(o));
    writeFactoryLiger(o);
}

} // namespace vramscope
