// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/throughput_text.h"

#include "core/base/format.h"
#include "core/describe/validation_tables.h"
#include "ui/support/text.h"
#include "ui/validation/validation_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString secondsText(double seconds)
{
    return toQString(formatMicroseconds(std::llround(seconds * 1e6)));
}

QString shareText(const ComparedSpeed &row)
{
    if (row.arithmeticShare <= 0)
        return {};
    const QString share =
        u"%1 % of the dense bf16 rate"_s.arg(100 * row.arithmeticShare, 0, 'f', 1);
    return row.basis == SpeedBasis::Calibrates
               ? u"The published speed makes the arithmetic reach %1; the others of its family "
                 "are predicted with it."_s.arg(share)
               : u"The arithmetic reaches %1, as in %2."_s.arg(share, toQString(row.calibratedOn));
}

QString catalogueFact(const ComparedSpeed &row)
{
    if (!row.computed())
        return {};
    return u"%1 tokens/s a GPU (%2), %3: the published speed lies %4"_s.arg(
        toQString(trainingSpeedText(row.catalogue.likely)), toQString(catalogueText(row)),
        errorText(row.catalogueErrorPercent()),
        row.insideCatalogue() ? u"in this range"_s : u"outside this range"_s);
}

QString percentOf(double part, double whole)
{
    const double percent = whole > 0 ? 100 * part / whole : 0;
    return percent > 0 && percent < 0.1 ? u"< 0.1 %"_s : u"%1 %"_s.arg(percent, 0, 'f', 1);
}

} // namespace

QString speedSentence(const ComparedSpeed &row)
{
    const QString published = u"%1: %2 tokens/s a GPU were published"_s.arg(
        toQString(row.row.id), toQString(trainingSpeedText(row.row.tokensPerGpu)));
    switch (row.basis) {
    case SpeedBasis::Calibrates:
        return u"%1; the run calibrates its family"_s.arg(published);
    case SpeedBasis::Calibrated:
        return u"%1, %2 predicted from the speed of %3 (%4)"_s.arg(
            published, toQString(trainingSpeedText(row.predicted.likely)),
            toQString(row.calibratedOn), errorText(row.errorPercent));
    case SpeedBasis::Catalogue:
        return u"%1, %2 predicted from the catalogue alone (%3)"_s.arg(
            published, toQString(trainingSpeedText(row.predicted.likely)),
            errorText(row.errorPercent));
    case SpeedBasis::None:
        break;
    }
    return u"%1; nothing is predicted: %2"_s.arg(published, toQString(row.whyNot));
}

QString speedFacts(const ComparedSpeed &row)
{
    const QString computed =
        row.computed() ? u"%1, of which %2 wait for data of other GPUs and %3 for the slowest or "
                         "in the pipeline"_s.arg(secondsText(row.time.seconds.likely),
                                                 secondsText(row.time.communication),
                                                 secondsText(row.time.idle))
                       : QString();
    const QString devices = toQString(devicesText(row));
    const QString run = devices.isEmpty() ? toQString(row.row.model)
                                          : u"%1 on %2"_s.arg(toQString(row.row.model), devices);
    return u"<table cellspacing=\"0\" cellpadding=\"1\">%1</table>"_s.arg(
        factLine(u"source"_s, toQString(row.row.source)) +
        factLine(u"note"_s, toQString(row.row.note)) +
        factLine(u"known to miss"_s, toQString(row.row.missed)) +
        factLine(u"not computed"_s, toQString(row.whyNot)) + factLine(u"run"_s, run) +
        factLine(u"layout"_s, toQString(row.layout)) + factLine(u"rate"_s, shareText(row)) +
        factLine(u"catalogue alone"_s, catalogueFact(row)) + factLine(u"step"_s, computed));
}

std::vector<FactRow> termRows(const ComparedSpeed &row)
{
    std::vector<FactRow> rows;
    if (!row.computed())
        return rows;
    for (const TimeTerm &term : row.time.terms) {
        const bool calibrated = row.arithmeticShare > 0 && term.name == "Arithmetic";
        const QString source = calibrated ? u"By the speed of %1"_s.arg(toQString(row.calibratedOn))
                                          : toQString(term.source);
        rows.push_back({{{toQString(term.name), source},
                         {secondsText(term.seconds), source},
                         {percentOf(term.seconds, row.time.seconds.likely), source},
                         {toQString(term.rate), source}},
                        {},
                        false});
    }
    return rows;
}

QString speedHeadline(const SpeedValidation &speeds)
{
    const SpeedSummary all = speedSummary(speeds);
    const auto count = [](std::size_t of) { return countText(static_cast<std::int64_t>(of)); };
    return u"%1 published training speeds: %2 calibrate their family, and from them %3 others are "
           "predicted, half within %4, the worst off by %5. %6 of %7 families stay within their "
           "target."_s.arg(count(all.rows), count(all.calibrating), count(all.calibrated),
                           absoluteErrorText(all.calibratedMedian),
                           absoluteErrorText(all.calibratedWorst), count(all.familiesMet),
                           count(all.families));
}

QString speedExplanation(const SpeedValidation &speeds)
{
    const SpeedSummary all = speedSummary(speeds);
    const auto count = [](std::size_t of) { return countText(static_cast<std::int64_t>(of)); };
    return u"A family is one source, model, GPU and precision; its run of the fewest GPUs sets the "
           "share of the rate that arithmetic reaches.\nTarget: within 5 % where only data "
           "parallelism changes, within 10 % across layouts. The catalogue's rates alone, which a "
           "plan is projected with, predict half of %1 runs within %2; %3 lie in their range. %4 "
           "are not computed, and say why."_s.arg(
               count(all.rows - all.notComputed), absoluteErrorText(all.catalogueMedian),
               count(all.catalogueInside), count(all.notComputed));
}

} // namespace vramscope
