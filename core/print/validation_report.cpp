// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/validation_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/throughput_report.h"
#include "core/table/text_table.h"
#include "core/validation/band_widths.h"
#include "core/validation/coverage.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"

#include <cmath>

namespace vramscope {

namespace {

// A whole number as such, so that bytes are exact.
Json figureJson(double value)
{
    return value == std::floor(value) ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json firstSightJson(const MeasuredRow &row)
{
    if (!row.firstSight)
        return nullptr;
    const FirstSight &seen = *row.firstSight;
    const std::optional<double> error = firstSightError(row);
    return {{"predicted", seen.predicted ? figureJson(*seen.predicted) : Json()},
            {"low", seen.band ? Json(seen.band->low) : Json()},
            {"high", seen.band ? Json(seen.band->high) : Json()},
            {"error_percent", error ? Json(*error) : Json()},
            {"version", seen.version}};
}

Json figureRowJson(const ComparedFigure &comparison)
{
    const MeasuredRow &row = comparison.row;
    return {{"id", row.id},
            {"figure", row.figure},
            {"family", row.family},
            {"quality", row.quality},
            {"covered", row.covered},
            {"predicted", figureJson(comparison.predicted)},
            {"measured", figureJson(row.value)},
            {"error_percent", comparison.errorPercent},
            {"inside", comparison.band ? Json(comparison.inside()) : Json()},
            {"half_width_percent",
             comparison.band ? Json(comparison.band->halfWidthPercent()) : Json()},
            {"first_sight", firstSightJson(row)},
            {"run", comparison.run},
            {"setup", row.setup},
            {"source", row.source},
            {"note", row.note}};
}

Json errorSummaryJson(const ErrorSummary &summary)
{
    return {{"name", summary.name},
            {"count", summary.count},
            {"median_percent", summary.median},
            {"p95_percent", summary.percentile95},
            {"worst_percent", summary.worst},
            {"mean_percent", summary.mean}};
}

Json firstSightSummaryJson(const FirstSightSummary &summary)
{
    return {{"name", summary.name},
            {"refused", summary.refused},
            {"then", errorSummaryJson(summary.then)},
            {"band", {{"count", summary.band.count}, {"inside", summary.band.inside}}},
            {"today", errorSummaryJson(summary.today)}};
}

std::string decimals(double value, int count, const char *sign = "")
{
    return (*sign != '\0' && !std::signbit(value) ? sign : "") + formatDecimals(value, count);
}

std::string figureText(double value)
{
    return value == std::floor(value) ? formatCount(static_cast<std::int64_t>(value))
                                      : formatNumber(value, 6);
}

std::string rowsText(const std::vector<ComparedFigure> &rows)
{
    TextTable table(
        {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"id", "figure", "predicted", "measured", "error", "stated band"});
    for (const ComparedFigure &comparison : rows) {
        std::string band;
        if (comparison.band)
            band = std::string(comparison.inside() ? "inside" : "OUTSIDE") + ", ± " +
                   decimals(comparison.band->halfWidthPercent(), 1) + " %";
        table.addRow({comparison.row.id, comparison.row.figure, figureText(comparison.predicted),
                      figureText(comparison.row.value),
                      decimals(comparison.errorPercent, 3, "+") + " %", band});
    }
    return table.text();
}

std::string summariesText(const Validation &validation)
{
    TextTable table(
        {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"absolute error in %", "rows", "median", "95th", "worst", "mean, signed"});
    const auto add = [&](const std::vector<ErrorSummary> &summaries) {
        for (const ErrorSummary &summary : summaries) {
            if (summary.count == 0)
                table.addRow({summary.name, "0", "", "", "", ""});
            else
                table.addRow({summary.name, std::to_string(summary.count),
                              decimals(summary.median, 3), decimals(summary.percentile95, 2),
                              decimals(summary.worst, 2), decimals(summary.mean, 2, "+")});
        }
    };
    add(familySummaries(validation.rows));
    add(selectionSummaries(validation.rows));
    return table.text();
}

/// How many figures are inside the stated band, with its median half width: as it was stated at
/// first sight, with today's width around the figure of first sight, and today.
std::string coverageTable(const Validation &validation)
{
    const std::vector<BandCoverage> coverage = bandCoverage(validation.rows);
    if (coverage.front().today.count == 0)
        return "No figure of the reserved or the device level.\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right});
    table.addRow({"reserved and device, in the band", "at first sight", "± %", "today's width",
                  "± %", "today", "± %"});
    for (const BandCoverage &it : coverage) {
        std::vector<std::string> cells = {it.name};
        for (const BandSummary &band : {it.statedThen, it.aroundFirst, it.today}) {
            cells.push_back(band.count > 0
                                ? std::to_string(band.inside) + " of " + std::to_string(band.count)
                                : std::string());
            cells.push_back(band.count > 0 ? decimals(band.medianHalfWidthPercent(), 1)
                                           : std::string());
        }
        table.addRow(std::move(cells));
    }
    return table.text() +
           paragraph("Half widths are medians. A third of the rows is kept back: no width was "
                     "chosen by them.");
}

Json bandSummaryJson(const BandSummary &band)
{
    return {{"count", band.count},
            {"inside", band.inside},
            {"share_percent", band.sharePercent()},
            {"median_half_width_percent", band.medianHalfWidthPercent()},
            {"widest_half_width_percent", band.widestHalfWidthPercent}};
}

Json bandCoverageJson(const BandCoverage &it)
{
    return {{"name", it.name},
            {"stated_then", bandSummaryJson(it.statedThen)},
            {"around_first", bandSummaryJson(it.aroundFirst)},
            {"today", bandSummaryJson(it.today)}};
}

/// The errors at first sight of each source, and those of today.
std::string firstSightTable(const Validation &validation)
{
    const std::vector<FirstSightSummary> summaries = firstSightSummaries(validation.rows);
    if (summaries.empty())
        return {};
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right});
    table.addRow({"first sight, error in %", "rows", "median", "95th", "worst", "in the band",
                  "today, median", "95th"});
    for (const FirstSightSummary &summary : summaries) {
        const std::string band =
            summary.band.count > 0
                ? std::to_string(summary.band.inside) + " of " + std::to_string(summary.band.count)
                : std::string();
        table.addRow({summary.name, std::to_string(summary.then.count + summary.refused),
                      decimals(summary.then.median, 3), decimals(summary.then.percentile95, 2),
                      decimals(summary.then.worst, 2), band, decimals(summary.today.median, 3),
                      decimals(summary.today.percentile95, 2)});
    }
    return '\n' + table.text();
}

std::string withinText(const ErrorSummary &summary)
{
    const auto percent = [](double error) { return decimals(error, error < 1 ? 2 : 1) + " %"; };
    return "half are predicted within " + percent(summary.median) + " and 95 % within " +
           percent(summary.percentile95);
}

/// By others, and known when formulas were made.
bool isFitted(const MeasuredRow &row)
{
    return !isRecorded(row) && !row.firstSight;
}

ErrorSummary summaryOf(const Validation &validation,
                       const std::function<bool(const MeasuredRow &)> &selects)
{
    return errorSummary({}, validation.rows,
                        [&selects](const ComparedFigure &row) { return selects(row.row); });
}

std::string countText(const ErrorSummary &summary)
{
    return counted(static_cast<std::int64_t>(summary.count), "figure");
}

std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t at = 0; at < names.size(); ++at)
        text += (at == 0 ? "" : at + 1 == names.size() ? " and " : ", ") + names[at];
    return text;
}

} // namespace

std::string accuracyText(const Validation &validation)
{
    if (validation.rows.empty())
        return {};
    std::vector<MeasuredRow> rows;
    rows.reserve(validation.rows.size());
    for (const ComparedFigure &compared : validation.rows)
        rows.push_back(compared.row);
    std::string text = firstSightText(rows);
    if (!text.empty())
        text +=
            " Today, with formulas adjusted to some of them, " +
            withinText(summaryOf(
                validation, [](const MeasuredRow &row) { return row.firstSight.has_value(); })) +
            ".";
    const auto add = [&text](const std::string &sentence) {
        text += (text.empty() ? "" : " ") + sentence;
    };
    const ErrorSummary fitted = summaryOf(validation, isFitted);
    const ErrorSummary explained = summaryOf(
        validation, [](const MeasuredRow &row) { return isFitted(row) && row.quality != "C"; });
    if (fitted.count > 0)
        add("Of " + countText(fitted) +
            " that others published and that formulas were fitted to, " + withinText(fitted) +
            "; the worst is off by " + decimals(fitted.worst, 0) + " %.");
    if (explained.count > 0 && explained.count < fitted.count)
        add("Without the " +
            formatCount(static_cast<std::int64_t>(fitted.count - explained.count)) +
            " of them whose deciding settings nobody stated: " + withinText(explained) + ".");
    const ErrorSummary onGpu = summaryOf(
        validation, [](const MeasuredRow &row) { return isRecordedOnGpu(row) && row.covered; });
    const ErrorSummary recorded = summaryOf(validation, [](const MeasuredRow &row) {
        return isRecorded(row) && !isRecordedOnGpu(row);
    });
    if (onGpu.count > 0)
        add("Of " + countText(onGpu) +
            " of allocated memory that this project recorded on a GPU, " + withinText(onGpu) +
            "; the worst is off by " + decimals(onGpu.worst, 1) + " %.");
    if (recorded.count > 0)
        add("Of " + countText(recorded) +
            " that it recorded without one, on fake tensors and of small models on a CPU, " +
            withinText(recorded) + ".");
    const Coverage coverage = coverageOf(validation);
    if (!coverage.never.empty())
        add("Nothing is measured of " + listed(coverage.never) + ".");
    if (!coverage.onlyRecorded.empty())
        add("Of " + listed(coverage.onlyRecorded) + " there are such recordings alone.");
    return text;
}

std::string validationJson(const Validation &validation, const std::string &file,
                           const SpeedValidation *speeds)
{
    Json json = {
        {"file", file},
        {"rows", listJson(validation.rows, figureRowJson)},
        {"families", listJson(familySummaries(validation.rows), errorSummaryJson)},
        {"selections", listJson(selectionSummaries(validation.rows), errorSummaryJson)},
        {"first_sight", listJson(firstSightSummaries(validation.rows), firstSightSummaryJson)},
        {"band", bandSummaryJson(bandSummary(validation.rows))},
        {"band_coverage", listJson(bandCoverage(validation.rows), bandCoverageJson)},
        {"unusable", listJson(validation.unusable, [](const UnusableRow &row) -> Json {
             return {{"id", row.id}, {"reason", row.reason}};
         })}};
    if (speeds)
        json["throughput"] = throughputJson(*speeds);
    return jsonText(json);
}

std::string validationText(const Validation &validation, const std::string &file)
{
    return printable(file) + '\n' + rowsText(validation.rows) + '\n' + summariesText(validation) +
           firstSightTable(validation) + '\n' + coverageTable(validation) + '\n' +
           paragraph(accuracyText(validation));
}

} // namespace vramscope
