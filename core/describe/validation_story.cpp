// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/validation_story.h"

#include "core/base/counted.h"
#include "core/table/table.h"
#include "core/validation/coverage.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vramscope {

namespace {

/// Its sign is no hyphen.
std::string signedError(double percent)
{
    std::string text = formatError(percent);
    if (text.starts_with('-'))
        text.replace(0, 1, "−");
    return text;
}

std::string withinErrors(const ErrorSummary &summary)
{
    return "median error " + formatErrorSize(summary.median) + ", 95 % within " +
           formatErrorSize(summary.percentile95);
}

/// The families whose middle error is largest, "a (7.7 %), b (6.8 %) and c (5.3 %)".
std::string weakestFamilies(const Validation &validation)
{
    constexpr std::size_t kNamed = 3;
    std::vector<ErrorSummary> families = familySummaries(validation.rows);
    std::ranges::stable_sort(families, std::ranges::greater(), &ErrorSummary::median);
    families.resize(std::min(families.size(), kNamed));
    std::string text;
    for (std::size_t at = 0; at < families.size(); ++at)
        text += (at == 0                     ? ""
                 : at + 1 == families.size() ? " and "
                                             : ", ") +
                families[at].name + " (" + formatErrorSize(families[at].median) + ")";
    return text;
}

std::string listedRuns(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// The kinds of run without a measured figure, or without one of others; begins with a blank.
std::string uncoveredRuns(const Validation &validation)
{
    const Coverage coverage = coverageOf(validation);
    std::string text;
    if (!coverage.never.empty())
        text += " Nothing is measured of " + listedRuns(coverage.never) + ".";
    if (!coverage.onlyRecorded.empty())
        text += " Recorded by this project alone: " + listedRuns(coverage.onlyRecorded) + ".";
    return text;
}

/// With all its bytes.
std::string exactMeasuredText(const MeasuredRow &row, double value, ByteUnit unit)
{
    return isBytes(row.figure) ? formatExactBytes(std::llround(value), unit)
                               : measuredText(row, value, unit) + ", a count";
}

std::string qualityText(const MeasuredRow &row)
{
    return row.quality == "A"   ? "A: the whole configuration is known"
           : row.quality == "B" ? "B: one setting is not stated"
                                : "C: what decides the figure is not stated";
}

std::string errorWithBand(const ComparedFigure &compared)
{
    return signedError(compared.errorPercent) +
           (compared.band ? std::string(compared.inside() ? ", inside" : ", outside") +
                                " the stated band of ± " +
                                formatDecimals(compared.band->halfWidthPercent(), 1) + " %"
                          : "");
}

} // namespace

std::string measuredText(const MeasuredRow &row, double value, ByteUnit unit)
{
    return isBytes(row.figure) ? formatBytes(std::llround(value), unit)
                               : formatCount(std::llround(value));
}

std::vector<std::pair<std::string, std::string>> measuredFacts(const ComparedFigure &compared,
                                                               ByteUnit unit)
{
    const MeasuredRow &row = compared.row;
    const std::optional<double> first = firstSightError(row);
    return {{"figure", row.figure},
            {"measured", exactMeasuredText(row, row.value, unit)},
            {"predicted", exactMeasuredText(row, compared.predicted, unit)},
            {"error", errorWithBand(compared)},
            {"error at first sight", first ? signedError(*first) : std::string()},
            {"family", row.family},
            {"quality", qualityText(row)},
            {"covered", row.covered ? "yes" : "no"},
            {"kind of run", compared.run},
            {"setup", row.setup},
            {"source", row.source},
            {"note", row.note}};
}

std::string measuredSentence(const ComparedFigure &compared, ByteUnit unit)
{
    const MeasuredRow &row = compared.row;
    return row.id + ": " + row.figure + " was measured as " + measuredText(row, row.value, unit) +
           ", predicted as " + measuredText(row, compared.predicted, unit) + " (" +
           signedError(compared.errorPercent) + ")";
}

std::string validationAnswer(const Validation &validation)
{
    std::vector<MeasuredRow> rows;
    rows.reserve(validation.rows.size());
    for (const ComparedFigure &compared : validation.rows)
        rows.push_back(compared.row);
    std::string text = firstSightText(rows);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string validationExplanation(const Validation &validation)
{
    const auto errorsOf = [&](const std::function<bool(const ComparedFigure &)> &selects) {
        return errorSummary({}, validation.rows, selects);
    };
    const ErrorSummary recorded =
        errorsOf([](const ComparedFigure &row) { return isRecorded(row.row); });
    const ErrorSummary today =
        errorsOf([](const ComparedFigure &row) { return row.row.firstSight.has_value(); });
    const ErrorSummary fitted = errorsOf(
        [](const ComparedFigure &row) { return !isRecorded(row.row) && !row.row.firstSight; });
    const ErrorSummary onGpu = errorsOf(
        [](const ComparedFigure &row) { return isRecordedOnGpu(row.row) && row.row.covered; });
    const ErrorSummary covered = selectionSummaries(validation.rows).at(1);
    const BandSummary band = bandSummary(validation.rows);
    const auto count = [](auto number) { return formatCount(static_cast<std::int64_t>(number)); };
    return "Today, with formulas adjusted to some of them: " + withinErrors(today) + ".\n" +
           count(fitted.count) +
           " more were published by others, and formulas were fitted to them: " +
           withinErrors(fitted) + ". " + count(recorded.count) +
           " were recorded by this project, and some formulas come from them: " +
           withinErrors(recorded) + "; allocated memory on a GPU: " + withinErrors(onGpu) + ". " +
           count(covered.count) + " are within the model's scope, 95 % of these within " +
           formatErrorSize(covered.percentile95) +
           ". The stated range of reserved and device memory contains " + count(band.inside) +
           " of " + count(band.count) + ". Largest median errors: " + weakestFamilies(validation) +
           ". Quality A: the whole configuration of the run is known; B: one setting is not stated "
           "and was assumed; C: what decides the figure is not stated, so no formula is corrected "
           "by it. Covered: within the model's scope, which means within 3 %." +
           uncoveredRuns(validation);
}

std::string shownErrors(std::span<const ComparedFigure> shown, std::size_t all)
{
    std::string count =
        formatCount(std::ssize(shown)) + " of " + counted(static_cast<std::int64_t>(all), "row");
    if (shown.empty())
        return count;
    return count + ": " +
           withinErrors(errorSummary({}, shown, [](const ComparedFigure &) { return true; }));
}

} // namespace vramscope
