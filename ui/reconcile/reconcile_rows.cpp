// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_rows.h"

#include "ui/reconcile/reconcile_text.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

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

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

FactCell bytesCell(Bytes bytes, ByteUnit unit)
{
    return {bytesText(bytes, unit), exactBytesText(bytes, unit), bytes};
}

FactCell differenceCell(Bytes difference, ByteUnit unit)
{
    return {signedBytesText(difference, unit), signedExactBytesText(difference, unit), difference};
}

FactCell absent(const QString &why)
{
    return {u"–"_s, why};
}

/// The plan may lack a moment that the recording has.
bool isPlanned(const MatchedMoment &moment)
{
    return !moment.predictedAt.empty();
}

FactRow partRow(const QString &name, Bytes predicted, Bytes recorded, const MatchedMoment &moment,
                ByteUnit unit)
{
    const bool planned = isPlanned(moment);
    const QString why = planned ? toQString(moment.how) : u"The plan does not have this moment."_s;
    return {{{name, name},
             planned ? bytesCell(predicted, unit) : absent(why),
             moment.found ? bytesCell(recorded, unit) : absent(why),
             moment.found && planned ? differenceCell(recorded - predicted, unit) : absent(why)},
            {}};
}

FactRow reasonRow(const Reason &reason, ByteUnit unit)
{
    const QString text = toQString(reason.text);
    const FactCell adds = differenceCell(reason.bytes, unit);
    switch (reason.kind) {
    case Reason::Kind::Setting:
        return {{{text, u"Another setting of the plan: %1. It is tried with those above it, where "
                        u"they lead from predicted to recorded."_s.arg(text)},
                 adds,
                 bytesCell(reason.explains, unit)},
                u"Try it"_s};
    case Reason::Kind::Fact:
        return {{{text, u"Read off the recording: %1"_s.arg(text)},
                 adds,
                 absent(u"It is a fact, no guess."_s)},
                {}};
    case Reason::Kind::NotReached:
        return {{{text, u"Of the plan, with the settings above: %1"_s.arg(text)},
                 adds,
                 absent(u"The recording does not tell what would have come."_s)},
                {}};
    case Reason::Kind::Part:
        break;
    }
    return {{{text, u"A part that no setting of the plan explains: %1"_s.arg(text)},
             adds,
             absent(u"No setting was found for it."_s)},
            {}};
}

std::vector<FactRow> reasonRowsOf(const std::vector<Reason> &reasons, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (const Reason &reason : reasons)
        rows.push_back(reasonRow(reason, unit));
    return rows;
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

std::vector<FactRow> partRows(const MatchedMoment &moment, ByteUnit unit)
{
    std::vector<FactRow> rows;
    const PartBytes predicted = partsOf(moment.predicted);
    const PartBytes recorded = partsOf(moment.recorded);
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (predicted[part] != 0 || recorded[part] != 0)
            rows.push_back(partRow(partName(part), predicted[part], recorded[part], moment, unit));
    }
    rows.push_back(
        partRow(u"Total"_s, moment.predicted.total(), moment.recorded.total(), moment, unit));
    rows.back().strong = true;
    return rows;
}

std::vector<FactRow> reasonRows(const Reconciliation &held, ByteUnit unit)
{
    std::vector<FactRow> rows = reasonRowsOf(held.reasons, unit);
    if (held.moments.empty() || !held.comparedMoment().found)
        return rows;
    const FactCell left = differenceCell(held.unexplained, unit);
    rows.push_back({{{u"Unexplained"_s, u"What is left of the difference"_s}, left, {}}, {}});
    rows.back().strong = true;
    return rows;
}

std::vector<FactRow> candidateRows(const Reconciliation &held, ByteUnit unit)
{
    return reasonRowsOf(held.candidates, unit);
}

std::vector<FactRow> levelRows(const Reconciliation &held, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (const LevelPair &level : held.levels) {
        const QString how = toQString(level.how);
        rows.push_back({{{capitalised(toQString(level.name)), how},
                         bytesCell(level.predicted, unit),
                         level.recorded ? bytesCell(*level.recorded, unit) : absent(how),
                         level.recorded ? differenceCell(*level.recorded - level.predicted, unit)
                                        : absent(how),
                         {capitalised(how), how}},
                        {}});
    }
    return rows;
}

std::vector<FactRow> constantRows(const Reconciliation &held, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (const Calibration &constant : held.calibrations) {
        const QString how = toQString(constant.how);
        const auto cell = [&](double value) {
            const QString text = constantText(value, constant.isBytes, unit);
            return constant.isBytes
                       ? FactCell{text,
                                  exactBytesText(static_cast<Bytes>(std::llround(value)), unit)}
                       : FactCell{text, toQString(formatNumber(value, 12))};
        };
        // As far as a plan states it: in whole bytes, or with four decimals.
        const bool same =
            std::abs(constant.planned - constant.recorded) < (constant.isBytes ? 1 : 1e-4);
        rows.push_back({{{toQString(constant.label), how},
                         cell(constant.planned),
                         cell(constant.recorded),
                         {capitalised(how), how}},
                        same ? QString() : u"Take over"_s});
    }
    return rows;
}

} // namespace vramscope
