// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"
#include "core/planner/field_conditions.h"

namespace vramscope {

namespace {

// Keys and defaults of TRL 1.16: trainer/sft_config.py and model_config.py.

/// trainer/sft_trainer.py: fp32 as PEFT has it, bf16 on a quantised base and under ZeRO-3.
std::int64_t adapterBytesOfTrl(const Settings &s)
{
    return s.baseQuantization != BaseQuantization::None || s.strategy == Strategy::Zero3 ? 2 : 4;
}

void writePeft(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    if (s.adapters != AdapterKind::Lora)
        return;
    yaml.flag("use_peft", true);
    writeAdapters(o, yaml, "lora_r", "lora_dropout");
    if (const auto targets = sayTargets(o))
        yaml.words("lora_target_modules", *targets);
    switch (s.baseQuantization) {
    case BaseQuantization::Nf4:
    case BaseQuantization::Nf4Double:
        yaml.flag("load_in_4bit", true);
        yaml.flag("use_bnb_nested_quant", s.baseQuantization == BaseQuantization::Nf4Double);
        break;
    case BaseQuantization::Int8:
        yaml.flag("load_in_8bit", true);
        break;
    case BaseQuantization::None:
        break;
    default:
        return;
    }
    o.said({"adapters.base_quantization", "adapters.weight_bytes"});
    const std::int64_t theirs = adapterBytesOfTrl(s);
    if (s.adapterWeightBytes != theirs)
        o.changed("adapters.weight_bytes", "is " + std::to_string(s.adapterWeightBytes) +
                                               "; TRL keeps adapters in " +
                                               (theirs == 2 ? "bf16." : "fp32."));
}

/// The type that weights are loaded in, where nothing makes another of it.
void writeType(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    if (applies::fsdp.test(s) || applies::zero.test(s))
        return;
    const bool half = s.regime == Regime::AutocastFp16;
    const bool wide =
        s.regime == Regime::Fp32 || (s.weightBytes == 4 && s.regime != Regime::PureBf16);
    yaml.word("dtype", wide ? "float32" : half ? "auto" : "bfloat16");
    o.said({"precision.weight_bytes"});
    if (s.weightBytes != (wide ? 4 : 2))
        o.changed("precision.weight_bytes",
                  "is " + std::to_string(s.weightBytes) + ", which no dtype of this run has.");
}

} // namespace

std::string trlText(Outline &o)
{
    const Settings &s = o.settings();
    YamlText yaml;
    sayRun(o, "trl");
    writeLaunch(o, yaml,
                {.before = "trl sft --config THIS_FILE --num_processes ",
                 .machines = " --num_machines ",
                 .environment = false});
    if (!s.allocConf.empty()) {
        yaml.open("env");
        yaml.word("PYTORCH_CUDA_ALLOC_CONF", '\'' + s.allocConf + '\'');
        yaml.close();
        o.said({"overheads.alloc_conf"});
    }
    writeModelName(o, yaml, "model_name_or_path");
    yaml.word("attn_implementation", sayAttention(o));
    writeType(o, yaml);
    yaml.count("max_length", s.sequenceLength);
    o.said({"batch.sequence_length"});
    writeTrainingArguments(o, yaml, true);
    writeTrainerOptimizer(o, yaml, "optim", false);
    yaml.flag("gradient_checkpointing", sayCheckpointing(o));
    if (o.states("activations.offload"))
        yaml.flag("activation_offloading", s.activationOffload);
    if (s.kernels == Kernels::Fused) {
        yaml.flag("use_liger_kernel", true);
        o.said({"activations.kernels"});
    }
    o.said({"loss"});
    if (s.loss != LossKind::LinearFused)
        o.changed("loss", "is " + std::string(choiceText(s.loss)) +
                              "; TRL 1.16 fuses the head into its loss and never has all logits, "
                              "as linear-fused.");
    writePeft(o, yaml);
    return yaml.text();
}

} // namespace vramscope
