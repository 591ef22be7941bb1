// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "core/base/sentence.h"
#include "core/estimate/verdict.h"
#include "core/print/plan_choice_report.h"
#include "core/settings/job_text.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/versus_plans.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// "half the time", "a third of the time", "28 % less time"
QString shareText(double saved, const QString &of, const QString &less)
{
    constexpr double kNear = 0.04;
    if (std::abs(saved - 0.5) < kNear)
        return u"half the "_s + of;
    if (std::abs(saved - 2.0 / 3) < kNear)
        return u"a third of the "_s + of;
    if (std::abs(saved - 0.75) < kNear)
        return u"a quarter of the "_s + of;
    return u"%1 % %2 %3"_s.arg(QString::number(qRound(100 * saved)), less, of);
}

QString bytesOrNone(Bytes bytes, ByteUnit unit)
{
    return bytes == 0 ? u"none"_s : bytesText(bytes, unit);
}

QString jobLine(const Versus &of)
{
    const PlanSide &first = of.sides.front();
    QStringList words{toQString(modelText(*first.plan, *first.estimate->settings))};
    const bool same = std::ranges::all_of(of.sides, [&](const PlanSide &side) {
        return modelText(*side.plan, *side.estimate->settings) == words.front().toStdString();
    });
    return same ? words.front() + u" · "_s : QString();
}

StageScene sceneOf(const Versus &of, const QString &headline, SlideBars bars)
{
    StageScene scene{headline, std::make_shared<SlideBarsView>(std::move(bars))};
    scene.foot = sidesFoot(of.sides);
    return scene;
}

SlideBar sideBar(const Versus &of, std::size_t at, double value, const QString &text)
{
    SlideBar bar;
    bar.name = of.head(at);
    bar.text = text;
    bar.pieces = {{}};
    bar.pieces.front().value = value;
    bar.pieces.front().side = at;
    return bar;
}

SlideBars memoryBars(const Versus &of, ByteUnit unit)
{
    SlideBars bars;
    for (std::size_t at = 0; at < of.sides.size(); ++at) {
        SlideBar bar = planBar(*of.sides[at].estimate, unit);
        bar.name = of.head(at);
        bar.text = toQString(formatGiga(of.sides[at].estimate->peakDevice, unit));
        if (!bar.gap.isEmpty())
            bar.limitText += u", "_s + bar.gap;
        bar.gap.clear();
        bars.bars.push_back(std::move(bar));
    }
    return bars;
}

/// The settings in which two of them differ, as sentences of labels and values.
QStringList differencesOf(const PlanSide &a, const PlanSide &b, ByteUnit unit)
{
    QStringList lines;
    for (const FieldDifference &one :
         differingFields(*a.plan, *a.estimate->settings, *b.plan, *b.estimate->settings, unit)) {
        if (one.field->path != FieldPath("name"))
            lines += u"%1 %2 in %3, %4 in %5"_s.arg(toQString(one.field->label), one.before,
                                                    a.shortName, one.after, b.shortName);
    }
    return lines;
}

/// "A finishes in half the time, B needs half the GPUs".
QString timeTitle(const Versus &of)
{
    const auto faster = of.leastOf([&](std::size_t at) { return of.seconds(at).likely; });
    const auto fewer = of.leastOf([&](std::size_t at) { return double(of.gpus(at)); });
    const QString sooner =
        faster ? u"%1 takes %2"_s.arg(of.head(faster->first),
                                      shareText(faster->second, u"time"_s, u"less"_s))
               : u"The plans take as long"_s;
    if (!fewer)
        return sooner + (faster ? u" on as many GPUs"_s : QString());
    const QString gpus = shareText(fewer->second, u"GPUs"_s, u"fewer"_s);
    return faster && faster->first == fewer->first
               ? u"%1 and %2"_s.arg(sooner, gpus)
               : u"%1, %2 needs %3"_s.arg(sooner, of.head(fewer->first), gpus);
}

} // namespace

QString Versus::chosen(ByteUnit unit) const
{
    QString text = toQString(capitalized(choiceSentence(choice, plans, namesOf(sides), unit)));
    text.chop(text.endsWith(QLatin1Char('.')) ? 1 : 0);
    return text.section(QLatin1Char(';'), 0, 0);
}

QStringList figuresOf(const Versus &of, ByteUnit unit)
{
    QStringList lines;
    for (const PlanSide &side : of.sides)
        lines += u"%1: %2, %3; likely range %4; %5; %6"_s.arg(
            sideHead(side), verdictOrNot(*side.estimate), memoryText(*side.estimate, unit),
            rangeText(*side.estimate, unit), headroomText(*side.estimate, unit),
            cardsText(*side.estimate->settings, *side.estimate, unit));
    for (const CostFigure &figure : costFigures(of.plans)) {
        QStringList values;
        for (std::size_t at = 0; at < of.sides.size(); ++at)
            values += of.head(at) + u' ' + toQString(figure.values[at]);
        lines += toQString(figure.name) + u": "_s + values.join(u"; "_s);
    }
    return lines;
}

bool areTimed(const StagedPlan &of)
{
    return Versus(planSides(of)).timed();
}

StageScene versusScene(const StagedPlan &of)
{
    const Versus versus(planSides(of));
    if (!versus.allFit() || !versus.timed()) {
        QString headline = versus.chosen(of.unit);
        if (versus.sides.size() == 2 && headline.startsWith(u"Neither"))
            headline += u": %1 and %2"_s.arg(headroomText(*versus.sides[0].estimate, of.unit),
                                             headroomText(*versus.sides[1].estimate, of.unit));
        StageScene scene = sceneOf(versus, headline, memoryBars(versus, of.unit));
        scene.kicker =
            jobLine(versus) + u"%1 on each GPU at the peak, each against its own card"_s.arg(
                                  QLatin1String(gigaUnit(of.unit)));
        scene.speech = figuresOf(versus, of.unit);
        return scene;
    }
    SlideBars bars;
    for (std::size_t at = 0; at < versus.sides.size(); ++at) {
        const Projected time = versus.seconds(at);
        SlideBar bar =
            sideBar(versus, at, time.likely,
                    u"%1 on %2"_s.arg(toQString(formatSeconds(time.likely)),
                                      shortGpusText(*versus.sides[at].estimate->settings)));
        bar.low = time.low;
        bar.high = time.high;
        bar.range = u"%1 to %2"_s.arg(toQString(formatSeconds(time.low)),
                                      toQString(formatSeconds(time.high)));
        bars.bars.push_back(std::move(bar));
    }
    StageScene scene = sceneOf(versus, timeTitle(versus), std::move(bars));
    scene.kicker =
        jobLine(versus) + u"time for %1, a rough projection"_s.arg(tokensText(versus.tokens));
    scene.speech = figuresOf(versus, of.unit);
    return scene;
}

StageScene memoriesScene(const StagedPlan &of)
{
    const Versus versus(planSides(of));
    QString headline;
    if (versus.sides.size() == 2 && versus.allFit()) {
        headline = u"Both fit: %1 has %2 on each GPU, %3 has %4"_s.arg(
            versus.head(0), headroomText(*versus.sides[0].estimate, of.unit),
            versus.sides[1].shortName, headroomText(*versus.sides[1].estimate, of.unit));
    } else if (versus.sides.size() == 2) {
        headline = u"%1 %2; %3 %4"_s.arg(
            versus.head(0), standingText(*versus.sides[0].estimate, of.unit),
            versus.sides[1].shortName, standingText(*versus.sides[1].estimate, of.unit));
    } else {
        const auto fits = std::ranges::count_if(
            versus.sides, [](const PlanSide &side) { return side.estimate->fits.value_or(false); });
        headline = u"%1 of %2 plans fit"_s.arg(numberWord(static_cast<std::size_t>(fits)),
                                               QString::number(versus.sides.size()));
    }
    StageScene scene = sceneOf(versus, headline, memoryBars(versus, of.unit));
    scene.kicker = u"%1 on each GPU at the peak, on one scale, each against its own card"_s.arg(
        QLatin1String(gigaUnit(of.unit)));
    for (const PlanSide &side : versus.sides)
        scene.speech += u"%1: likely %2"_s.arg(sideHead(side), rangeText(*side.estimate, of.unit));
    return scene;
}

StageScene costsScene(const StagedPlan &of)
{
    const Versus versus(planSides(of));
    const QString what = versus.priced() ? u"price"_s : u"GPU hours"_s;
    const auto least = versus.leastOf([&](std::size_t at) { return versus.cost(at).likely; });
    SlideBars bars;
    QStringList figures;
    for (std::size_t at = 0; at < versus.sides.size(); ++at) {
        const Projected cost = versus.cost(at);
        SlideBar bar = sideBar(versus, at, cost.likely, toQString(formatRounded(cost.likely)));
        figures += bar.text;
        bar.low = cost.low;
        bar.high = cost.high;
        bar.range = u"%1 to %2"_s.arg(toQString(formatRounded(cost.low)),
                                      toQString(formatRounded(cost.high)));
        bars.bars.push_back(std::move(bar));
    }
    const QString sum = figures.join(u" against "_s);
    const QString headline =
        !least ? u"The work costs the same: %1%2"_s.arg(sum, versus.priced() ? QString()
                                                                             : u" GPU hours"_s)
               : u"%1 %2 %3: %4"_s.arg(
                     versus.head(least->first), versus.priced() ? u"costs"_s : u"takes"_s,
                     versus.priced() ? u"%1 % less"_s.arg(qRound(100 * least->second))
                                     : shareText(least->second, u"GPU hours"_s, u"fewer"_s),
                     sum);
    StageScene scene = sceneOf(versus, headline, std::move(bars));
    scene.kicker = u"%1 for %2%3"_s.arg(
        what == u"price" ? u"Price"_s : what, tokensText(versus.tokens),
        versus.priced() ? QString() : u" · no price is given: enter one to compare cost"_s);
    scene.speech = figuresOf(versus, of.unit);
    return scene;
}

StageScene differencesScene(const StagedPlan &of)
{
    constexpr std::size_t kMostParts = 4;
    const Versus versus(planSides(of));
    const PlanSide &first = versus.sides.front();
    const PlanSide &last = versus.sides.back();
    const PartBytes a = allocatedParts(*first.estimate, first.estimate->peakMoment);
    const PartBytes b = allocatedParts(*last.estimate, last.estimate->peakMoment);
    std::vector<std::size_t> parts;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (a[part] > 0 || b[part] > 0)
            parts.push_back(part);
    }
    std::ranges::stable_sort(parts, std::greater(),
                             [&](std::size_t part) { return std::abs(a[part] - b[part]); });
    parts.resize(std::min(parts.size(), kMostParts));
    SlideBars bars;
    for (const std::size_t part : parts) {
        for (const auto &[side, bytes] :
             {std::pair(std::size_t(0), a[part]), std::pair(std::size_t(1), b[part])}) {
            SlideBar bar = sideBar(versus, side, static_cast<double>(bytes),
                                   toQString(formatGiga(bytes, of.unit)));
            bar.name = side == 0 ? partName(part) : QString();
            bar.joined = side == 1;
            bar.pieces.front().name = sideHead(side == 0 ? first : last);
            bars.bars.push_back(std::move(bar));
        }
    }
    const bool alike = parts.empty() || a[parts.front()] == b[parts.front()];
    StageScene scene = sceneOf(versus,
                               alike ? u"The plans allocate the same at the peak"_s
                                     : u"%1 differ most: %2 in %3, %4 in %5"_s.arg(
                                           partName(parts.front()),
                                           bytesOrNone(a[parts.front()], of.unit), first.shortName,
                                           bytesOrNone(b[parts.front()], of.unit), last.shortName),
                               std::move(bars));
    if (!alike && !partName(parts.front()).endsWith(u's'))
        scene.headline.replace(u" differ most"_s, u" differs most"_s);
    scene.speech = differencesOf(first, last, of.unit);
    QStringList short_lines = scene.speech;
    scene.kicker = short_lines.isEmpty()
                       ? u"%1 allocated on each GPU"_s.arg(QLatin1String(gigaUnit(of.unit)))
                       : short_lines.join(u" · "_s);
    return scene;
}

} // namespace vramscope
