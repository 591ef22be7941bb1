// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_slides.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/estimate/verdict.h"
#include "core/print/plan_choice_report.h"
#include "core/print/plan_report.h"
#include "core/print/recommendation_report.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "core/solver/plan_choice.h"
#include "core/solver/recommendation.h"
#include "ui/planner/field_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostCompared = 12; ///< rows about two plans that a slide has room for
constexpr std::size_t kLongestSide = 120; ///< characters of the name of a plan in a head

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
    Plan plan; ///< once it is taken
    Estimate then;
};

std::vector<TakenOption> takenOptions(const Plan &plan)
{
    std::vector<TakenOption> taken;
    for (auto &[kind, combination] : recommend(plan).options) {
        Plan made = withFields(plan, combination.fields);
        Estimate then = estimate(made);
        taken.push_back({kind, std::move(combination), std::move(made), std::move(then)});
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
    const bool fits = verdictOf(estimate) == Verdict::Fits;
    if (fits && estimate.risk.empty())
        return u"Low: the whole likely range, %1, is within the %2 of the GPU."_s.arg(range,
                                                                                      capacity);
    if (fits)
        return u"The whole likely range, %1, is within the %2 of the GPU, but %3."_s.arg(
            range, capacity, toQString(estimate.risk));
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

/// The plan that a decision is about: a place among the sides, and what is recommended for it.
struct Decision
{
    std::size_t side = 0;
    std::vector<TakenOption> taken;
    QString why; ///< of several plans: what sets it apart
};

Decision decide(const std::vector<PlanSide> &sides, ByteUnit unit)
{
    std::vector<PlanToChoose> plans;
    std::vector<std::string> names;
    for (const PlanSide &side : sides) {
        plans.push_back({side.plan, side.estimate});
        names.push_back(side.shortName.toStdString());
    }
    const auto why = [&](const PlanChoice &choice) {
        return sides.size() == 1
                   ? QString()
                   : toQString(capitalized(choiceSentence(choice, plans, names, unit)));
    };
    PlanChoice choice = choosePlan(plans);
    if (sides.size() == 1 || plans[choice.plan].estimate->fits.value_or(false))
        return {choice.plan, takenOptions(*plans[choice.plan].plan), why(choice)};
    // None fits as it is: what those become that give up least decides.
    std::vector<std::vector<TakenOption>> taken;
    taken.reserve(sides.size());
    for (const PlanSide &side : sides)
        taken.push_back(takenOptions(*side.plan));
    const auto givenUp = [](const std::vector<TakenOption> &options) {
        return options.empty() ? std::numeric_limits<int>::max()
                               : lastResort(options.front().combination.toll);
    };
    const int least = givenUp(*std::ranges::min_element(taken, {}, givenUp));
    for (std::size_t at = 0; at < sides.size(); ++at) {
        if (!taken[at].empty() && givenUp(taken[at]) == least)
            plans[at] = {&taken[at].front().plan, &taken[at].front().then};
    }
    choice = choosePlan(plans);
    const QString sentence = why(choice);
    return {choice.plan, std::move(taken[choice.plan]),
            least == std::numeric_limits<int>::max()
                ? sentence
                : u"No plan fits as it is. Once changed: "_s + sentence};
}

/// What is done to a plan, with the plan where there are several.
QString optionName(const std::vector<PlanSide> &sides, const PlanSide &side,
                   const Combination &option)
{
    const QString title = option.titles.empty()
                              ? u"%1 GPUs, otherwise as it is"_s.arg(countText(option.gpus))
                              : toQString(combinedTitle(option));
    return sides.size() == 1 ? title : sideHead(side) + u": "_s + title;
}

/// A row of the options.
struct OptionRow
{
    QString name;
    const Plan *plan = nullptr;
    const Estimate *estimate = nullptr;
    QString cost;
};

StageTable optionsTable(const std::vector<OptionRow> &rows, ByteUnit unit)
{
    StageTable table{{u"Option"_s, u"Verdict"_s, u"Memory"_s, u"GPUs"_s}, {}, {0, 1}, {}};
    std::vector<PlanToChoose> plans;
    for (const OptionRow &row : rows) {
        const Estimate &it = *row.estimate;
        plans.push_back({row.plan, row.estimate});
        table.rows.push_back({row.name, verdictOrNot(it),
                              it.computed ? bytesText(it.peakDevice, unit) : QString(),
                              countText(it.settings->gpus)});
    }
    using Kind = CostFigure::Kind;
    for (const CostFigure &figure : costFigures(plans)) {
        if (figure.kind == Kind::Step || figure.kind == Kind::Load)
            continue; // of other tokens each: not to be read down a column
        // Their heads are long: as words they may break.
        table.words.push_back(static_cast<int>(table.columns.size()));
        table.columns += toQString(figure.name);
        for (std::size_t at = 0; at < rows.size(); ++at)
            table.rows[at] += toQString(figure.values[at]);
    }
    table.words.push_back(static_cast<int>(table.columns.size()));
    table.columns += u"Cost and risk"_s;
    for (std::size_t at = 0; at < rows.size(); ++at)
        table.rows[at] += rows[at].estimate->computed
                              ? rows[at].cost
                              : toQString(whyNotComputed(*rows[at].estimate));
    return table;
}

} // namespace

QString sideHead(const PlanSide &side)
{
    return toQString(capitalized(side.shortName.toStdString()));
}

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

std::vector<PlanSide> planSides(const StagedPlan &of)
{
    std::vector<PlanSide> sides;
    const auto add = [&](const QString &key, const QString &shortName, const QString &pinned,
                         const Plan &plan, const Estimate &estimate) {
        sides.push_back({key,
                         toQString(jobText(plan, *estimate.settings)),
                         pinned,
                         {},
                         shortName,
                         &plan,
                         &estimate});
    };
    for (const Scenario &scenario : of.scenarios)
        add(scenario.letter, scenario.letter, scenario.name, scenario.plan, scenario.estimate);
    if (std::ranges::find(of.scenarios, of.plan, &Scenario::plan) == of.scenarios.end())
        add(u"this"_s, u"this plan"_s, {}, of.plan, of.estimate);
    std::vector<QString> jobs;
    std::ranges::transform(sides, std::back_inserter(jobs), &PlanSide::job);
    for (PlanSide &side : sides) {
        if (std::ranges::count(jobs, side.job) > 1)
            side.job = toQString(
                jobWithName(*side.plan, *side.estimate->settings, side.pinned.toStdString()));
        side.name = sides.size() == 1
                        ? side.job
                        : sideHead(side) + (side.key == u"this" ? u": "_s : u" "_s) + side.job;
    }
    return sides;
}

StageScene optionsScene(const StagedPlan &of)
{
    const std::vector<PlanSide> sides = planSides(of);
    const Decision decision = decide(sides, of.unit);
    const PlanSide &chosen = sides[decision.side];
    const Bytes capacity = chosen.estimate->capacity.value_or(0);
    std::vector<OptionRow> rows;
    rows.reserve(sides.size());
    for (const PlanSide &side : sides)
        rows.push_back({sides.size() == 1 ? u"The plan as it is"_s : side.name, side.plan,
                        side.estimate, riskText(*side.estimate, of.unit)});
    std::optional<std::size_t> strong;
    QString change; // of the strong one
    for (const TakenOption &one : decision.taken) {
        const bool isChange = !one.combination.fields.empty();
        if (one.kind == Recommendation::Kind::Recommended) {
            strong = isChange ? rows.size() : decision.side;
            change = toQString(withinSentence(combinedTitle(one.combination)));
        }
        if (isChange)
            rows.push_back({optionName(sides, chosen, one.combination), &one.plan, &one.then,
                            toQString(riskText(one.combination, capacity, of.unit))});
    }
    const bool several = sides.size() > 1;
    const QString headline =
        decision.taken.empty() ? u"No combination of changes makes %1 fit."_s.arg(
                                     several ? u"any of these plans"_s : u"this plan"_s)
        : !strong ? u"The GPUs given do not suffice, whatever is changed."_s
        : *strong == decision.side && several ? u"Recommended: %1."_s.arg(chosen.name)
        : *strong == decision.side
            ? u"The plan fits as it is."_s
            : u"Recommended: %1."_s.arg(several ? u"%1 with %2"_s.arg(sideHead(chosen), change)
                                                : change);
    StageTable table = optionsTable(rows, of.unit);
    table.strong = strong;
    return {headline, nullptr, {}, std::move(table), u"What are the options?"_s};
}

StageScene recommendationScene(const StagedPlan &of)
{
    const std::vector<PlanSide> sides = planSides(of);
    const Decision decision = decide(sides, of.unit);
    const PlanSide &chosen = sides[decision.side];
    const Estimate &asItIs = *chosen.estimate;
    const bool several = sides.size() > 1;
    const bool trains = asItIs.settings->workload == Workload::Training;
    const std::optional<Verdict> now = verdictOf(asItIs);
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
    row(u"Why"_s, decision.why);
    if (decision.taken.empty()) {
        row(u"It needs"_s, memoryText(asItIs, of.unit) + u" on each GPU"_s);
        row(u"Next step"_s, u"Take a larger GPU or a smaller model, or look for the fewest GPUs "
                            "(vramscope-cli fit --vary hardware.gpus)."_s);
        return scene(u"No combination of up to %1 changes makes %2 fit."_s.arg(kMostChanges)
                         .arg(several ? u"any of these plans"_s : u"this plan"_s),
                     now);
    }
    const auto &[kind, option, made, then] = decision.taken.front();
    if (option.fields.empty()) {
        row(u"It needs"_s, memoryText(asItIs, of.unit) + u" on each GPU"_s);
        runRow(asItIs);
        row(u"Risk"_s, riskText(asItIs, of.unit));
        environmentRow(asItIs);
        row(u"Next step"_s, checkText(trains));
        return scene(
            several ? u"Recommended: run %1, %2."_s.arg(chosen.name, headroomText(asItIs, of.unit))
                    : u"Recommended: run it as planned, %1."_s.arg(headroomText(asItIs, of.unit)),
            now);
    }
    row(u"Change"_s, settingsText(option.fields, of.unit));
    row(u"It then needs"_s, memoryText(then, of.unit) + u" on each GPU"_s);
    const std::int64_t more = option.gpus - asItIs.settings->gpus;
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
    const QString change = toQString(withinSentence(combinedTitle(option)));
    return scene(
        several ? u"Recommended: %1, with %2. It then %3."_s.arg(chosen.name, change,
                                                                 standingText(then, of.unit))
                : u"Recommended: %1. The plan then %2."_s.arg(change, standingText(then, of.unit)),
        verdictOf(then));
}

StageScene versusScene(const PlanSide &a, const PlanSide &b, ByteUnit unit)
{
    const Estimate &first = *a.estimate;
    const Estimate &second = *b.estimate;
    StageTable table{{QString(), sideHead(a), sideHead(b)}, {}, {0, 1, 2}, {}};
    const auto row = [&](const QString &name, const QString &ofFirst, const QString &ofSecond) {
        table.rows.push_back({name, ofFirst, ofSecond});
    };
    const auto figure = [&](const QString &name, const auto &textOf) {
        row(name, first.computed ? textOf(first) : u"–"_s,
            second.computed ? textOf(second) : u"–"_s);
    };
    const auto jobOf = [](const PlanSide &side) {
        return toQString(elided(side.job.toStdString(), kLongestSide));
    };
    row(u"Plan"_s, jobOf(a), jobOf(b));
    row(u"Verdict"_s, verdictOrNot(first), verdictOrNot(second));
    figure(u"Memory"_s, [&](const Estimate &of) { return memoryText(of, unit); });
    figure(u"Likely range"_s, [&](const Estimate &of) { return rangeText(of, unit); });
    figure(u"Headroom"_s, [&](const Estimate &of) { return headroomText(of, unit); });
    row(u"GPUs"_s, cardsText(*first.settings, first, unit),
        cardsText(*second.settings, second, unit));
    const std::array plans{PlanToChoose{a.plan, a.estimate}, PlanToChoose{b.plan, b.estimate}};
    for (const CostFigure &one : costFigures(plans))
        row(toQString(one.name), toQString(one.values[0]), toQString(one.values[1]));
    const auto recomputed = [](const Estimate &of) {
        return toQString(formatNumber(100 * of.recomputeShare, 3)) + u" % of the work"_s;
    };
    if (recomputed(first) != recomputed(second))
        figure(u"Recomputed"_s, recomputed);
    std::vector<FieldDifference> differences =
        differingFields(*a.plan, *first.settings, *b.plan, *second.settings, unit);
    std::erase_if(differences, [](const FieldDifference &one) { // rows above have these
        return isOfGroup(one.field->path, "hardware") || one.field->path == FieldPath("name");
    });
    const std::size_t room = kMostCompared - std::min(kMostCompared, table.rows.size());
    const std::size_t shown =
        differences.size() <= room ? differences.size() : std::max<std::size_t>(room, 1) - 1;
    for (const FieldDifference &one : std::span(differences).first(shown))
        row(toQString(one.field->label), one.before, one.after);
    if (const std::size_t more = differences.size() - shown; more > 0)
        row(u"Other settings"_s, more == 1 ? u"1 more differs"_s : u"%1 more differ"_s.arg(more),
            {});
    const std::array names{a.shortName.toStdString(), b.shortName.toStdString()};
    const PlanChoice choice = choosePlan(plans);
    const bool anyFits = plans[choice.plan].estimate->fits.value_or(false);
    const QString standing = u"%1 %2; %3 %4."_s.arg(a.shortName, standingText(first, unit),
                                                    b.shortName, standingText(second, unit));
    return {toQString(capitalized(anyFits ? choiceSentence(choice, plans, names, unit)
                                          : standing.toStdString())),
            nullptr,
            {},
            std::move(table),
            u"Which of the two?"_s};
}

} // namespace vramscope
