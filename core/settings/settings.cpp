// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/empirical.h"
#include "core/catalog/gpu_names.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/model/diffusion/pipelines.h"
#include "core/model/drafts/drafts.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/model/towers/towers.h"
#include "core/plan/field.h"
#include "core/settings/calibration_marks.h"
#include "core/settings/checkpoint_issues.h"
#include "core/settings/checks.h"
#include "core/settings/rollout.h"
#include "core/settings/usual_values.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

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
        resolveCheckpoint(model, resolved); // its weights are known all the same
    }
}

Issue unknownGpu(FieldPath field, const std::string &name, std::string_view otherwise)
{
    return issueOf(field, Issue::Severity::Blocking,
                   "No GPU is known as \"" + excerpt(name, 60) + '"' + didYouMeanGpu(name) + ". " +
                       std::string(otherwise));
}

/// A GPU of the catalogue, or one of which the size in GB is all that is said: "24", "24 GB".
std::optional<ListedGpu> listedGpu(std::string_view name)
{
    constexpr std::int64_t kMostGigabytes = 1'000'000;
    if (const GpuPreset *gpu = findGpuPreset(name))
        return ListedGpu{gpu, soldGigabytes(*gpu), gpu->capacity};
    std::int64_t gigabytes = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), gigabytes);
    const std::string unit = lowered(trimmed({end, name.data() + name.size()}));
    if (error != std::errc() || gigabytes < 1 || gigabytes > kMostGigabytes ||
        !(unit.empty() || unit == "gb"))
        return std::nullopt;
    return ListedGpu{nullptr, gigabytes, usualCapacity(gigabytes)};
}

/// The first of the smallest among some GPUs of a list.
std::size_t smallestOf(std::span<const ListedGpu> list, std::size_t first, std::size_t count)
{
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    const auto smallest = std::ranges::min_element(
        begin, begin + static_cast<std::ptrdiff_t>(count), {}, &ListedGpu::capacity);
    return static_cast<std::size_t>(smallest - list.begin());
}

void resolveGpuList(const TextList &names, ResolvedPlan &resolved)
{
    Settings &s = resolved.settings;
    for (const std::string &name : names) {
        const std::optional<ListedGpu> listed = listedGpu(name);
        if (!listed) {
            resolved.issues.push_back(unknownGpu("hardware.gpu_list", name,
                                                 "Name GPUs of the catalogue, or their sizes in "
                                                 "GB: 24."));
            return;
        }
        s.gpuList.push_back(*listed);
    }
    s.listed = smallestOf(s.gpuList, 0, s.gpuList.size());
    s.gpu = s.gpuList[s.listed].gpu;
}

void resolveGpu(const PlanHardware &hardware, ResolvedPlan &resolved)
{
    const bool isListed = hardware.gpuList && !hardware.gpuList->empty();
    if (isListed && !resolved.settings.diffusion) // a pipeline runs on one GPU
        return resolveGpuList(*hardware.gpuList, resolved);
    if (!hardware.gpu)
        return;
    resolved.settings.gpu = findGpuPreset(*hardware.gpu);
    if (!resolved.settings.gpu)
        resolved.issues.push_back(
            unknownGpu("hardware.gpu", *hardware.gpu,
                       "Name one of the list, or leave it out and state capacity_bytes."));
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
                                          "Served in " + published->weightFormat +
                                              ", as the model is published (" + published->source +
                                              ")."));
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
    if (s.strategy == Strategy::Fsdp2)
        return empirical(Measured::ReservedFsdp2);
    const bool frozen = s.adapters.kind == AdapterKind::Lora && !s.diffusion && !s.learns;
    return empirical(frozen ? Measured::ReservedAdapters : Measured::ReservedSteady);
}

namespace {

/// Settings of one GPU of a list, or of the GPUs that are all alike.
void updateOfGpu(Settings &s, const Plan &plan)
{
    static const Settings kDefaults;
    for (const Field &field : planFields())
        if (field.take)
            field.take(s, plan, kDefaults);
    if (s.architecture.readsImages())
        s.sequenceLength = s.architecture.image.tokens();
    for (const Field &field : planFields())
        if (field.derive)
            field.derive(s, plan);
    s.computeBytes = usual::computeBytes(s);
    s.reservedStated = plan.overheads.reservedFactor.has_value();
    s.calibrated = calibratedSources(plan);
    s.rollout = s.learns && !s.diffusion ? engineSettings(plan, s) : nullptr;
}

/// Stages fill a list in its order, as engines number GPUs. Where replicas share a list, which of
/// them runs what is not known: the smallest then stands for all.
void updateStages(Settings &s, const Plan &plan)
{
    const auto tensor = static_cast<std::size_t>(s.tensor);
    const auto pipeline = static_cast<std::size_t>(s.pipeline);
    s.ofStages.clear();
    if (pipeline < 2 || tensor < 1 || s.gpuList.size() / pipeline != tensor ||
        s.gpuList.size() % pipeline != 0)
        return;
    std::vector<std::shared_ptr<const Settings>> stages;
    for (std::size_t stage = 0; stage < pipeline; ++stage) {
        Settings own = s;
        own.listed = smallestOf(s.gpuList, stage * tensor, tensor);
        own.gpu = s.gpuList[own.listed].gpu;
        updateOfGpu(own, plan);
        stages.push_back(std::make_shared<const Settings>(std::move(own)));
    }
    s.ofStages = std::move(stages);
}

} // namespace

void updateSettings(Settings &s, const Plan &plan)
{
    updateOfGpu(s, plan);
    if (!s.gpuList.empty())
        updateStages(s, plan);
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
