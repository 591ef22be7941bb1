// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_decision.h"

#include "core/estimate/verdict.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"

#include <QRegularExpression>

#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

QString cardsText(const Settings &settings, const Estimate &estimate, ByteUnit unit)
{
    const QString count = countText(settings.gpus);
    QString text = settings.gpu ? u"%1 × %2"_s.arg(count, toQString(settings.gpu->title)) : count;
    if (estimate.capacity)
        text += u", %1 each"_s.arg(bytesText(*estimate.capacity, unit));
    return text;
}

QString rangeText(const Estimate &estimate, ByteUnit unit)
{
    const QString low = bytesText(estimate.uncertaintyLow, unit);
    const QString high = bytesText(estimate.uncertaintyHigh, unit);
    const bool alike = low.section(u' ', 1) == high.section(u' ', 1);
    return u"%1 to %2"_s.arg(alike ? low.section(u' ', 0, 0) : low, high);
}

QString estimateFoot(const Estimate &estimate, ByteUnit unit)
{
    return u"estimate, likely range "_s + rangeText(estimate, unit);
}

QString memoryText(const Estimate &estimate, ByteUnit unit)
{
    const QString needed = bytesText(estimate.peakDevice, unit);
    return estimate.capacity ? u"%1 of %2"_s.arg(needed, bytesText(*estimate.capacity, unit))
                             : needed;
}

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
    return verdict ? capitalized(toQString(verdictWord(estimate))) : u"Capacity not known"_s;
}

QString standingText(const Estimate &estimate, ByteUnit unit)
{
    const std::optional<Verdict> verdict = verdictOf(estimate);
    if (!estimate.computed)
        return u"could not be computed"_s;
    if (!verdict)
        return u"takes %1"_s.arg(bytesText(estimate.peakDevice, unit));
    const QString word =
        *verdict == Verdict::Tight ? u"is tight"_s : toQString(verdictWord(estimate));
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
        return u"The whole likely range, %1, is within the %2 of the GPU"_s.arg(range, capacity);
    if (fits)
        return u"The whole likely range, %1, is within the %2 of the GPU, but %3."_s.arg(
            range, capacity, toQString(estimate.risk));
    if (mayStillFit(estimate))
        return u"It will probably run out: of the likely range, %1, only the lower end is within "
               u"the "
               "%2 of the GPU."_s.arg(range, capacity);
    return u"It will run out: even the lower end of %1 is beyond %2, or the load is not served."_s
        .arg(range, capacity);
}

QString shortGpusText(const Settings &settings)
{
    static const QRegularExpression form(u" *(SXM[0-9]*|PCIe)?( [0-9]+ GB)?$"_s);
    const QString count = countText(settings.gpus);
    if (!settings.gpu || !settings.gpuList.empty())
        return countedText(settings.gpus, "GPU");
    return u"%1 × %2"_s.arg(count, toQString(settings.gpu->title).remove(form));
}

QString tokensText(double tokens)
{
    constexpr double kMillion = 1e6;
    constexpr double kBillion = 1e9;
    if (tokens >= kBillion && std::fmod(tokens, kBillion / 10) == 0)
        return toQString(formatNumber(tokens / kBillion)) + u" billion tokens"_s;
    if (tokens >= kMillion && std::fmod(tokens, kMillion / 10) == 0)
        return toQString(formatNumber(tokens / kMillion)) + u" million tokens"_s;
    return countedText(std::llround(tokens), "token");
}

QString numberWord(std::size_t count)
{
    constexpr auto kWords = std::to_array<QStringView>(
        {u"No", u"One", u"Two", u"Three", u"Four", u"Five", u"Six", u"Seven"});
    return count < kWords.size() ? kWords[count].toString()
                                 : countText(static_cast<std::int64_t>(count));
}

SlideBar planBar(const Estimate &estimate, ByteUnit unit)
{
    SlideBar bar;
    const PartBytes parts = partBytes(estimate, estimate.peakMoment);
    for (std::size_t part = 0; part < kPartCount; ++part) {
        QString text = toQString(formatGiga(parts[part], unit));
        if (text == u"0.0")
            text = u"<0.1"_s;
        if (parts[part] > 0)
            bar.pieces.push_back({partName(part), static_cast<double>(parts[part]), text,
                                  partColor(part), part == kOutsidePart});
    }
    bar.low = static_cast<double>(estimate.uncertaintyLow);
    bar.high = static_cast<double>(estimate.uncertaintyHigh);
    bar.range = u"likely "_s + rangeText(estimate, unit);
    if (estimate.capacity) {
        bar.limit = static_cast<double>(*estimate.capacity);
        bar.limitText = bytesText(*estimate.capacity, unit);
        bar.gap = headroomText(estimate, unit);
    }
    return bar;
}

std::vector<PlanToChoose> plansOf(const std::vector<PlanSide> &sides)
{
    std::vector<PlanToChoose> plans;
    plans.reserve(sides.size());
    for (const PlanSide &side : sides)
        plans.push_back({side.plan, side.estimate});
    return plans;
}

std::vector<std::string> namesOf(const std::vector<PlanSide> &sides)
{
    std::vector<std::string> names;
    names.reserve(sides.size());
    for (const PlanSide &side : sides)
        names.push_back(side.shortName.toStdString());
    return names;
}

} // namespace vramscope
