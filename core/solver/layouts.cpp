// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/layouts.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/catalog/constants.h"
#include "core/settings/checks.h"
#include "core/solver/layout_search.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

constexpr std::int64_t kMostGpus = 65'536;
constexpr std::int64_t kNodesOneByOne = 64;

/// A few seconds' work: about a quarter of them are sound.
constexpr std::int64_t kMostCombinations = 2'000'000;

/// Divisors of a node, whole nodes up to 64, then 96, 128, 192, 256, … nodes.
std::vector<std::int64_t> gpuNumbers(std::int64_t node)
{
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 1; i < node; ++i)
        if (node % i == 0)
            numbers.push_back(i);
    for (std::int64_t nodes = 1; nodes * node <= kMostGpus; ++nodes) {
        const bool power = (nodes & (nodes - 1)) == 0;
        const bool half = nodes % 3 == 0 && (nodes / 3 & (nodes / 3 - 1)) == 0;
        if (nodes <= kNodesOneByOne || power || half)
            numbers.push_back(nodes * node);
    }
    return numbers;
}

constexpr std::array<std::string_view, 4> kDegrees = {
    FieldPath("parallel.tensor"), FieldPath("parallel.pipeline"), FieldPath("parallel.context"),
    FieldPath("parallel.expert")};

Error stopped()
{
    return {ErrorCode::Cancelled, "The search was stopped."};
}

/// The fields that a search for the fewest GPUs varies, and those that it keeps.
std::string keptNote(const Settings &s)
{
    if (s.workload == Workload::Inference)
        return "Varied: tensor, pipeline, expert and data parallelism; all else as stated, " +
               counted(s.concurrentSequences, "sequence") + " at once among it.";
    return "Varied: tensor, pipeline, context, expert and data parallelism; all else as stated: "
           "micro-batch " +
           formatCount(s.microBatch) + ", sequence length " + formatCount(s.sequenceLength) +
           ", checkpointing " + std::string(choiceText(s.checkpointing)) +
           ". Other settings may need fewer GPUs: state them in the plan.";
}

/// Fields that decide memory, named where a comparison of layouts keeps them.
constexpr std::array<FieldPath, 8> kTrainingHeld = {
    "batch.micro_batch", "batch.sequence_length",   "activations.checkpointing",
    "parallel.strategy", "parallel.sharding",       "precision.regime",
    "optimizer.name",    "optimizer.implementation"};
constexpr std::array<FieldPath, 4> kServingHeld = {
    "inference.weight_format", "inference.max_model_len", "inference.concurrent_sequences",
    "inference.max_num_batched_tokens"};

std::string valueText(const FieldValue &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    const auto *count = std::get_if<std::int64_t>(&value);
    return count ? formatCount(*count) : std::string();
}

/// The fields that a comparison varies and those that it keeps from the plan.
std::string heldText(const Plan &plan, std::span<const Dimension> dimensions, std::int64_t gpus)
{
    std::string varied;
    for (const Dimension &dimension : dimensions)
        varied += (varied.empty() ? "" : ", ") + withinSentence(dimension.field->label);
    const Settings settings = resolve(plan).settings;
    std::string text = counted(gpus, "GPU");
    const auto held = settings.workload == Workload::Training
                          ? std::span<const FieldPath>(kTrainingHeld)
                          : std::span<const FieldPath>(kServingHeld);
    for (const FieldPath path : held) {
        const Field &field = fieldAt(path);
        const bool isVaried =
            std::ranges::find(dimensions, &field, &Dimension::field) != dimensions.end();
        const std::string value =
            isVaried ? std::string() : valueText(effectiveValue(plan, settings, field));
        if (!value.empty())
            text += ", " + withinSentence(field.label) + ' ' + value;
    }
    return "Varied: " + varied + "; data parallel follows. Held as the plan has it: all else, " +
           text + " among it.";
}

} // namespace

namespace {

/// A diffusion pipeline has no layouts to compare.
Result<void> hasLayouts(const Settings &s)
{
    if (!s.diffusion)
        return {};
    return Error{ErrorCode::Invalid,
                 "A diffusion pipeline is computed on one GPU, so it has no layouts to compare; "
                 "ask for the largest diffusion.width, diffusion.height, diffusion.frames or "
                 "diffusion.images that fits."};
}

} // namespace

Result<Layouts> layoutsThatFit(const Plan &plan, std::span<const std::string_view> paths,
                               std::size_t limit, const Progress &progress)
{
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return trial.error();
    const Settings &settings = trial->settings();
    if (const Result<void> some = hasLayouts(settings); !some)
        return some.error();
    const std::int64_t gpus = plan.hardware.gpus.value_or(worldSize(settings).value_or(1));
    const Result<std::vector<Dimension>> dimensions = dimensionsOf(paths, plan, settings, gpus);
    if (!dimensions)
        return dimensions.error();
    if (dimensions->size() > LayoutSearch::kMostDimensions)
        return Error{ErrorCode::Invalid, "More fields to vary than " +
                                             std::to_string(LayoutSearch::kMostDimensions) +
                                             "; name fewer."};
    LayoutSearch search(*trial, *dimensions, gpus);
    if (const std::int64_t count = search.combinations(); count > kMostCombinations)
        return Error{ErrorCode::Invalid, "There are " + counted(count, "combination") +
                                             " of the fields to vary, more than the " +
                                             formatCount(kMostCombinations) +
                                             " that are compared; name fewer fields."};
    if (!search.run(progress))
        return stopped();
    const std::vector<LayoutSearch::Candidate> list = search.ranked();
    Layouts result;
    result.pareto = static_cast<std::int64_t>(list.size());
    result.evaluated = trial->weighed();
    result.fitting = static_cast<std::int64_t>(search.fitting().size());
    const std::span<const LayoutSearch::Candidate> shown =
        list.empty() ? search.smallest() : std::span(list).first(std::min(limit, list.size()));
    for (const LayoutSearch::Candidate &candidate : shown) {
        Result<Layout> layout = search.layout(candidate);
        if (!layout)
            return layout.error();
        (list.empty() ? result.nearest : result.best).push_back(std::move(*layout));
    }
    result.held = heldText(plan, *dimensions, gpus);
    return result;
}

Result<FewestGpus> fewestGpus(const Plan &plan, const Progress &progress)
{
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return trial.error();
    if (const Result<void> some = hasLayouts(trial->settings()); !some)
        return some.error();
    if (!trial->settings().gpuList.empty())
        return Error{ErrorCode::Invalid, "hardware.gpu_list names the GPUs one by one; name one "
                                         "kind to find how many it takes."};
    FewestGpus result;
    result.note = keptNote(trial->settings());
    for (const std::int64_t gpus : gpuNumbers(plan.hardware.gpusPerNode.value_or(kGpusPerNode))) {
        const Result<std::vector<Dimension>> dimensions =
            dimensionsOf(kDegrees, plan, trial->settings(), gpus);
        if (!dimensions)
            return dimensions.error();
        trial->plan.hardware.gpus = gpus;
        LayoutSearch search(*trial, *dimensions, gpus);
        if (!search.run(progress ? Progress([&](double) { return progress(0); }) : Progress()))
            return stopped();
        result.evaluated = trial->weighed();
        const bool fits = !search.fitting().empty();
        if (!fits && search.smallest().empty())
            continue;
        Result<Layout> layout =
            search.layout(fits ? search.ranked().front() : search.smallest().front());
        if (!layout)
            return layout.error();
        if (fits) {
            result.gpus = gpus;
            result.layout = std::move(*layout);
            return result;
        }
        result.triedBefore = gpus;
        result.before = std::move(*layout);
    }
    return result;
}

} // namespace vramscope
