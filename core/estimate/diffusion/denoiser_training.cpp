// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that training of any denoiser keeps between steps, as diffusers' examples do: adapters in
// fp32 with a frozen base, or the whole model in fp32 or bf16.
#include "core/estimate/diffusion/denoiser_training.h"

#include "core/estimate/diffusion/diffusion.h"
#include "core/plan/field_path.h"
#include "core/settings/settings.h"

namespace vramscope {

namespace {

constexpr PhaseSet kEveryPhase = {StepPhase::Forward, StepPhase::Backward, StepPhase::Step,
                                  StepPhase::Rest};
constexpr std::string_view kStepRecorded = "Recorded: tests/measure/diffusion/lora.py";
constexpr PhaseSet kStatesBegin = {StepPhase::Step, StepPhase::Rest};

void addMoments(const Settings &s, const TrainedShare &trained, Ledger &ledger)
{
    const std::int64_t n = trained.parameters;
    const auto add = [&](Exact bytes, Origin origin, FormulaText text) {
        ledger.add({Category::OptimizerStates, "Optimizer states", bytes, kEveryPhase, kStatesBegin,
                    origin},
                   text);
    };
    if (s.optimizer.name == OptimizerName::AdamW8bit) {
        constexpr std::int64_t kBlock = 256;
        const Exact scales = dividedUp(Exact(8) * n, kBlock);
        add(Exact(2) * n + scales,
            {"A byte a state, a scale a block of 256; measured: tests/measure", Evidence::Verified},
            {"2 N + 2 × 4 N / 256 = 2 × {} + {}", {n, scales.value()}});
    } else if (s.optimizer.name == OptimizerName::Adafactor) {
        add(Exact(4) * trained.factors,
            {"Row and column sums of each tensor, whole vectors; transformers optimization.py",
             Evidence::Sourced},
            {"4 × sums of rows and columns = 4 × {}", {trained.factors}});
    } else if (s.optimizer.name == OptimizerName::Prodigy) {
        add(Exact(trained.bytes) * (Exact(3) * n + (n - trained.zeros)),
            {"Two moments, a sum of gradients and the first values of tensors that do not start at "
             "zero; prodigyopt 1.1.2 prodigy.py, measured: tests/measure",
             Evidence::Verified},
            {"{} (3 N + N_first) = {} × (3 × {} + {})",
             {trained.bytes, trained.bytes, n, n - trained.zeros}});
    } else if (s.optimizer.name == OptimizerName::AdamWScheduleFree) {
        add(Exact(2 * trained.bytes) * n,
            {"The second moment and the sequence z; schedulefree 1.4.1 adamw_schedulefree.py",
             Evidence::Verified},
            {"2 × {} N = {} × {}", {trained.bytes, 2 * trained.bytes, n}});
    } else {
        add(Exact(2 * trained.bytes) * n,
            {trained.bytes == 4 ? "Two moments of AdamW in fp32" : "Two moments of AdamW in bf16",
             Evidence::Verified},
            {"2 × {} N = {} × {}", {trained.bytes, 2 * trained.bytes, n}});
    }
}

/// The step's own tensors: a list as long as all gradients, or the update of one tensor.
void addStepWork(const Settings &s, const TrainedShare &trained, Ledger &ledger)
{
    if (s.optimizer.name == OptimizerName::Adafactor) {
        // The squared gradient and its sum with epsilon in fp32, and fp32 copies of gradient and
        // weight where these are narrower.
        const std::int64_t bytes = trained.bytes == 4 ? 8 : 16;
        ledger.add(Category::TemporaryBuffers, "Update of the largest tensor",
                   {"{} n_max", {bytes, trained.largestTensor}}, {StepPhase::Step},
                   {"A for-loop over tensors; transformers optimization.py", Evidence::Sourced});
    } else if (s.optimizer.name == OptimizerName::Prodigy) {
        ledger.add(Category::TemporaryBuffers, "Update of the largest tensor",
                   {"{} n_max", {trained.bytes, trained.largestTensor}}, {StepPhase::Step},
                   {"A for-loop over tensors; prodigyopt 1.1.2 prodigy.py", Evidence::Sourced});
    } else if ((s.optimizer.name == OptimizerName::AdamW ||
                s.optimizer.name == OptimizerName::AdamWScheduleFree) &&
               s.optimizer.implementation == OptimizerImplementation::Foreach) {
        ledger.add(Category::TemporaryBuffers, "Foreach temporaries",
                   {"{} N", {trained.bytes, trained.parameters}}, {StepPhase::Step},
                   {kStepRecorded, Evidence::Verified});
    }
}

} // namespace

bool trainsAll(const Settings &settings)
{
    return settings.adapters.kind == AdapterKind::None;
}

void addTrainingStates(const Settings &s, const TrainedShare &trained, PhaseSet gradients,
                       Ledger &ledger)
{
    const DiffusionComponent &base = *s.diffusion->first(DiffusionRole::Denoiser);
    const std::int64_t n = trained.parameters;
    const bool all = trainsAll(s);
    if (all) {
        ledger.add(Category::Parameters, base.title, Exact(trained.bytes) * (n + base.tables),
                   kEveryPhase, {base.kind->source, Evidence::Verified},
                   {"{} (N + table of positions) = {} × ({} + {})",
                    {trained.bytes, trained.bytes, n, base.tables}});
    } else {
        const Exact bytes = weightBytes(base, s);
        ledger.add(Category::Parameters, base.title, bytes, kEveryPhase,
                   {base.kind->source, Evidence::Verified},
                   {"weights of {} parameters = {}", {base.parameters, bytes.value()}});
        ledger.add(Category::Parameters, "Adapter weights", {"{} N_adapters", {trained.bytes, n}},
                   kEveryPhase, {kStepRecorded, Evidence::Verified});
    }
    ledger.add(Category::Gradients, all ? "Gradients" : "Adapter gradients",
               {"{} N", {trained.bytes, n}}, gradients, {kStepRecorded, Evidence::Verified});
    addMoments(s, trained, ledger);
    addStepWork(s, trained, ledger);
    ledger.add(Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes, kEveryPhase,
               calibratedOr(s.calibrated.cublasWorkspace,
                            {"Workspaces of the forward and backward handles", Evidence::Sourced}),
               {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
    ledger.add(Category::Framework, "Other resident tensors", s.residentBytes, kEveryPhase,
               calibratedOr(s.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {s.residentBytes}});
}

void addDiffusionTraining(const Settings &settings, Ledger &ledger)
{
    if (settings.diffusion->first(DiffusionRole::Denoiser)->unet.empty())
        addTransformerTraining(settings, ledger);
    else
        addUnetTraining(settings, ledger);
}

} // namespace vramscope
