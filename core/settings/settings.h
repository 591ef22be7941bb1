// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/catalog/empirical.h"
#include "core/catalog/gpus.h"
#include "core/model/towers/tower.h"
#include "core/plan/issue.h"
#include "core/plan/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

struct DiffusionPipeline;
struct Draft;
struct PlacedCheckpoint;

/// Where the constants are from that were taken over from a recording: "calibrated from FILE";
/// empty for all others.
struct CalibratedSources
{
    std::string context, nccl, cublasWorkspace, reservedFactor, resident;
};

/// One of the GPUs of a machine that has several kinds.
struct ListedGpu
{
    const GpuPreset *gpu = nullptr; ///< null: its size alone is known
    std::int64_t gigabytes = 0;     ///< as sold
    Bytes capacity = 0;
};

/// A plan with every default put in and every name looked up: what the formulas read. Fields begin
/// with their defaults, but where the row of a field names a rule (usual_values.h). Groups whose
/// names say enough without the group are bases, "microBatch"; others are members, "adapters.rank".
struct Settings : JobFields<InForce>,
                  HardwareFields<InForce>,
                  ParallelFields<InForce>,
                  PrecisionFields<InForce>,
                  BatchFields<InForce>,
                  ActivationFields<InForce>,
                  LossFields<InForce>,
                  OverheadFields<InForce>,
                  InferenceFields<InForce>
{
    ModelFields<InForce> model;
    OptimizerFields<InForce> optimizer;
    AdapterFields<InForce> adapters;
    DiffusionFields<InForce> picture; ///< beside the pipeline, `diffusion`
    RlFields<InForce> rl;
    RunFields<InForce> run;

    bool learns = false; ///< the workload is rl; `workload` is then that of the trainer
    /// The engine that generates for the trainer, on the same GPUs; null without one.
    std::shared_ptr<const Settings> rollout;
    Trainer trainer = Trainer::Own; ///< as the plan's tool behaves
    Architecture architecture;
    std::vector<Tower> towers;                          ///< countedTowers()
    bool hasVisionTower = false;                        ///< hasVisionTower()
    std::shared_ptr<const DiffusionPipeline> diffusion; ///< null: the model is a language model
    std::shared_ptr<const PlacedCheckpoint> checkpoint; ///< null: the plan has none
    const GpuPreset *gpu = nullptr;                     ///< of a list the one at `listed`
    std::vector<ListedGpu> gpuList;                     ///< empty where all GPUs are alike
    std::size_t listed = 0;                             ///< the smallest that the settings are of
    /// Of each pipeline stage the settings of the GPUs that it runs on, where a list has as many as
    /// the stages fill; else empty.
    std::vector<std::shared_ptr<const Settings>> ofStages;
    std::int64_t computeBytes = 2; ///< of activations and gathered weights
    CalibratedSources calibrated;
    bool reservedStated = false;        ///< the plan gives its reserved factor
    Bytes heldAtStart = 0;              ///< of the GPU by other processes when the engine starts
    std::shared_ptr<const Draft> draft; ///< draftOf(); null where none is loaded
};

/// The settings of the GPUs that a pipeline stage runs on.
[[nodiscard]] inline const Settings &settingsOfStage(const Settings &settings, std::int64_t stage)
{
    return settings.ofStages.empty() ? settings
                                     : *settings.ofStages[static_cast<std::size_t>(stage)];
}

/// Host and device share one memory: what the system takes and what is offloaded stands beside the
/// rest.
[[nodiscard]] inline bool unifiedMemory(const Settings &settings)
{
    return settings.gpu && settings.gpu->unified();
}

/// The engine fills its share of the GPU with cache, whatever the sequences are; others make it as
/// large as these need.
[[nodiscard]] inline bool sizesItsCache(const Settings &settings)
{
    return traitsOf(settings.engine).has(EngineTraits::Pool);
}

/// Tokens of a sequence that are drafted for each that the model gives by itself; 0: none.
[[nodiscard]] inline std::int64_t draftedTokens(const Settings &settings)
{
    return settings.speculative.method == SpeculativeMethod::None ? 0 : settings.speculative.tokens;
}

/// A plan resolved. `issues` holds what is wrong or worth telling; figures may be computed unless
/// one of them is Blocking.
struct ResolvedPlan
{
    Settings settings;
    std::vector<Issue> issues;
    [[nodiscard]] bool computable() const;
};

/// Puts in the defaults, looks up preset and GPU, reads model.config, and checks that the settings
/// agree with each other (world size, divisibility, what needs what).
[[nodiscard]] ResolvedPlan resolve(const Plan &plan);

/// What reserved memory is of allocated memory where the plan does not say: serving allocates once
/// and keeps it, some engines in pieces of their own; training wastes more where weights are
/// gathered on other streams. Under FSDP it is of what the computing stream has (levels.h).
[[nodiscard]] const Empirical &typicalReserved(const Settings &settings);

/// Settings that resolve() made, brought up to date with a plan whose model and GPU are still the
/// same: what a comparison of many plans does. Checks nothing (checks.h).
void updateSettings(Settings &settings, const Plan &plan);

} // namespace vramscope
