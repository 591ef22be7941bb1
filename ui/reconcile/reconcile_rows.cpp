// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_rows.h"

#include "core/print/plan_report.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

PartBytes partsOf(const SideBytes &side)
{
    PartBytes parts{};
    std::ranges::copy(side.byCategory, parts.begin());
    parts[kUnknownPart] = side.unknown;
    return parts;
}

/// The plan may lack a moment that the recording has.
bool isPlanned(const MatchedMoment &moment)
{
    return !moment.predictedAt.empty();
}

} // namespace

StackedBars reconcileBars(const Reconciliation &reconciled, std::optional<Bytes> capacity)
{
    StackedBars bars;
    bars.capacity = capacity;
    bars.emptyText = u"no moment was found"_s;
    for (const MatchedMoment &moment : reconciled.moments) {
        const QString name = capitalized(toQString(moment.name));
        const QString how = capitalized(toQString(moment.how));
        const QString at = moment.predictedAt == moment.name
                               ? QString()
                               : u"In the plan: %1. "_s.arg(toQString(moment.predictedAt));
        const bool planned = isPlanned(moment);
        if (planned)
            bars.bars.push_back({name + (moment.found ? u", predicted"_s : u", predicted only"_s),
                                 partsOf(moment.predicted), false,
                                 at + (moment.found ? QString() : u"Not found: %1."_s.arg(how))});
        if (moment.found)
            bars.bars.push_back(
                {(planned ? QString() : name + u", "_s) +
                     (moment.cutOff ? u"recorded, cut off"_s : u"recorded"_s),
                 partsOf(moment.recorded), planned,
                 how + (moment.cutOff ? u". The recording ends inside it; more may have followed."_s
                                      : u"."_s)});
    }
    return bars;
}

std::size_t momentOfBar(const StackedBars &bars, int bar)
{
    std::size_t moment = 0;
    for (std::size_t at = 1; at <= static_cast<std::size_t>(bar); ++at)
        moment += bars.bars[at].joins ? 0U : 1U;
    return moment;
}

int barOfMoment(const StackedBars &bars, std::size_t moment)
{
    int bar = 0;
    while (momentOfBar(bars, bar) < moment)
        ++bar;
    return bar;
}

std::vector<WaterfallBar> reconcileWaterfall(const Reconciliation &reconciled)
{
    using Kind = WaterfallBar::Kind;
    if (reconciled.moments.empty() || !reconciled.comparedMoment().found)
        return {};
    Bytes level = reconciled.comparedMoment().predicted.total();
    std::vector<WaterfallBar> bars{{u"Predicted"_s, {}, 0, level, Kind::Total}};
    for (const Reason &reason : reconciled.reasons) {
        bars.push_back({toQString(reason.text), {}, level, level + reason.bytes, Kind::Change});
        level += reason.bytes;
    }
    if (reconciled.unexplained != 0)
        bars.push_back({u"Unexplained"_s, {}, level, level + reconciled.unexplained, Kind::Rest});
    bars.push_back(
        {u"Recorded"_s, {}, 0, reconciled.comparedMoment().recorded.total(), Kind::Total});
    return bars;
}

QString momentTitle(const MatchedMoment &moment)
{
    return capitalized(toQString(momentPhrase(moment.name)));
}

QString stepLine(const Reconciliation &reconciled)
{
    QStringList sentences;
    for (const std::string &part : {reconciled.step, reconciled.whyThisStep}) {
        const QString sentence = capitalized(toQString(part).trimmed());
        if (!sentence.isEmpty())
            sentences += sentence.endsWith(u'.') ? sentence : sentence + u'.';
    }
    return sentences.join(u' ');
}

QString failedText(const Reconciliation &reconciled, ByteUnit unit)
{
    if (!reconciled.failed)
        return {};
    const FailedRequest &failed = *reconciled.failed;
    QString text = u"The allocation that failed, %1"_s.arg(bytesText(failed.bytes, unit));
    if (!failed.place.empty())
        text += u" in %1"_s.arg(toQString(failed.place).simplified());
    if (failed.names.empty())
        return text + u", is of a size that the plan does not have."_s;
    text += u", is: %1"_s.arg(toQString(failed.names.front().text));
    if (failed.names.size() > 1)
        text += u" (or %1)"_s.arg(toQString(failed.names[1].text));
    return text + u'.';
}

QString answerToolTip(const Reconciliation &reconciled, ByteUnit unit)
{
    const MatchedMoment &moment = reconciled.comparedMoment();
    QStringList lines{u"predicted %1"_s.arg(exactBytesText(moment.predicted.total(), unit))};
    if (moment.found)
        lines += {u"recorded %1"_s.arg(exactBytesText(moment.recorded.total(), unit)),
                  u"unexplained %1"_s.arg(signedExactBytesText(reconciled.unexplained, unit))};
    return lines.join(u'\n');
}

QString failedToolTip(const Reconciliation &reconciled, ByteUnit unit)
{
    if (!reconciled.failed)
        return {};
    QStringList lines{u"asked for: %1"_s.arg(exactBytesText(reconciled.failed->bytes, unit))};
    for (const SizeName &name : reconciled.failed->names)
        lines += u"%1: %2 = %3"_s.arg(toQString(name.text), toQString(name.formula),
                                      countedText(name.bytes, "byte"));
    return lines.join(u'\n');
}

} // namespace vramscope
