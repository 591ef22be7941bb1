// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_slides.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/planner/job_text.h"
#include "core/planner/settings.h"
#include "core/planner/verdict.h"
#include "core/print/plan_report.h"
#include "core/print/recommendation_report.h"
#include "core/print/time_report.h"
#include "core/solver/recommendation.h"
#include "ui/planner/field_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostDifferences = 5; ///< settings in which two plans differ
constexpr std::size_t kLongestSide = 44;    ///< characters of the name of a plan in a head

constexpr FieldPath kTrainingFields[] = {
    "adapters.kind",
    "adapters.base_quantization",
    "parallel.strategy",
    "parallel.tensor",
    "parallel.pipeline",
    "parallel.context",
    "parallel.expert",
    "precision.regime",
    "optimizer.name",
    "batch.micro_batch",
    "batch.sequence_length",
    "batch.accumulation_steps",
    "activations.checkpointing",
    "overheads.alloc_conf",
};
constexpr FieldPath kServingFields[] = {
    "inference.engine",
    "inference.weight_format",
    "parallel.tensor",
    "parallel.pipeline",
    "inference.max_model_len",
    "inference.concurrent_sequences",
    "inference.mean_sequence_length",
    "inference.gpu_memory_utilization",
};
constexpr FieldPath kDiffusionFields[] = {
    "diffusion.width",  "diffusion.height",  "diffusion.frames",
    "diffusion.images", "diffusion.offload", "diffusion.transformer_format",
};

std::span<const FieldPath> decisiveFields(const Settings &settings)
{
    if (settings.workload == Workload::Training)
        return kTrainingFields;
    if (settings.diffusion)
        return kDiffusionFields;
    return kServingFields;
}

/// Whether a value says that something is not done: one way of splitting, nothing, off.
bool isIdle(const FieldValue &value, const QString &text)
{
    const auto *count = std::get_if<std::int64_t>(&value);
    return std::holds_alternative<std::monostate>(value) || (count && *count == 1) ||
           text == u"none" || text == u"off";
}

QString cardsText(const Settings &settings, const Estimate &estimate, ByteUnit unit)
{
    const QString count = countText(settings.gpus);
    QString text = settings.gpu ? u"%1 × %2"_s.arg(count, toQString(settings.gpu->title)) : count;
    if (estimate.capacity)
        text += u", %1 each"_s.arg(bytesText(*estimate.capacity, unit));
    return text;
}

QString modelSizeText(const Estimate &estimate)
{
    const auto billions = [](std::int64_t count) {
        constexpr double kBillion = 1e9;
        return toQString(formatNumber(static_cast<double>(count) / kBillion, 3));
    };
    QString text = u"%1 billion parameters"_s.arg(billions(estimate.parametersTotal));
    if (estimate.parametersActive < estimate.parametersTotal)
        text += u", %1 active"_s.arg(billions(estimate.parametersActive));
    return text;
}

QString rangeText(const Estimate &estimate, ByteUnit unit)
{
    return u"%1 to %2"_s.arg(bytesText(estimate.uncertaintyLow, unit),
                             bytesText(estimate.uncertaintyHigh, unit));
}

QString memoryText(const Estimate &estimate, ByteUnit unit)
{
    const QString needed = bytesText(estimate.peakDevice, unit);
    return estimate.capacity ? u"%1 of %2"_s.arg(needed, bytesText(*estimate.capacity, unit))
                             : needed;
}

/// "34.1 GiB too much", "17.6 GiB to spare".
QString headroomText(const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.headroom)
        return u"not known"_s;
    return *estimate.headroom < 0 ? u"%1 too much"_s.arg(bytesText(-*estimate.headroom, unit))
                                  : u"%1 to spare"_s.arg(bytesText(*estimate.headroom, unit));
}

QString verdictOrNot(const Estimate &estimate)
{
    if (!estimate.computed)
        return u"Not computed"_s;
    const std::optional<Verdict> verdict = verdictOf(estimate);
    return verdict ? toQString(verdictName(*verdict)) : u"Capacity not known"_s;
}

/// What is recommended and what else could be done, each with all that is known of the plan once it
/// is taken.
struct TakenOption
{
    Recommendation::Kind kind;
    Combination combination;
    Estimate then;
};

std::vector<TakenOption> takenOptions(const Plan &plan)
{
    std::vector<TakenOption> taken;
    for (auto &[kind, combination] : recommend(plan).options) {
        Estimate then = estimate(withFields(plan, combination.fields));
        taken.push_back({kind, std::move(combination), std::move(then)});
    }
    return taken;
}

/// What the changes cost, one sentence after the other.
QString costText(const Combination &option)
{
    QString text;
    for (const std::string &price : option.prices)
        text += (text.isEmpty() ? QString() : u" "_s) + toQString(price);
    return text;
}

/// "5.74 s a step"; with a price the cost of the run, too. Empty where nothing is projected.
QString stepTimeText(const Estimate &estimate)
{
    const Result<StepTime> time = projectStep(*estimate.settings, estimate.work);
    if (!time)
        return {};
    const bool serves = estimate.settings->workload == Workload::Inference;
    return toQString(durationText(time->seconds.likely)) + (serves ? u" a token"_s : u" a step"_s);
}

/// The name of a plan within a sentence or a head.
QString sideName(const QString &name)
{
    return toQString(elided(name.toStdString(), kLongestSide));
}

/// "fits with 12.3 GiB to spare", "does not fit: 4.10 GiB too much".
QString standingText(const Estimate &estimate, ByteUnit unit)
{
    const std::optional<Verdict> verdict = verdictOf(estimate);
    if (!estimate.computed)
        return u"could not be computed"_s;
    if (!verdict)
        return u"takes %1"_s.arg(bytesText(estimate.peakDevice, unit));
    const QString word = *verdict == Verdict::Tight ? u"is tight"_s : verdictText(*verdict);
    return *verdict == Verdict::Fits ? u"%1 with %2"_s.arg(word, headroomText(estimate, unit))
                                     : u"%1: %2"_s.arg(word, headroomText(estimate, unit));
}

QString riskText(const Estimate &estimate, ByteUnit unit)
{
    const QString range = rangeText(estimate, unit);
    if (!estimate.capacity)
        return u"The peak is likely between %1."_s.arg(
            QString(range).replace(u" to "_s, u" and "_s));
    const QString capacity = bytesText(*estimate.capacity, unit);
    if (verdictOf(estimate) == Verdict::Tight)
        return u"The likely range, %1, crosses the %2 of the GPU: it may run out."_s.arg(range,
                                                                                         capacity);
    if (verdictOf(estimate) == Verdict::Fits)
        return u"Low: the whole likely range, %1, is within the %2 of the GPU."_s.arg(range,
                                                                                      capacity);
    return u"It will run out: even the lower end of %1 is beyond %2, or the load is not served."_s
        .arg(range, capacity);
}

QString checkText(bool trains)
{
    return trains ? u"Run one step with the allocator's history on (vramscope-cli recipe has the "
                    "lines), and compare the recording with this plan."_s
                  : u"Start it once under the load that is planned, and compare what it reports "
                    "with this plan."_s;
}

} // namespace

QString planQuestion(const Plan &plan, const Estimate &estimate)
{
    const Settings &settings = *estimate.settings;
    QString job = toQString(jobText(plan, settings));
    if (job.startsWith(u"A ") || job.startsWith(u"An ")) // "A model of type qwen3"
        job[0] = u'a';
    return u"Does %1 fit?"_s.arg(job);
}

StageTable planFacts(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    const Settings &settings = *estimate.settings;
    StageTable table{{QString(), QString()}, {}, {0, 1}, {}};
    table.rows.push_back({u"Model"_s, toQString(modelText(plan, settings))});
    if (estimate.parametersTotal > 0)
        table.rows.push_back({u"Size"_s, modelSizeText(estimate)});
    table.rows.push_back({u"GPUs"_s, cardsText(settings, estimate, unit)});
    for (const FieldPath path : decisiveFields(settings)) {
        const Field &field = fieldAt(path);
        const FieldValue value = effectiveValue(plan, settings, field);
        const QString text = fieldValueText(field, value, unit);
        const bool isBatch = path == FieldPath("batch.micro_batch"); // one is a size, too
        if (field.applies(settings) && (isBatch || !isIdle(value, text)))
            table.rows.push_back({toQString(field.label), text});
    }
    return table;
}

PlanOption planOption(const QString &name, const Estimate &estimate, const QString &cost,
                      ByteUnit unit)
{
    const QString gpus = countText(estimate.settings->gpus);
    if (!estimate.computed)
        return {name, verdictOrNot(estimate), {}, gpus, {}, toQString(whyNotComputed(estimate))};
    return {name, verdictOrNot(estimate), bytesText(estimate.peakDevice, unit),
            gpus, stepTimeText(estimate), cost};
}

StageTable optionsTable(const std::vector<PlanOption> &options)
{
    StageTable table{
        {u"Option"_s, u"Verdict"_s, u"Memory"_s, u"GPUs"_s, u"Time"_s, u"Cost and risk"_s},
        {},
        {0, 1, 4, 5},
        {}};
    for (const PlanOption &option : options)
        table.rows.push_back(
            {option.name, option.verdict, option.memory, option.gpus, option.time, option.cost});
    return table;
}

StageScene optionsScene(const StagedPlan &of)
{
    const std::vector<TakenOption> taken = takenOptions(of.plan);
    const Bytes capacity = of.estimate.capacity.value_or(0);
    std::vector<PlanOption> options{planOption(u"The plan as it is"_s, of.estimate, {}, of.unit)};
    for (const Scenario &scenario : of.scenarios) {
        if (scenario.plan != of.plan)
            options.push_back(planOption(scenario.title(), scenario.estimate, {}, of.unit));
    }
    std::optional<std::size_t> strong;
    for (const TakenOption &one : taken) {
        if (one.kind == Recommendation::Kind::Recommended)
            strong = one.combination.fields.empty() ? 0 : options.size();
        if (!one.combination.fields.empty())
            options.push_back(planOption(toQString(combinedTitle(one.combination)), one.then,
                                         toQString(riskText(one.combination, capacity, of.unit)),
                                         of.unit));
    }
    const QString headline =
        taken.empty()  ? u"No combination of changes makes this plan fit."_s
        : !strong      ? u"The GPUs given do not suffice, whatever is changed."_s
        : *strong == 0 ? u"The plan fits as it is."_s
                       : u"Recommended: %1."_s.arg(
                             toQString(withinSentence(combinedTitle(taken.front().combination))));
    StageTable table = optionsTable(options);
    table.strong = strong;
    return {headline, nullptr, {}, std::move(table), u"What are the options?"_s};
}

StageScene recommendationScene(const StagedPlan &of)
{
    const bool trains = of.estimate.settings->workload == Workload::Training;
    const std::optional<Verdict> now = verdictOf(of.estimate);
    StageTable table{{QString(), QString()}, {}, {0, 1}, {}};
    const auto row = [&](const QString &name, const QString &text) {
        if (!text.isEmpty())
            table.rows.push_back({name, text});
    };
    const auto scene = [&](const QString &headline, std::optional<Verdict> verdict) {
        return StageScene{headline, nullptr, verdict, table, u"What do we do?"_s};
    };
    const auto runRow = [&](const Estimate &then) {
        if (const Result<StepTime> time = projectStep(*then.settings, then.work))
            row(u"Time and cost"_s,
                toQString(speedText(*then.settings, *time) + "; " + runText(*then.settings, *time) +
                          ". A rough projection."));
    };
    const auto environmentRow = [&](const Estimate &then) {
        const std::string &conf = then.settings->allocConf;
        row(u"Environment"_s,
            conf.empty() ? QString() : u"PYTORCH_CUDA_ALLOC_CONF="_s + toQString(conf));
    };
    const std::vector<TakenOption> taken = takenOptions(of.plan);
    if (taken.empty()) {
        row(u"It needs"_s, memoryText(of.estimate, of.unit) + u" on each GPU"_s);
        row(u"Next step"_s, u"Take a larger GPU or a smaller model, or look for the fewest GPUs "
                            "(vramscope-cli fit --vary hardware.gpus)."_s);
        return scene(u"No combination of up to %1 changes makes this plan fit."_s.arg(kMostChanges),
                     now);
    }
    const auto &[kind, option, then] = taken.front();
    if (option.fields.empty()) {
        row(u"It needs"_s, memoryText(of.estimate, of.unit) + u" on each GPU"_s);
        runRow(of.estimate);
        row(u"Risk"_s, riskText(of.estimate, of.unit));
        environmentRow(of.estimate);
        row(u"Next step"_s, checkText(trains));
        return scene(
            u"Recommended: run it as planned, %1."_s.arg(headroomText(of.estimate, of.unit)), now);
    }
    row(u"Change"_s, settingsText(option.fields, of.unit));
    row(u"It then needs"_s, memoryText(then, of.unit) + u" on each GPU"_s);
    const std::int64_t more = option.gpus - of.estimate.settings->gpus;
    row(u"GPUs"_s, more == 0 ? countText(option.gpus) + u", as planned"_s
                             : u"%1, %2 more"_s.arg(countText(option.gpus), countText(more)));
    row(u"What it costs"_s, costText(option));
    runRow(then);
    row(u"Results"_s, option.toll >= Toll::Results
                          ? u"What is computed changes: compare the loss or the quality."_s
                          : u"What is computed stays the same."_s);
    row(u"Risk"_s, riskText(then, of.unit));
    environmentRow(then);
    row(u"Next step"_s, checkText(trains));
    return scene(u"Recommended: %1. The plan then %2."_s.arg(
                     toQString(withinSentence(combinedTitle(option))), standingText(then, of.unit)),
                 verdictOf(then));
}

StageScene versusScene(const PlanSide &a, const PlanSide &b, ByteUnit unit)
{
    const Estimate &first = *a.estimate;
    const Estimate &second = *b.estimate;
    StageTable table{{QString(), sideName(a.name), sideName(b.name)}, {}, {0, 1, 2}, {}};
    const auto row = [&](const QString &name, const QString &ofFirst, const QString &ofSecond) {
        table.rows.push_back({name, ofFirst, ofSecond});
    };
    const auto figure = [&](const QString &name, const auto &textOf) {
        row(name, first.computed ? textOf(first) : u"–"_s,
            second.computed ? textOf(second) : u"–"_s);
    };
    row(u"Verdict"_s, verdictOrNot(first), verdictOrNot(second));
    figure(u"Memory"_s, [&](const Estimate &of) { return memoryText(of, unit); });
    figure(u"Likely range"_s, [&](const Estimate &of) { return rangeText(of, unit); });
    figure(u"Headroom"_s, [&](const Estimate &of) { return headroomText(of, unit); });
    row(u"GPUs"_s, cardsText(*first.settings, first, unit),
        cardsText(*second.settings, second, unit));
    if (first.recomputeShare != second.recomputeShare)
        figure(u"Recomputed"_s, [](const Estimate &of) {
            return toQString(formatNumber(100 * of.recomputeShare, 3)) + u" % of the work"_s;
        });
    const std::vector<FieldDifference> differences =
        differingFields(*a.plan, *first.settings, *b.plan, *second.settings, unit);
    std::size_t shown = 0;
    for (const FieldDifference &one : differences) {
        if (isOfGroup(one.field->path, "hardware") || one.field->path == FieldPath("name"))
            continue; // said above
        if (++shown <= kMostDifferences)
            row(toQString(one.field->label), one.before, one.after);
    }
    if (shown > kMostDifferences)
        row(u"Other settings"_s, u"%1 more differ"_s.arg(shown - kMostDifferences), {});
    return {u"%1 %2; %3 %4."_s.arg(toQString(capitalized(a.shortName.toStdString())),
                                   standingText(first, unit), b.shortName,
                                   standingText(second, unit)),
            nullptr,
            {},
            std::move(table),
            u"Which of the two?"_s};
}

} // namespace vramscope
