// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/estimate/verdict.h"
#include "core/print/recommendation_report.h"
#include "core/projection/step_time.h"
#include "core/settings/settings.h"
#include "ui/planner/plan_decision.h"
#include "ui/stage/slide.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kLongestTitle = 92; ///< characters of two lines

/// What the changes cost, one sentence after the other.
QString pricesText(const Combination &option)
{
    QString text;
    for (const std::string &price : option.prices)
        text += (text.isEmpty() ? QString() : u" "_s) + toQString(price);
    return text;
}

/// What is done to a plan, with the plan where there are several.
QString optionName(const std::vector<PlanSide> &sides, const PlanSide &side,
                   const Combination &option)
{
    const QString title = option.titles.empty() ? u"On %1 GPUs"_s.arg(countText(option.gpus))
                                                : toQString(combinedTitle(option));
    return sides.size() == 1 ? title : sideHead(side) + u": "_s + title;
}

/// What an option costs, in a few words: the notes have its prices in full.
QString optionCost(const Combination &option, std::int64_t gpus, ByteUnit unit)
{
    QStringList costs;
    if (option.toll == Toll::Job)
        costs += u"another job"_s;
    else if (option.mayStopLearning)
        costs += u"results change, it may stop learning"_s;
    else if (option.toll >= Toll::Results)
        costs += u"results change"_s;
    if (option.gpus != gpus)
        costs += option.gpus > gpus ? u"%1 more GPUs"_s.arg(countText(option.gpus - gpus))
                                    : u"%1 fewer GPUs"_s.arg(countText(gpus - option.gpus));
    if (option.hostBytes > 0)
        costs += u"%1 of host memory a GPU"_s.arg(bytesText(option.hostBytes, unit));
    if (option.toll == Toll::Limits)
        costs += u"new limits"_s;
    if (option.toll == Toll::Code)
        costs += u"a change of code"_s;
    if (costs.isEmpty())
        costs += u"same results"_s;
    costs.front() = capitalized(costs.front());
    return costs.join(u", "_s);
}

/// A row of the options.
struct OptionRow
{
    QString name; ///< and what it is, in a second line
    const Estimate *estimate = nullptr;
    QString cost;
};

const std::string kNothing = "–"; ///< in place of a figure

std::string speedOf(const Estimate &estimate)
{
    if (!estimate.computed)
        return kNothing;
    const Result<StepTime> time = projectStep(*estimate.settings, estimate.work);
    return time ? formatRounded(time->tokensPerSecond().likely) : kNothing;
}

SlideTable optionsTable(const std::vector<OptionRow> &rows, ByteUnit unit)
{
    SlideTable table{
        .columns = {"Option", std::string("Memory, ") + gigaUnit(unit), "Tokens/s", "Costs"},
        .words = {0, 3}};
    SlideSizes sizes{1, {}, {}, 0, {}};
    bool alike = true; // the GPUs: their line goes through all bars
    for (const OptionRow &row : rows) {
        const Estimate &it = *row.estimate;
        table.rows.push_back({row.name.toStdString(),
                              it.computed ? formatGiga(it.peakDevice, unit) : kNothing, speedOf(it),
                              row.cost.toStdString()});
        sizes.values.push_back(static_cast<double>(it.peakDevice));
        sizes.tones.push_back(toneOf(verdictOf(it)));
        alike = alike && it.capacity == rows.front().estimate->capacity;
    }
    if (const auto capacity = rows.front().estimate->capacity; capacity && alike) {
        sizes.limit = static_cast<double>(*capacity);
        sizes.limitText = formatBytes(*capacity, unit);
    }
    table.sizes = std::move(sizes);
    if (std::ranges::all_of(table.rows, [](const auto &row) { return row[2] == kNothing; })) {
        for (std::vector<std::string> &row : table.rows)
            row.erase(row.begin() + 2);
        table.columns.erase(table.columns.begin() + 2);
        table.words = {0, 2};
    }
    return table;
}

QString optionsTitle(const Decision &decision, const PlanSide &chosen, bool several)
{
    if (decision.taken.empty())
        return u"No combination of changes makes %1 fit"_s.arg(several ? u"any of these plans"_s
                                                                       : u"this plan"_s);
    const Combination &best = decision.taken.front().combination;
    if (best.fields.empty())
        return several
                   ? u"Recommended: %1"_s.arg(chosen.shortName)
                   : u"The plan fits as it is%1"_s.arg(decision.taken.size() > 1
                                                           ? u"; other ways have other costs"_s
                                                           : u"; no change is worth its cost"_s);
    std::size_t ways = 0;
    const TakenOption *keeps = nullptr;
    std::size_t keeping = 0;
    for (const TakenOption &one : decision.taken) {
        ways += one.combination.fields.empty() ? 0U : 1U;
        if (one.combination.toll < Toll::Results &&
            one.combination.gpus <= chosen.estimate->settings->gpus) {
            keeps = &one;
            ++keeping;
        }
    }
    const QString make =
        u"%1 %2 %3 fit"_s.arg(numberWord(ways), ways == 1 ? u"way makes"_s : u"ways make"_s,
                              several ? chosen.shortName : u"it"_s);
    const auto named = [](const Combination &it) {
        return toQString(withinSentence(combinedTitle(it)));
    };
    const QString which =
        ways == 1 || keeping != 1
            ? u"recommended: %1"_s.arg(named(best))
            : u"only “%1” keeps results and GPUs"_s.arg(named(keeps->combination));
    const QString title = make + u"; "_s + which;
    return static_cast<std::size_t>(title.size()) <= kLongestTitle ? title : make;
}

} // namespace

StageScene optionsScene(const StagedPlan &of)
{
    const std::vector<PlanSide> sides = planSides(of);
    const Decision decision = decide(plansOf(sides), namesOf(sides), of.unit);
    const PlanSide &chosen = sides[decision.side];
    const bool several = sides.size() > 1;
    const std::int64_t gpus = chosen.estimate->settings->gpus;
    StageScene scene;
    std::vector<OptionRow> rows;
    const auto add = [&](const QString &name, const QString &what, const Estimate &it,
                         const QString &cost) {
        rows.push_back(
            {u"%1\n%2%3"_s.arg(name, countedText(it.settings->gpus, "GPU"), what), &it, cost});
    };
    for (const PlanSide &side : sides) {
        add(several ? sideHead(side) : u"As planned"_s, {}, *side.estimate,
            verdictOrNot(*side.estimate));
        scene.speech += u"%1: %2"_s.arg(several ? side.name : u"As planned"_s,
                                        riskText(*side.estimate, of.unit));
    }
    std::vector<const TakenOption *> changes; // those that keep the results first
    for (const TakenOption &one : decision.taken) {
        if (!one.combination.fields.empty())
            changes.push_back(&one);
    }
    std::ranges::stable_sort(
        changes, {}, [](const TakenOption *one) { return one->combination.toll >= Toll::Results; });
    std::optional<std::size_t> strong;
    for (const TakenOption *one : changes) {
        const bool best = one->kind == Recommendation::Kind::Recommended;
        if (best)
            strong = rows.size();
        add(optionName(sides, chosen, one->combination), best ? u" · recommended"_s : QString(),
            one->then, optionCost(one->combination, gpus, of.unit));
        scene.speech += u"%1: %2 %3"_s.arg(optionName(sides, chosen, one->combination),
                                           pricesText(one->combination),
                                           toQString(riskText(one->combination, of.unit)));
    }
    if (!strong && !decision.taken.empty() && decision.taken.front().combination.fields.empty())
        strong = decision.side;
    scene.headline = optionsTitle(decision, chosen, several);
    scene.table = optionsTable(rows, of.unit);
    scene.table->strong = strong;
    scene.kicker = scene.table->columns.size() == 4
                       ? u"Memory on each GPU; tokens a second by a rough projection"_s
                       : u"Memory on each GPU"_s;
    scene.foot = several ? sidesFoot(sides) : estimateFoot(*chosen.estimate, of.unit);
    return scene;
}

} // namespace vramscope
