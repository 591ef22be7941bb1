// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/settings.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/empirical.h"
#include "core/catalog/gpu_names.h"
#include "core/planner/calibration_marks.h"
#include "core/planner/checkpoint/checkpoint_issues.h"
#include "core/planner/checkpoint/placed_checkpoint.h"
#include "core/planner/checks.h"
#include "core/planner/diffusion/pipelines.h"
#include "core/planner/drafts/drafts.h"
#include "core/planner/field.h"
#include "core/planner/missing_parts.h"
#include "core/planner/parameters.h"
#include "core/planner/rollout/rollout.h"
#include "core/planner/towers/towers.h"
#include "core/planner/usual_values.h"

#include <algorithm>
#include <iterator>

namespace vramscope {

namespace {

/// What is wrong with the model as an issue of the field that the text begins with, if it does:
/// "model.preset: …".
Issue modelIssue(const PlanModel &model, std::string text)
{
    constexpr FieldPath kPreset = "model.preset";
    constexpr FieldPath kConfig = "model.config";
    constexpr FieldPath kPipeline = "model.pipeline";
    constexpr FieldPath kComponents = "model.components";
    for (const FieldPath field : {kPreset, kConfig, kPipeline, kComponents}) {
        const std::string place = std::string(field) + ": ";
        if (text.starts_with(place))
            return issueOf(field, Issue::Severity::Blocking, text.substr(place.size()));
    }
    return issueOf(model.preset ? kPreset : kConfig, Issue::Severity::Blocking, std::move(text));
}

void resolveCheckpoint(const PlanModel &model, ResolvedPlan &resolved)
{
    if (!model.checkpoint)
        return;
    auto placed = placeCheckpoint(model, resolved.settings.architecture);
    if (placed)
        resolved.settings.checkpoint = std::move(placed).value();
    else
        resolved.issues.push_back(
            issueOf("model.checkpoint", Issue::Severity::Blocking,
                    "The table of the checkpoint cannot be used: " + placed.error().text()));
}

void resolveModel(const Plan &plan, ResolvedPlan &resolved)
{
    const PlanModel &model = plan.model;
    Settings &s = resolved.settings;
    if (isPipeline(model)) {
        if (auto pipeline = pipelineOf(model))
            s.diffusion = std::move(pipeline).value();
        else
            resolved.issues.push_back(modelIssue(model, pipeline.error().detail));
        return;
    }
    if (Result<Architecture> architecture = architectureOf(model)) {
        s.architecture = std::move(architecture).value();
        s.towers = countedTowers(plan, s.architecture.hidden);
        s.hasVisionTower = hasVisionTower(plan);
        s.draft = draftOf(plan, s.architecture, resolved.issues);
        resolveCheckpoint(model, resolved);
        std::ranges::move(missingParts(plan, s.towers), std::back_inserter(resolved.issues));
    } else {
        resolved.issues.push_back(modelIssue(model, architecture.error().detail));
    }
}

void resolveGpu(const PlanHardware &hardware, ResolvedPlan &resolved)
{
    if (!hardware.gpu)
        return;
    resolved.settings.gpu = findGpuPreset(*hardware.gpu);
    if (!resolved.settings.gpu)
        resolved.issues.push_back(
            issueOf("hardware.gpu", Issue::Severity::Blocking,
                    "No GPU is known as \"" + excerpt(*hardware.gpu, 60) + '"' +
                        didYouMeanGpu(*hardware.gpu) +
                        ". Name one of the list, or leave it out and state capacity_bytes."));
}

/// With all that the plan names, and what is wrong with it.
ResolvedPlan named(const Plan &plan)
{
    ResolvedPlan resolved;
    resolveModel(plan, resolved);
    resolveGpu(plan.hardware, resolved);
    return resolved;
}

void notePublishedFormat(const Plan &plan, ResolvedPlan &resolved)
{
    const PublishedModel *published = servedAsPublished(plan);
    if (resolved.settings.workload == Workload::Inference && published &&
        !plan.inference.weightFormat)
        resolved.issues.push_back(issueOf("inference.weight_format", Issue::Severity::Note,
                                          "Served in " + std::string(published->weightFormat) +
                                              ", as the model is published (" +
                                              std::string(published->source) + ")."));
}

} // namespace

std::vector<Issue> issuesOfNames(const Plan &plan)
{
    return named(plan).issues;
}

bool ResolvedPlan::computable() const
{
    return std::ranges::none_of(
        issues, [](const Issue &issue) { return issue.severity == Issue::Severity::Blocking; });
}

const Empirical &typicalReserved(const Settings &s)
{
    if (s.workload == Workload::Inference) {
        const bool pooled = sizesItsCache(s) || s.engine == Engine::LlamaCpp;
        return empirical(pooled ? Measured::ReservedPool : Measured::ReservedServing);
    }
    // Pages of expandable segments come back whatever their order: steady shapes were measured so.
    const bool gathers = !expandsSegments(s.allocConf) &&
                         ((s.strategy == Strategy::Fsdp1 && s.sharding != Sharding::NoShard) ||
                          s.strategy == Strategy::Zero3);
    if (gathers && s.data * s.context > 1)
        return empirical(Measured::ReservedGathering);
    const bool frozen = s.adapters == AdapterKind::Lora && !s.diffusion && !s.learns;
    return empirical(frozen ? Measured::ReservedAdapters : Measured::ReservedSteady);
}

void updateSettings(Settings &s, const Plan &plan)
{
    static const Settings kDefaults;
    for (const Field &field : planFields())
        if (field.take)
            field.take(s, plan, kDefaults);
    for (const Field &field : planFields())
        if (field.derive)
            field.derive(s, plan);
    s.computeBytes = usual::computeBytes(s);
    s.calibrated = calibratedSources(plan);
    s.rollout = s.learns && !s.diffusion ? engineSettings(plan, s) : nullptr;
}

ResolvedPlan resolve(const Plan &plan)
{
    ResolvedPlan resolved = named(plan);
    updateSettings(resolved.settings, plan);
    checkPlan(plan, resolved);
    if (resolved.settings.learns)
        checkRollout(plan, resolved);
    noteCheckpoint(resolved);
    notePublishedFormat(plan, resolved);
    for (Issue &issue : resolved.issues) // which quote the plan
        issue.text = printable(issue.text);
    return resolved;
}

} // namespace vramscope
