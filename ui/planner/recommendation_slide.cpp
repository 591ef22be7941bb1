// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/estimate/verdict.h"
#include "core/print/plan_choice_report.h"
#include "core/print/recommendation_report.h"
#include "core/print/time_report.h"
#include "core/settings/settings.h"
#include "ui/planner/field_text.h"
#include "ui/planner/plan_decision.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLongestAdvice = 92; ///< characters of a title of two lines

QString nextStep(bool trains)
{
    return trains
               ? u"Record one step with the allocator's history on and compare it with this plan"_s
               : u"Start it under the load that is planned and compare what it reports with this "
                 "plan"_s;
}

/// What taking a step to the tokens of the run needs, roughly.
QString runLine(const Estimate &then)
{
    const Result<StepTime> time = projectStep(*then.settings, then.work);
    if (!time)
        return {};
    const double tokens = tokensOfRun(*then.settings);
    const Projected hours = time->gpuHours(tokens);
    return u"%1 tokens/s; %2 GPU hours for %3, roughly (%4 to %5)"_s.arg(
        toQString(formatRounded(time->tokensPerSecond().likely)),
        toQString(formatRounded(hours.likely)), tokensText(tokens),
        toQString(formatRounded(hours.low)), toQString(formatRounded(hours.high)));
}

QStringList timeSources(const Estimate &then)
{
    QStringList lines;
    if (const Result<StepTime> time = projectStep(*then.settings, then.work)) {
        lines +=
            toQString(speedText(*then.settings, *time) + "; " + runText(*then.settings, *time));
        for (const TimeTerm &term : time->terms)
            lines += u"%1: %2 (%3)"_s.arg(toQString(term.name), toQString(term.rate),
                                          toQString(term.source));
    }
    if (const std::string &conf = then.settings->allocConf; !conf.empty())
        lines += u"PYTORCH_CUDA_ALLOC_CONF="_s + toQString(conf);
    return lines;
}

QString costsLine(const Combination &option, std::int64_t gpus)
{
    QString text = option.toll >= Toll::Results ? u"Results change. "_s : u"Same results. "_s;
    if (option.gpus > gpus)
        text += u"%1 more GPUs. "_s.arg(countText(option.gpus - gpus));
    for (const std::string &price : option.prices)
        text += toQString(price) + u' ';
    return text.trimmed();
}

/// A plan before and after, each with one bar in the colour of its verdict.
SlideBar wholeBar(const QString &name, const Estimate &estimate, ByteUnit unit)
{
    SlideBar bar = planBar(estimate, unit);
    bar.name = name;
    bar.text = toQString(formatGiga(estimate.peakDevice, unit));
    bar.gap.clear();
    bar.range.clear();
    bar.pieces = {{}};
    bar.pieces.front().value = static_cast<double>(estimate.peakDevice);
    bar.pieces.front().verdict = verdictOf(estimate);
    return bar;
}

} // namespace

StageScene recommendationScene(const StagedPlan &of)
{
    const std::vector<PlanSide> sides = planSides(of);
    const Decision decision = decide(plansOf(sides), namesOf(sides), of.unit);
    const PlanSide &chosen = sides[decision.side];
    const Estimate &asItIs = *chosen.estimate;
    const bool several = sides.size() > 1;
    const bool trains = asItIs.settings->workload == Workload::Training;
    SlideTable table{.columns = {"", ""}, .words = {0, 1}};
    const auto row = [&](const QString &name, const QString &text) {
        if (!text.isEmpty())
            table.rows.push_back({name.toStdString(), text.toStdString()});
    };
    StageScene scene;
    scene.foot = several ? sidesFoot(sides) : estimateFoot(asItIs, of.unit);
    SlideBars bars{{wholeBar(several ? sideHead(chosen) : u"As planned"_s, asItIs, of.unit)}, {}};
    if (decision.taken.empty()) {
        row(u"Next"_s, u"Take a larger GPU or a smaller model, or look for the fewest GPUs: "
                       "vramscope-cli fit --vary hardware.gpus"_s);
        scene.headline = u"No combination of up to %1 changes makes %2 fit"_s.arg(kMostChanges)
                             .arg(several ? u"any of these plans"_s : u"this plan"_s);
        scene.verdict = verdictOf(asItIs);
        scene.kicker = riskText(asItIs, of.unit);
    } else if (const auto &[kind, option, made, then] = decision.taken.front();
               option.fields.empty()) {
        row(u"Time"_s, runLine(asItIs));
        row(u"Next"_s, nextStep(trains));
        scene.headline = u"Recommended: run %1; it %2"_s.arg(
            several ? chosen.shortName : u"it as planned"_s, standingText(asItIs, of.unit));
        scene.verdict = verdictOf(asItIs);
        scene.kicker = riskText(asItIs, of.unit);
        scene.speech = timeSources(asItIs);
    } else {
        const QString change = toQString(withinSentence(combinedTitle(option)));
        const QString standing = standingText(then, of.unit);
        const QString whom = several ? chosen.shortName + u" with "_s : QString();
        scene.headline = u"Recommended: %1%2. It then %3"_s.arg(whom, change, standing);
        if (scene.headline.size() > kLongestAdvice)
            scene.headline = u"Recommended: %1%2 changes. It then %3"_s.arg(
                whom, toQString(withinSentence(numberWord(option.titles.size()).toStdString())),
                standing);
        scene.verdict = verdictOf(then);
        scene.kicker = riskText(then, of.unit);
        bars.bars.push_back(wholeBar(u"Changed"_s, then, of.unit));
        bars.bars.back().limitText.clear();
        row(u"Change"_s, settingsText(option.fields, of.unit));
        row(u"Costs"_s, costsLine(option, asItIs.settings->gpus));
        row(u"Time"_s, runLine(then));
        row(u"Next"_s, nextStep(trains));
        scene.speech = timeSources(then);
    }
    if (several) {
        scene.speech += {toQString(decision.why), scene.kicker};
        scene.kicker = toQString(decision.why);
    }
    for (const std::vector<std::string> &line : table.rows)
        scene.speech += toQString(line[0] + ": " + line[1]);
    scene.view = std::make_shared<SlideBarsView>(std::move(bars));
    scene.table = std::move(table);
    return scene;
}

} // namespace vramscope
