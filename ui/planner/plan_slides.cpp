// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_slides.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/estimate/verdict.h"
#include "core/print/plan_report.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "ui/planner/field_text.h"
#include "ui/planner/plan_decision.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"

#include <algorithm>
#include <span>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostParts = 7;

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

/// A name and what it is.
using PlanFact = std::pair<QString, QString>;

/// The model, the GPUs and the settings that decide what the plan needs.
std::vector<PlanFact> planFacts(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    const Settings &settings = *estimate.settings;
    std::vector<PlanFact> facts{{u"Model"_s, toQString(modelText(plan, settings))}};
    if (estimate.parametersTotal > 0)
        facts.push_back({u"Size"_s, modelSizeText(estimate)});
    facts.push_back({u"GPUs"_s, cardsText(settings, estimate, unit)});
    for (const FieldPath path : decisiveFields(settings)) {
        const Field &field = fieldAt(path);
        const FieldValue value = effectiveValue(plan, settings, field);
        const QString text = fieldValueText(field, value, unit);
        const bool isBatch = path == FieldPath("batch.micro_batch"); // one is a size, too
        if (field.applies(settings) && (isBatch || !isIdle(value, text)))
            facts.push_back({toQString(field.label), text});
    }
    return facts;
}

/// "ZeRO-3, AdamW, micro-batch 1, sequence length 4,096".
QString settingsLine(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    QStringList parts;
    if (const std::string task = taskText(*estimate.settings); !task.empty())
        parts += toQString(task);
    for (const auto &[name, text] : planFacts(plan, estimate, unit)) {
        if (name == u"Model" || name == u"Engine" || name == u"Size" || name == u"GPUs")
            continue;
        const bool isNumber = !text.isEmpty() && (text[0].isDigit() || text[0].isLower());
        parts += isNumber ? toQString(withinSentence(name.toStdString())) + u' ' + text : text;
    }
    return capitalized(parts.join(u", "_s));
}

/// "Llama 3.1 70B does not fit on 8 × H200: each GPU needs 174.2 of 139.8 GiB".
QString answerTitle(const StagedPlan &of)
{
    constexpr std::size_t kLongestModel = 40;
    const Estimate &it = of.estimate;
    const QString model = toQString(elided(modelText(of.plan, *it.settings), kLongestModel));
    const QString gpus = shortGpusText(*it.settings);
    const QString who = it.settings->gpus > 1 ? u"each GPU"_s : u"it"_s;
    const std::optional<Verdict> verdict = verdictOf(it);
    if (!verdict)
        return u"%1 on %2: %3 needs %4"_s.arg(model, gpus, who, bytesText(it.peakDevice, of.unit));
    const QString word = *verdict == Verdict::Tight ? u"is tight"_s : toQString(verdictWord(it));
    const QString why =
        *verdict == Verdict::DoesNotFit && it.headroom.value_or(0) >= 0
            ? u"the cache cannot hold the load"_s
        : *verdict == Verdict::DoesNotFit
            ? u"%1 needs %2 and has %3"_s.arg(who, bytesText(it.peakDevice, of.unit),
                                              bytesText(*it.capacity, of.unit))
            : u"%1 needs %2"_s.arg(who,
                                   toQString(formatPartOf(it.peakDevice, *it.capacity, of.unit)));
    return u"%1 %2 on %3: %4"_s.arg(model, word, gpus, why);
}

QString takes(const QString &part)
{
    return part.endsWith(u's')    ? part + u" take"_s
           : part == u"Temporary" ? u"Temporary memory takes"_s
                                  : part + u" takes"_s;
}

} // namespace

QString sideHead(const PlanSide &side)
{
    return capitalized(side.shortName);
}

QString sidesFoot(const std::vector<PlanSide> &sides)
{
    QStringList names;
    for (const PlanSide &side : sides)
        names += u"%1: %2"_s.arg(sideHead(side), side.job);
    return names.join(u" · "_s);
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

QStringList sourcesOf(const Estimate &estimate, ByteUnit unit)
{
    QStringList lines;
    const auto add = [&](const std::vector<Component> &components) {
        for (const Component &one : components)
            lines += u"%1: %2 = %3 (%4)"_s.arg(toQString(one.name), bytesText(one.bytes, unit),
                                               toQString(one.formula), toQString(one.source));
    };
    add(estimate.components());
    add(estimate.outside);
    if (estimate.settings->gpu && estimate.capacity)
        lines += u"Capacity: %1 (%2)"_s.arg(bytesText(*estimate.capacity, unit),
                                            toQString(estimate.settings->gpu->source));
    return lines;
}

StageScene answerScene(const StagedPlan &of)
{
    const Estimate &it = of.estimate;
    StageScene scene;
    scene.kicker = settingsLine(of.plan, it, of.unit);
    for (const auto &[name, text] : planFacts(of.plan, it, of.unit))
        scene.speech += name + u": "_s + text;
    if (!it.computed) {
        scene.headline = u"Not computed. "_s + toQString(whyNotComputed(it));
        return scene;
    }
    scene.headline = answerTitle(of);
    scene.verdict = verdictOf(it);
    scene.foot = estimateFoot(it, of.unit);
    scene.speech.prepend(toQString(answerLine(of.plan, it, of.unit)));
    SlideBars bars{{planBar(it, of.unit)}, {}};
    if (it.capacity && it.settings->gpu)
        bars.bars.front().limitText += u", one "_s + toQString(it.settings->gpu->title);
    for (const Issue &issue : it.issues) {
        if (issue.severity != Issue::Severity::Note)
            (bars.remarks.empty() ? bars.remarks : scene.speech) += toQString(issue.text);
    }
    scene.view = std::make_shared<SlideBarsView>(std::move(bars));
    scene.speech += sourcesOf(it, of.unit);
    return scene;
}

StageScene whereScene(const StagedPlan &of)
{
    const Estimate &it = of.estimate;
    SlideBars bars{barOfEach(planBar(it, of.unit).pieces), {}};
    std::ranges::stable_sort(bars.bars, std::greater(), &SlideBar::total);
    bars.bars.resize(std::min(bars.bars.size(), kMostParts));
    const PartBytes parts = allocatedParts(it, it.peakMoment);
    const auto largest = std::ranges::max_element(parts);
    StageScene scene{u"%1 %2 of the %3 at the peak"_s.arg(
                         takes(partName(static_cast<std::size_t>(largest - parts.begin()))),
                         bytesText(*largest, of.unit), bytesText(it.peakDevice, of.unit)),
                     std::make_shared<SlideBarsView>(std::move(bars))};
    scene.kicker = u"%1: %2 on each GPU, %3"_s.arg(toQString(jobText(of.plan, *it.settings)),
                                                   QLatin1String(gigaUnit(of.unit)),
                                                   toQString(momentPhrase(it.peakAt)));
    scene.foot = estimateFoot(it, of.unit);
    scene.speech = sourcesOf(it, of.unit);
    return scene;
}

} // namespace vramscope
