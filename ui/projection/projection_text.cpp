// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/projection/projection_text.h"

#include "core/base/durations.h"
#include "core/estimate/verdict.h"
#include "core/print/time_report.h"
#include "ui/charts/bar_geometry.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Projected scaled(const Projected &band, double factor)
{
    return {factor * band.likely, factor * band.low, factor * band.high};
}

Projected exactly(double value)
{
    return {value, value, value};
}

/// The value of a metric with its band, in the unit of its axis.
Projected valueOf(const ScalePoint &point, ScaleMetric metric, double giga)
{
    const StepTime &time = point.time;
    const auto gpus = static_cast<double>(point.gpus);
    switch (metric) {
    case ScaleMetric::SpeedOfOne:
        return scaled(time.tokensPerSecond(), 1 / gpus);
    case ScaleMetric::Speed:
        return time.tokensPerSecond();
    case ScaleMetric::Speedup:
        return exactly(point.speedup);
    case ScaleMetric::Efficiency:
        return exactly(100 * point.efficiency);
    case ScaleMetric::Communication:
        return exactly(100 * point.communicationShare());
    case ScaleMetric::Memory:
        return exactly(static_cast<double>(point.estimate.peakDevice) / giga);
    case ScaleMetric::GpuHours:
    case ScaleMetric::Count:
        break;
    }
    return time.gpuHours(tokensOfRun(*point.estimate.settings));
}

bool fits(const ScalePoint &point)
{
    return verdictOf(point.estimate) != Verdict::DoesNotFit;
}

QString standingText(const ScalePoint &point, ByteUnit unit)
{
    const std::optional<Verdict> verdict = verdictOf(point.estimate);
    return u"%1 a GPU, %2"_s.arg(bytesText(point.estimate.peakDevice, unit),
                                 verdict ? toQString(verdictWord(point.estimate))
                                         : u"capacity not known"_s);
}

QString pointText(const QString &title, const ScalePoint &point, ByteUnit unit)
{
    const Projected speed = point.time.tokensPerSecond();
    const double hours = point.time.gpuHours(tokensOfRun(*point.estimate.settings)).likely;
    QString text =
        u"<b>%1, %2 %3</b><br>%4 tokens/s (%5 to %6)<br>step %7, communication %8, idle %9<br>"_s
            .arg(title.toHtmlEscaped(), countText(point.gpus),
                 point.gpus == 1 ? u"GPU"_s : u"GPUs"_s, roughText(speed.likely),
                 roughText(speed.low), roughText(speed.high),
                 toQString(formatSeconds(point.time.seconds.likely)),
                 toQString(formatFraction(point.communicationShare())),
                 toQString(formatFraction(point.time.idle / point.time.seconds.likely)));
    text += u"speedup %1, efficiency %2<br>%3<br>%4 GPU hours for %5"_s.arg(
        roughText(point.speedup), toQString(formatFraction(point.efficiency)),
        standingText(point, unit), roughText(hours),
        toQString(tokensOfRunText(*point.estimate.settings)));
    for (const std::string &sentence : point.beyond)
        text += u"<br>%1"_s.arg(toQString(sentence).toHtmlEscaped());
    return text;
}

} // namespace

QString metricTitle(ScaleMetric metric)
{
    const std::array<QString, static_cast<std::size_t>(ScaleMetric::Count)> titles = {
        u"Tokens/s a GPU"_s, u"Tokens/s"_s,     u"Speedup"_s,  u"Efficiency"_s,
        u"Communication"_s,  u"Memory a GPU"_s, u"GPU hours"_s};
    return titles[static_cast<std::size_t>(metric)];
}

const std::vector<ScalePoint> &pointsOf(const ScaleLine &line, Scaling scaling)
{
    return scaling == Scaling::Weak || line.strong.empty() ? line.weak : line.strong;
}

ChartLines scaleLines(const ProjectedPlan &projected, Scaling scaling, ScaleMetric metric,
                      ByteUnit unit)
{
    const double giga = gigaBytes(unit);
    ChartLines content;
    content.titleX = u"GPUs"_s;
    content.titleY = metricTitle(metric);
    if (metric == ScaleMetric::Efficiency || metric == ScaleMetric::Communication)
        content.titleY += metric == ScaleMetric::Efficiency ? u", in %"_s : u", in % of the step"_s;
    if (metric == ScaleMetric::Memory)
        content.titleY += u", in %1"_s.arg(QLatin1StringView(gigaUnit(unit)));
    content.isLogarithmic = metric == ScaleMetric::Speed || metric == ScaleMetric::Speedup;
    for (const ScaleLine &line : projected.lines) {
        ChartLine drawn{toQString(line.title), {}};
        for (const ScalePoint &point : pointsOf(line, scaling)) {
            if (!point.known())
                continue;
            const Projected value = valueOf(point, metric, giga);
            drawn.points.push_back({static_cast<double>(point.gpus), value.likely, value.low,
                                    value.high, !fits(point), pointText(drawn.title, point, unit)});
            if (&line == &projected.lines.front() && !content.beyond && !point.beyond.empty()) {
                content.beyond = static_cast<double>(point.gpus);
                content.beyondText = u"beyond what was measured"_s;
            }
            if (metric == ScaleMetric::Memory && point.estimate.capacity) {
                content.limit = static_cast<double>(*point.estimate.capacity) / giga;
                content.limitText = u"capacity %1"_s.arg(bytesText(*point.estimate.capacity, unit));
            }
        }
        if (!drawn.points.empty())
            content.lines.push_back(std::move(drawn));
    }
    return content;
}

TradePoints strategyPoints(const ProjectedPlan &projected, ByteUnit unit)
{
    TradePoints content;
    if (!projected.guide)
        return content;
    const std::vector<StrategyOption> &options = projected.guide->options;
    content.costTitle = u"GPU hours"_s;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const StrategyOption &option = options[i];
        const Settings s = resolve(option.plan).settings;
        const double hours = option.time.gpuHours(tokensOfRun(s)).likely;
        content.capacity = s.capacity;
        content.costTitle = u"GPU hours for "_s + toQString(tokensOfRunText(s));
        content.points.push_back(
            {hours, option.standing.device, choiceLetter(i),
             u"<b>%1: %2</b><br>%3 tokens/s, %4 GPU hours<br>%5 a GPU"_s.arg(
                 choiceLetter(i), toQString(option.title).toHtmlEscaped(),
                 roughText(option.time.tokensPerSecond().likely), roughText(hours),
                 exactBytesText(option.standing.device, unit)),
             option.standing.verdict});
    }
    return content;
}

QString scaleRemarks(const ScaleLine &line, Scaling scaling)
{
    QStringList remarks;
    QStringList missing;
    QString why;
    bool tooLarge = false;
    std::vector<std::string> told;
    for (const ScalePoint &point : pointsOf(line, scaling)) {
        if (!point.known()) {
            missing.append(countText(point.gpus));
            if (why.isEmpty())
                why = toQString(point.whyNot);
        }
        tooLarge |= point.known() && !fits(point);
        for (const std::string &sentence : point.beyond) {
            if (std::ranges::find(told, sentence) != told.end())
                continue;
            told.push_back(sentence);
            remarks.append(u"From %1 GPUs on: %2"_s.arg(countText(point.gpus), toQString(sentence))
                               .toHtmlEscaped());
        }
    }
    if (!missing.isEmpty())
        remarks.append(u"Not on %1 GPUs: %2"_s.arg(missing.join(u", "_s), why).toHtmlEscaped());
    if (tooLarge)
        remarks.prepend(u"Hollow points do not fit."_s);
    return remarks.join(u"<br>"_s);
}

QString guideText(const StrategyGuide &guide)
{
    QString text;
    const auto paragraph = [&](const std::string &sentence, bool first) {
        const QString escaped = toQString(sentence).toHtmlEscaped();
        text += first ? u"<p><b>%1</b></p>"_s.arg(escaped) : u"<p>%1</p>"_s.arg(escaped);
    };
    for (std::size_t i = 0; i < guide.reasons.size(); ++i)
        paragraph(guide.reasons[i], i == 0);
    if (!guide.changes.empty())
        text += u"<p><b>What would change the choice</b></p>"_s;
    for (const std::string &change : guide.changes)
        paragraph(change, false);
    paragraph(guide.held, false);
    return text;
}

QString roughText(double value)
{
    return toQString(formatRounded(value));
}

} // namespace vramscope
