// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"

namespace vramscope {

namespace {

/// Liger's kernels are all on by default, the head fused into the loss among them.
void writeTrainerLiger(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool blocks = s.kernels == Kernels::Fused;
    const bool head = s.loss == LossKind::LinearFused;
    const bool entropy = s.loss == LossKind::FusedUpcast;
    if (blocks)
        o.said({"activations.kernels"});
    if (head || entropy)
        o.said({"loss"});
    else
        sayOwnLoss(o);
    if (!blocks && !head && !entropy)
        return;
    yaml.flag("use_liger_kernel", true);
    if (blocks && head)
        return;
    yaml.open("liger_kernel_config");
    for (const char *kernel : {"rope", "rms_norm", "swiglu", "geglu"}) {
        if (!blocks)
            yaml.flag(kernel, false);
    }
    yaml.flag("cross_entropy", entropy);
    yaml.flag("fused_linear_cross_entropy", head);
    yaml.close();
}

} // namespace

/// Arguments of transformers 5.23 (training_args.py), as HfArgumentParser.parse_yaml_file reads
/// them. Model, sequence length and adapters are the script's.
std::string trainerText(Outline &o)
{
    YamlText yaml;
    sayRun(o, "hf");
    writeLaunch(o, yaml,
                {.before = "torchrun --nproc_per_node ",
                 .machines = " --nnodes ",
                 .after = " train.py THIS_FILE",
                 .all = false});
    writeTrainingArguments(o, yaml, false);
    writeTrainerOptimizer(o, yaml, "optim", false);
    // Another name of activation_checkpointing, which transformers before 5.23 may not know.
    yaml.flag("gradient_checkpointing", sayCheckpointing(o));
    writeTrainerLiger(o, yaml);
    return yaml.text();
}

} // namespace vramscope
