// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/validation_text.h"

#include "core/table/table.h"
#include "core/validation/coverage.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString withinText(const ErrorSummary &summary)
{
    return u"median error %1, 95 % within %2"_s.arg(absoluteErrorText(summary.median),
                                                    absoluteErrorText(summary.percentile95));
}

/// The families whose middle error is largest, "a (7.7 %), b (6.8 %) and c (5.3 %)".
QString weakestText(const Validation &validation)
{
    std::vector<ErrorSummary> families = familySummaries(validation.rows);
    std::ranges::stable_sort(families, std::ranges::greater(), &ErrorSummary::median);
    QStringList names;
    for (const ErrorSummary &family : families) {
        if (names.size() < 3)
            names << u"%1 (%2)"_s.arg(toQString(family.name), absoluteErrorText(family.median));
    }
    const QString last = names.isEmpty() ? QString() : names.takeLast();
    return names.isEmpty() ? last : u"%1 and %2"_s.arg(names.join(u", "_s), last);
}

/// Of which kinds of run nothing, or nothing of others, is measured; begins with a blank.
QString coverageText(const Validation &validation)
{
    const Coverage coverage = coverageOf(validation);
    const auto listed = [](const std::vector<std::string> &names) {
        QStringList list;
        for (const std::string &name : names)
            list << toQString(name);
        return list.join(u", "_s);
    };
    QString text;
    if (!coverage.never.empty())
        text += u" Nothing is measured of %1."_s.arg(listed(coverage.never));
    if (!coverage.onlyRecorded.empty())
        text += u" Recorded by this project alone: %1."_s.arg(listed(coverage.onlyRecorded));
    return text;
}

} // namespace

QString factLine(const QString &name, const QString &text)
{
    return text.isEmpty() ? QString()
                          : u"<tr><td style=\"white-space:nowrap\">%1&nbsp;&nbsp;&nbsp;</td>"
                            "<td>%2</td></tr>"_s.arg(name, text.toHtmlEscaped());
}

QString absoluteErrorText(double percent)
{
    return toQString(formatErrorSize(percent));
}

QString errorText(double percent)
{
    return numberText(formatError(percent));
}

QString valueText(const MeasuredRow &row, double value, ByteUnit unit)
{
    return isBytes(row.figure) ? bytesText(std::llround(value), unit)
                               : toQString(formatCount(std::llround(value)));
}

namespace {

/// With all its bytes.
QString exactValueText(const MeasuredRow &row, double value, ByteUnit unit)
{
    return isBytes(row.figure) ? exactBytesText(std::llround(value), unit)
                               : u"%1, a count"_s.arg(valueText(row, value, unit));
}

} // namespace

QString rowToolTip(const ComparedFigure &compared, ByteUnit unit)
{
    const MeasuredRow &row = compared.row;
    QString error = errorText(compared.errorPercent);
    if (compared.band)
        error +=
            u", %1 the stated band of ± %2 %"_s.arg(compared.inside() ? u"inside"_s : u"outside"_s)
                .arg(compared.band->halfWidthPercent(), 0, 'f', 1);
    const QString quality = row.quality == "A"   ? u"A: the whole configuration is known"_s
                            : row.quality == "B" ? u"B: one setting is not stated"_s
                                                 : u"C: what decides the figure is not stated"_s;
    return u"<b>%1</b><table>%2</table>"_s.arg(
        toQString(row.id).toHtmlEscaped(),
        factLine(u"figure"_s, toQString(row.figure)) +
            factLine(u"measured"_s, exactValueText(row, row.value, unit)) +
            factLine(u"predicted"_s, exactValueText(row, compared.predicted, unit)) +
            factLine(u"error"_s, error) +
            factLine(u"error at first sight"_s,
                     firstSightError(row) ? errorText(*firstSightError(row)) : QString()) +
            factLine(u"family"_s, toQString(row.family)) + factLine(u"quality"_s, quality) +
            factLine(u"covered"_s, row.covered ? u"yes"_s : u"no"_s) +
            factLine(u"kind of run"_s, toQString(compared.run)) +
            factLine(u"setup"_s, toQString(row.setup)) +
            factLine(u"source"_s, toQString(row.source)) +
            factLine(u"note"_s, toQString(row.note)));
}

QString rowSentence(const ComparedFigure &compared, ByteUnit unit)
{
    const MeasuredRow &row = compared.row;
    return u"%1: %2 was measured as %3, predicted as %4 (%5)"_s.arg(
        toQString(row.id), toQString(row.figure), valueText(row, row.value, unit),
        valueText(row, compared.predicted, unit), errorText(compared.errorPercent));
}

QString headlineText(const Validation &validation)
{
    std::vector<MeasuredRow> rows;
    rows.reserve(validation.rows.size());
    for (const ComparedFigure &compared : validation.rows)
        rows.push_back(compared.row);
    const QString text = toQString(firstSightText(rows));
    return unbroken(text.endsWith(u'.') ? text.chopped(1) : text);
}

QString explanationText(const Validation &validation)
{
    const ErrorSummary recorded = errorSummary(
        "recorded", validation.rows, [](const ComparedFigure &row) { return isRecorded(row.row); });
    const ErrorSummary today =
        errorSummary("today", validation.rows,
                     [](const ComparedFigure &row) { return row.row.firstSight.has_value(); });
    const ErrorSummary fitted =
        errorSummary("fitted", validation.rows, [](const ComparedFigure &row) {
            return !isRecorded(row.row) && !row.row.firstSight;
        });
    const ErrorSummary onGpu =
        errorSummary("on a GPU", validation.rows, [](const ComparedFigure &row) {
            return isRecordedOnGpu(row.row) && row.row.covered;
        });
    const ErrorSummary covered = selectionSummaries(validation.rows).at(1);
    const BandSummary band = bandSummary(validation.rows);
    const auto count = [](auto number) { return countText(static_cast<std::int64_t>(number)); };
    return u"Today, with formulas adjusted to some of them: %12.\n%1 more were published by "
           u"others, "
           "and formulas were fitted to them: %2. %3 were recorded by this project, and some "
           "formulas "
           "come from them: %4; allocated memory on a GPU: %5. %6 are within the model's scope, "
           "95 % of these within %7. The stated range of reserved and device memory contains %8 of "
           "%9. Largest median errors: %10. Quality A: the whole configuration of the run is "
           "known; B: one setting is not stated and was assumed; C: what decides the figure is not "
           "stated, so no formula is corrected by it. Covered: within the model's scope, which "
           "means within 3 %.%11"_s
               .arg(count(fitted.count), withinText(fitted), count(recorded.count),
                    withinText(recorded), withinText(onGpu), count(covered.count),
                    absoluteErrorText(covered.percentile95), count(band.inside), count(band.count))
               .arg(weakestText(validation), coverageText(validation), withinText(today));
}

QString shownText(std::span<const ComparedFigure> shown, std::size_t all)
{
    const ErrorSummary summary =
        errorSummary("shown", shown, [](const ComparedFigure &) { return true; });
    const QString count = u"%1 of %2"_s.arg(countText(static_cast<std::int64_t>(shown.size())),
                                            countedText(static_cast<std::int64_t>(all), "row"));
    return shown.empty() ? count : u"%1: %2"_s.arg(count, withinText(summary));
}

} // namespace vramscope
