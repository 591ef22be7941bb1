// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/answer_sought.h"

#include "core/base/format.h"
#include "core/catalog/formats.h"
#include "core/catalog/named_model.h"
#include "core/estimate/verdict.h"
#include "core/model/catalogue_shapes.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "core/solver/fit_summary.h"
#include "core/solver/largest_value.h"
#include "core/solver/layouts.h"
#include "core/solver/plan_choice.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

namespace vramscope {

namespace {

bool fits(const Plan &plan)
{
    const std::optional<FitSummary> summary = fitSummary(plan);
    return summary && summary->verdict == Verdict::Fits;
}

/// The likely peak decides what fits; the upper end may be tight, and the answer says so.
std::string tightRemark(const Plan &plan)
{
    const std::optional<FitSummary> summary = fitSummary(plan);
    return summary && summary->verdict == Verdict::Tight
               ? " It is tight there: the peak may be higher than the GPU's memory."
               : "";
}

/// The formats of weights of an engine, the most precise first.
std::span<const std::string_view> formatsOf(Engine engine)
{
    static constexpr std::array<std::string_view, 5> kGguf = {"bf16", "q8_0", "q6_k", "q5_k",
                                                              "q4_k"};
    static constexpr std::array<std::string_view, 3> kOthers = {"bf16", "fp8", "awq-int4-g128"};
    return engine == Engine::LlamaCpp ? std::span<const std::string_view>(kGguf)
                                      : std::span<const std::string_view>(kOthers);
}

SoughtAnswer largestFormat(const Plan &plan, const Field &field)
{
    SoughtAnswer answer{std::string(field.path), {}, plan, {}};
    for (const std::string_view format : formatsOf(resolve(plan).settings.engine)) {
        Plan trial = plan;
        if (!setField(trial, field, std::string(format)) || !fits(trial))
            continue;
        answer.value = std::string(format);
        answer.plan = std::move(trial);
        answer.sentence = "The format with the most bits that fits is " + std::string(format) + '.';
        return answer;
    }
    answer.sentence = "The model fits in none of the formats that the engine reads.";
    return answer;
}

/// The longest sequence of a model, where that is less than the memory has room for.
std::int64_t longestOf(const Plan &plan, const Field &field)
{
    const bool isLength =
        field.path == "batch.sequence_length" || field.path == "inference.max_model_len";
    return isLength ? resolve(plan).settings.architecture.maxPositions : 0;
}

Result<SoughtAnswer> largest(const Plan &plan, const Field &field)
{
    if (field.path == "inference.weight_format")
        return largestFormat(plan, field);
    const Result<ValueThatFits> found = largestThatFits(plan, field);
    if (!found)
        return found.error();
    SoughtAnswer answer{std::string(field.path), {}, plan, {}};
    if (!found->answer) {
        answer.sentence = "No " + labelInSentence(field) + " fits.";
        return answer;
    }
    const std::int64_t limit = longestOf(plan, field);
    const bool isLimit = limit > 0 && found->answer->value >= limit;
    const std::int64_t value = isLimit ? limit : found->answer->value;
    answer.value = value;
    if (const Result<void> isSet = setField(answer.plan, field, value); !isSet)
        return isSet.error();
    const std::string name = labelInSentence(field);
    const bool isPlural =
        name.find("s ") < name.find(' ') || name.ends_with('s'); // "sequences at once"
    answer.sentence = "The " +
                      (name.starts_with("longest ") ? name
                       : isPlural                   ? "largest number of " + name
                                                    : "largest " + name) +
                      " that fits is " + formatCount(value) +
                      (isLimit ? ", which is the model's own limit." : ".") +
                      tightRemark(answer.plan);
    return answer;
}

/// ", and does not fit on 2."
std::string fewerText(const FewestGpus &found)
{
    if (!found.before)
        return ".";
    const bool isOpen = found.before->standing.verdict == Verdict::Tight; // the cache decides
    return std::string(isOpen ? ", and may not fit on " : ", and does not fit on ") +
           formatCount(found.triedBefore) + '.';
}

Result<SoughtAnswer> fewest(const Plan &plan, const Progress &progress)
{
    const Result<FewestGpus> found = fewestGpus(plan, progress);
    if (!found)
        return found.error();
    SoughtAnswer answer{"hardware.gpus", {}, plan, {}};
    if (!found->gpus || !found->layout) {
        answer.sentence = "No number of these GPUs up to 65,536 holds it.";
        return answer;
    }
    const Settings settings = resolve(plan).settings;
    answer.value = *found->gpus;
    answer.plan = withFields(plan, found->layout->fields);
    answer.plan.hardware.gpus = *found->gpus;
    answer.sentence = "It takes " + formatCount(*found->gpus) + " × " +
                      (settings.gpu ? settings.gpu->title : std::string("GPU")) +
                      fewerText(*found) + tightRemark(answer.plan);
    return answer;
}

Plan onGpu(const Plan &plan, const GpuPreset &gpu)
{
    Plan trial = plan;
    trial.hardware.gpu = gpu.name;
    trial.hardware.gpuList.reset();
    trial.hardware.capacity.reset();
    return trial;
}

SoughtAnswer smallest(const Plan &plan)
{
    constexpr std::size_t kNamed = 3;
    SoughtAnswer answer{"hardware.gpu", {}, plan, {}};
    const std::vector<const GpuPreset *> gpus = smallestGpus(plan, kNamed);
    if (gpus.empty()) {
        answer.sentence = "It fits on no GPU of the catalogue.";
        return answer;
    }
    answer.value = gpus.front()->name;
    answer.plan = onGpu(plan, *gpus.front());
    answer.sentence = "The smallest GPU that holds it is " + gpus.front()->title;
    for (std::size_t i = 1; i < gpus.size(); ++i)
        answer.sentence += (i == 1 ? "; the next are " : " and ") + gpus[i]->title;
    answer.sentence += '.';
    return answer;
}

Plan withModel(const Plan &plan, const CatalogueShape &shape)
{
    Plan trial = plan;
    trial.model = {};
    trial.model.preset = shape.model->name;
    return trial;
}

/// A model that fits, and for served ones the longest sequence that its cache has room for.
struct FittingModel
{
    const CatalogueShape *shape = nullptr;
    std::int64_t tokens = 0;

    [[nodiscard]] std::string text() const
    {
        return shape->model->title +
               (tokens > 0 ? " (" + formatCount(tokens) + " tokens)" : std::string());
    }
};

/// "The largest that fits is A (40,960 tokens). Of at least half its size the most downloaded are
/// B, C and D. 145 models fit."
std::string modelsText(const std::vector<FittingModel> &fitting)
{
    constexpr std::size_t kNamed = 5;
    if (fitting.empty())
        return "No model of the catalogue fits.";
    const CatalogueShape &largest = *fitting.front().shape;
    std::vector<FittingModel> others;
    for (const FittingModel &each : fitting)
        if (each.shape != &largest && each.shape->parameters * 2 >= largest.parameters)
            others.push_back(each);
    const auto downloads = [](const FittingModel &each) { return downloadsOf(*each.shape->model); };
    std::ranges::stable_sort(others, std::ranges::greater{}, downloads);
    others.resize(std::min(others.size(), kNamed));
    std::string named;
    for (const FittingModel &each : others)
        named += (named.empty() ? "" : ", ") + each.text();
    return "The largest that fits is " + fitting.front().text() + '.' +
           (named.empty() ? ""
                          : " Of at least half its size the most downloaded are " + named + '.') +
           ' ' + formatCount(std::ssize(fitting)) +
           (fitting.size() == 1 ? " model fits." : " models fit.");
}

Result<SoughtAnswer> models(const Plan &plan, const Progress &progress)
{
    std::vector<const CatalogueShape *> shapes;
    for (const CatalogueShape &shape : catalogueShapes())
        if (shape.computed() && !shape.model->pipeline && shape.parameters > 0)
            shapes.push_back(&shape);
    std::ranges::stable_sort(shapes, std::ranges::greater{}, &CatalogueShape::parameters);
    SoughtAnswer answer{"model.preset", {}, plan, {}};
    std::vector<FittingModel> fitting;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(shapes.size())))
            return Error{ErrorCode::Cancelled, {}};
        Plan trial = withModel(plan, *shapes[i]);
        const Estimate figures = estimate(trial);
        if (verdictOf(figures) != Verdict::Fits)
            continue;
        if (fitting.empty()) {
            answer.value = shapes[i]->model->name;
            answer.plan = std::move(trial);
        }
        const std::int64_t limit = figures.settings->architecture.maxPositions;
        const std::int64_t room = figures.inference ? figures.inference->maxContext : 0;
        fitting.push_back({shapes[i], limit > 0 ? std::min(room, limit) : room});
    }
    answer.sentence = modelsText(fitting);
    return answer;
}

/// "fits, 3.10 GiB to spare"
std::string standingText(const Plan &plan)
{
    const std::optional<FitSummary> summary = fitSummary(plan);
    if (!summary)
        return "has no figures";
    return verdictWord(*summary) + ", " +
           formatBytes(std::abs(summary->headroom), ByteUnit::Binary) +
           (summary->headroom >= 0 ? " to spare" : " too much");
}

/// Whether vLLM, its like or a trainer runs there at all: they need CUDA or ROCm.
bool runsOn(const Settings &settings, const GpuPreset &gpu)
{
    const bool isPortable =
        settings.workload == Workload::Inference &&
        (settings.engine == Engine::LlamaCpp || settings.engine == Engine::Plain);
    return gpu.vendor() == GpuVendor::Nvidia || gpu.vendor() == GpuVendor::Amd ||
           (isPortable && gpu.vendor() == GpuVendor::Apple);
}

} // namespace

SoughtAnswer answerChoice(const PlanVersion &asked, const std::vector<PlanVersion> &versions)
{
    std::vector<PlanVersion> all{asked};
    std::ranges::copy(versions, std::back_inserter(all));
    std::vector<Estimate> estimates;
    estimates.reserve(all.size());
    for (const PlanVersion &version : all)
        estimates.push_back(estimate(version.plan));
    std::vector<PlanToChoose> plans;
    plans.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        plans.push_back({&all[i].plan, &estimates[i]});
    const PlanVersion &chosen = all[choosePlan(plans).plan];
    SoughtAnswer answer{"compare hardware", chosen.title, chosen.plan, {}};
    for (const PlanVersion &version : all)
        answer.sentence += (answer.sentence.empty() ? "" : "; ") + version.title + ' ' +
                           standingText(version.plan);
    const bool anyFits = std::ranges::any_of(
        estimates, [](const Estimate &each) { return each.fits.value_or(false); });
    answer.sentence += anyFits ? ". Choose " + chosen.title + '.' : std::string(". None fits.");
    return answer;
}

std::vector<const GpuPreset *> smallestGpus(const Plan &plan, std::size_t most)
{
    std::vector<const GpuPreset *> gpus;
    const Settings settings = resolve(plan).settings;
    for (const GpuPreset &gpu : gpuPresets())
        if (gpu.capacity > 0 && runsOn(settings, gpu) && gpu.name.find("-mig-") == gpu.name.npos)
            gpus.push_back(&gpu);
    std::ranges::stable_sort(gpus, {}, &GpuPreset::capacity);
    constexpr Bytes kSameSize = Bytes(1) << 30; // of cards sold with the same size
    std::vector<const GpuPreset *> found;
    for (const GpuPreset *gpu : gpus) {
        if (!found.empty() && gpu->capacity - found.back()->capacity < kSameSize)
            continue;
        if (found.size() < most && fits(onGpu(plan, *gpu)))
            found.push_back(gpu);
    }
    return found;
}

Result<SoughtAnswer> answerSought(const Plan &plan, const Sought &sought, const Progress &progress)
{
    switch (sought.kind) {
    case Sought::Kind::Largest:
        return largest(plan, fieldAt(*sought.field));
    case Sought::Kind::FewestGpus:
        return fewest(plan, progress);
    case Sought::Kind::SmallestGpu:
        return smallest(plan);
    case Sought::Kind::Models:
    case Sought::Kind::Choice:
        break;
    }
    return models(plan, progress);
}

} // namespace vramscope
