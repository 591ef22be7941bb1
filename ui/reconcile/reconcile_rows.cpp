// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_rows.h"

#include "ui/support/text.h"

#include <algorithm>

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

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// The plan may lack a moment that the recording has.
bool isPlanned(const MatchedMoment &moment)
{
    return !moment.predictedAt.empty();
}

} // namespace

StackedBars reconcileBars(const Reconciliation &held, std::optional<Bytes> capacity)
{
    StackedBars bars;
    bars.capacity = capacity;
    bars.emptyText = u"no moment was found"_s;
    for (const MatchedMoment &moment : held.moments) {
        const QString name = capitalised(toQString(moment.name));
        const QString how = capitalised(toQString(moment.how));
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

std::vector<WaterfallBar> reconcileWaterfall(const Reconciliation &held)
{
    using Kind = WaterfallBar::Kind;
    if (held.moments.empty() || !held.comparedMoment().found)
        return {};
    Bytes level = held.comparedMoment().predicted.total();
    std::vector<WaterfallBar> bars{{u"Predicted"_s, {}, 0, level, Kind::Total}};
    for (const Reason &reason : held.reasons) {
        bars.push_back({toQString(reason.text), {}, level, level + reason.bytes, Kind::Change});
        level += reason.bytes;
    }
    if (held.unexplained != 0)
        bars.push_back({u"Unexplained"_s, {}, level, level + held.unexplained, Kind::Rest});
    bars.push_back({u"Recorded"_s, {}, 0, held.comparedMoment().recorded.total(), Kind::Total});
    return bars;
}

} // namespace vramscope
