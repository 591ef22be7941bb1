// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/rollout.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/plan/field_path.h"
#include "core/settings/checks.h"

#include <algorithm>

namespace vramscope {

namespace {

/// What the engine's own plan finds that the trainer's has not found already.
void addEngineIssues(const Plan &plan, ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    ResolvedPlan engine{*s.rollout, {}};
    checkPlan(enginePlan(plan, s), engine);
    for (Issue &issue : engine.issues) {
        const bool ofEngine =
            issue.field.starts_with("inference.") || issue.severity == Issue::Severity::Blocking;
        const bool known = std::ranges::any_of(resolved.issues, [&](const Issue &other) {
            return other.field == issue.field && other.text == issue.text;
        });
        if (ofEngine && !known)
            resolved.issues.push_back(std::move(issue));
    }
}

} // namespace

Plan enginePlan(const Plan &plan, const Settings &trainer)
{
    Plan engine = plan;
    engine.workload = Workload::Inference;
    engine.parallel = {};
    const std::int64_t tensor = std::max<std::int64_t>(trainer.rl.tensor, 1); // not checked yet
    engine.parallel.tensor = tensor;
    engine.parallel.data = std::max<std::int64_t>(trainer.gpus / tensor, 1);
    engine.hardware.gpus = trainer.gpus;
    engine.adapters = {}; // merged into the weights that the engine gets
    engine.overheads.residentBytes.reset();
    engine.overheads.reservedFactor.reset();
    engine.overheads.ncclBytes.reset();
    engine.inference.weightFormat = trainer.weightFormat; // not that of the model's published files
    if (!engine.inference.maxModelLen) // prompt and answer, as the trainer gets them
        engine.inference.maxModelLen = trainer.sequenceLength;
    return engine;
}

std::shared_ptr<const Settings> engineSettings(const Plan &plan, const Settings &trainer)
{
    Settings engine = trainer;
    engine.rollout = nullptr;
    updateSettings(engine, enginePlan(plan, trainer));
    return std::make_shared<const Settings>(std::move(engine));
}

bool soundRollout(const Plan &plan, const Settings &trainer)
{
    return trainer.gpus % trainer.rl.tensor == 0 &&
           soundPlan(enginePlan(plan, trainer), *trainer.rollout);
}

void checkRollout(const Plan &plan, ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    const auto add = [&](bool when, Issue::Severity severity, FieldPath field, std::string text) {
        if (when)
            resolved.issues.push_back(issueOf(field, severity, std::move(text)));
    };
    using enum Issue::Severity;
    if (!s.rollout)
        return;
    add(s.rl.tensor > 0 && s.gpus % s.rl.tensor != 0, Blocking, "rl.tensor",
        counted(s.gpus, "GPU") + (s.gpus == 1 ? " is" : " are") +
            " no whole number of engines on " + formatCount(s.rl.tensor) + " each.");
    add(!sizesItsCache(*s.rollout), Note, "inference.engine",
        "The cache is as large as the sequences that the plan states; vLLM and SGLang, which "
        "trainers of this kind start, fill a share of the GPU.");
    add(s.rl.reference && s.adapters.kind == AdapterKind::Lora, Note, "rl.reference",
        "With adapters the frozen model under them is the reference: a second copy is rarely "
        "needed.");
    add(s.rl.critic, Note, "rl.critic",
        "The critic is counted with the policy's shape and settings; its update comes before or "
        "after the policy's, which is the higher one.");
    add(true, Note, "workload",
        "Times are those of the update alone: how long generation takes is not projected.");
    if (resolved.computable())
        addEngineIssues(plan, resolved);
}

} // namespace vramscope
