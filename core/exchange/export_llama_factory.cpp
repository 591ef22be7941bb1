// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"
#include "core/planner/field_conditions.h"

namespace vramscope {

namespace {

// Keys and defaults of LLaMA-Factory 0.9.5: hparams/, model/adapter.py and model/model_utils/.

void writeTuning(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool lora = s.adapters == AdapterKind::Lora;
    yaml.word("finetuning_type", lora ? "lora" : "full");
    o.said({"adapters.kind"});
    if (!lora)
        return;
    writeAdapters(o, yaml, "lora_rank", "lora_dropout");
    if (const auto targets = sayTargets(o)) {
        std::string list;
        for (const std::string &target : *targets)
            list += (list.empty() ? "" : ",") + (target == "all-linear" ? "all" : target);
        yaml.word("lora_target", list);
    }
    const bool four = s.baseQuantization == BaseQuantization::Nf4 ||
                      s.baseQuantization == BaseQuantization::Nf4Double;
    if (four || s.baseQuantization == BaseQuantization::Int8) {
        yaml.count("quantization_bit", four ? 4 : 8);
        yaml.word("quantization_method", "bnb");
    }
    if (four)
        yaml.flag("double_quantization", s.baseQuantization == BaseQuantization::Nf4Double);
    if (four || s.baseQuantization == BaseQuantization::Int8 ||
        s.baseQuantization == BaseQuantization::None)
        o.said({"adapters.base_quantization"});
}

/// What is trained is made fp32, what is frozen stays in the type of the run (init_adapter()).
void sayWeights(Outline &o)
{
    const Settings &s = o.settings();
    const bool autocast = s.regime == Regime::AutocastBf16 || s.regime == Regime::AutocastFp16;
    if (!autocast || applies::fsdp.test(s) || applies::zero.test(s))
        return;
    const std::int64_t bytes = s.adapters == AdapterKind::Lora ? 2 : 4;
    o.said({"precision.weight_bytes"});
    if (s.weightBytes != bytes)
        o.changed("precision.weight_bytes",
                  "is " + std::to_string(s.weightBytes) + "; LLaMA-Factory holds " +
                      (bytes == 4 ? "what it trains in fp32: " : "what is frozen in 16 bit: ") +
                      std::to_string(bytes) + '.');
}

/// Liger's kernels come with a head that is fused into the loss.
void writeFactoryLiger(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool fused = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    if (!fused && !head)
        return sayOwnLoss(o);
    yaml.flag("enable_liger_kernel", true);
    o.said({"activations.kernels", "loss"});
    if (!fused)
        o.changed("activations.kernels", "are " + std::string(choiceText(s.kernels)) +
                                             "; Liger's kernels fuse the blocks too.");
    if (!head)
        o.changed("loss", "is " + std::string(choiceText(s.loss)) +
                              "; Liger's kernels fuse the head into the loss: linear-fused.");
}

} // namespace

std::string llamaFactoryText(Outline &o)
{
    const Settings &s = o.settings();
    YamlText yaml;
    sayRun(o, "llamafactory");
    writeLaunch(o, yaml,
                {.before = "FORCE_TORCHRUN=1 NPROC_PER_NODE=",
                 .machines = " NNODES=",
                 .after = " llamafactory-cli train THIS_FILE",
                 .all = false});
    yaml.comment("Yours to add: dataset, template, output_dir.");
    writeModelName(o, yaml, "model_name_or_path");
    yaml.flag("do_train", true);
    writeTuning(o, yaml);
    yaml.count("cutoff_len", s.sequenceLength);
    o.said({"batch.sequence_length"});
    yaml.word("flash_attn", sayAttention(o) == "eager" ? "disabled" : "fa2");
    writeTrainingArguments(o, yaml, true);
    if (s.regime == Regime::PureBf16)
        yaml.flag("pure_bf16", true);
    sayWeights(o);
    if (s.optimizer == OptimizerName::Muon) {
        yaml.flag("use_muon", true);
        o.said({"optimizer.name"});
    } else {
        writeTrainerOptimizer(o, yaml, "optim", false);
    }
    yaml.flag("disable_gradient_checkpointing", !sayCheckpointing(o));
    writeFactoryLiger(o, yaml);
    return yaml.text();
}

} // namespace vramscope
