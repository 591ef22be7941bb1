// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"
#include "core/exchange/trainer_terms.h"

namespace vramscope {

std::int64_t machinesOf(const Settings &s)
{
    return s.gpusPerNode > 0 && s.gpus % s.gpusPerNode == 0 ? s.gpus / s.gpusPerNode : 1;
}

void coverRun(Outline &o, std::string_view trainer)
{
    const Settings &s = o.settings();
    const std::string planned = o.plan().trainer.value_or(std::string(choiceText(s.trainer)));
    Plan under = o.plan();
    under.trainer = trainer;
    const Settings stated = resolve(under).settings;
    if (s.trainer == stated.trainer)
        o.covered({"trainer"});
    else
        o.changed("trainer", "is " + planned +
                                 ", but this file runs under transformers' Trainer, which loads "
                                 "and sets other things where nothing is stated: plan with \"" +
                                 std::string(trainer) + "\".");
    for (const Field &field : planFields()) {
        const FieldValue value = field.get(o.plan());
        if (!isStated(value) || !field.inForce)
            continue;
        if (!field.applies(s)) {
            o.covered({field.path});
            continue;
        }
        Plan without = under;
        field.set(without, {});
        o.covered({field.path}, effectiveValue(without, resolve(without).settings, field) ==
                                    effectiveValue(under, stated, field));
    }
}

void writeLaunch(Outline &o, const Launch &launch)
{
    const Settings &s = o.settings();
    if (launch.environment) {
        if (const std::string line = o.allocatorLine(); !line.empty())
            o.comment(line);
    }
    const std::int64_t machines = machinesOf(s);
    const std::int64_t each = s.gpus / machines;
    std::string line(launch.before);
    if (launch.before.ends_with(' ') || launch.before.ends_with('='))
        line += std::to_string(launch.all ? s.gpus : each);
    if (machines > 1 && !launch.machines.empty())
        line += std::string(launch.machines) + std::to_string(machines);
    o.comment(line + std::string(launch.after));
    o.covered({"hardware.gpus", "hardware.gpus_per_node"});
    o.covered({"parallel.data"}, s.data * s.tensor * s.pipeline * s.context == s.gpus);
}

void writeModelName(Outline &o, std::string_view key)
{
    const auto &preset = o.plan().model.preset;
    const std::string_view repository = preset ? repositoryOf(*preset) : std::string_view();
    o.put(key, std::string(repository.empty() ? "." : repository));
    const FieldPath field = preset ? FieldPath("model.preset") : FieldPath("model.config");
    if (repository.empty())
        o.changed(field, "has no repository that is known; \".\" stands for the folder with the "
                         "checkpoint.");
    else
        o.covered({"model.preset"});
}

MixedPrecision mixedPrecision(Outline &o, bool pure)
{
    const Settings &s = o.settings();
    const MixedPrecision mixed{
        .bf16 = s.regime != Regime::Fp32 && s.regime != Regime::PureBf16 &&
                s.regime != Regime::AutocastFp16 && s.regime != Regime::DeepSpeedFp16,
        .fp16 = s.regime == Regime::AutocastFp16 || s.regime == Regime::DeepSpeedFp16};
    const Regime under = regimeUnder(s.strategy, mixed.bf16, mixed.fp16);
    const bool plain = !isFsdp(s.strategy) && !isZero(s.strategy);
    o.covered({"precision.regime"});
    if (under == s.regime || (pure && plain && s.regime == Regime::PureBf16))
        return mixed;
    if (plain && s.regime == Regime::PureBf16)
        o.replaced("precision.regime", ", which no switch says: with both off the run is in the "
                                       "type that the script loads the weights in.");
    else
        o.replaced("precision.regime", ", which these switches cannot say; the run is " +
                                           std::string(choiceText(under)) + '.');
    return mixed;
}

bool checkpoints(Outline &o)
{
    const Settings &s = o.settings();
    o.covered({"activations.checkpointing"});
    const bool none = s.checkpointing == Checkpointing::None;
    if (!none && s.checkpointing != Checkpointing::Full)
        o.replaced("activations.checkpointing",
                   "; gradient_checkpointing recomputes every block or "
                   "none: it has become full.");
    return !none;
}

bool compiles(Outline &o)
{
    const Settings &s = o.settings();
    const bool compiled = s.kernels == Kernels::Compiled;
    o.covered({"activations.kernels"}, compiled || s.kernels == Kernels::Eager);
    return compiled;
}

void writeTrainingArguments(Outline &o, bool pure)
{
    const Strategy strategy = o.settings().strategy;
    o.write(kTrainerBatch);
    const MixedPrecision mixed = mixedPrecision(o, pure);
    o.put("bf16", mixed.bf16);
    o.put("fp16", mixed.fp16);
    o.putIf(compiles(o), "torch_compile");
    if (isFsdp(strategy)) {
        o.put("fsdp", true);
        writeFsdp(o, {.version = "version", .offload = "cpu_offload"});
    } else if (isZero(strategy)) {
        writeDeepSpeedWithin(o);
    }
    o.covered({"parallel.strategy"}, isPlain(strategy));
}

void coverOwnLoss(Outline &o)
{
    o.covered({"loss"});
    if (o.settings().loss != LossKind::HfPadded)
        o.replaced("loss", "; it has become transformers' own, hf-padded.");
}

} // namespace vramscope
