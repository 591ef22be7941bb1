// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/first_sight.h"

#include "core/base/format.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

FirstSightSummary summaryOf(std::string name, std::span<const ComparedFigure> rows,
                            const std::function<bool(const ComparedFigure &)> &selects)
{
    FirstSightSummary summary;
    std::vector<double> errors;
    for (const ComparedFigure &compared : rows) {
        const MeasuredRow &row = compared.row;
        if (!row.firstSight || !selects(compared))
            continue;
        if (const std::optional<double> error = firstSightError(row))
            errors.push_back(*error);
        else
            ++summary.refused;
        if (row.firstSight->band)
            summary.band.add(*row.firstSight->band, row.value);
    }
    summary.then = errorSummary(name, errors);
    summary.today = errorSummary(name, rows, [&selects](const ComparedFigure &row) {
        return row.row.firstSight && selects(row);
    });
    summary.name = std::move(name);
    return summary;
}

std::string percentText(double error)
{
    return formatDecimals(error, error < 1 ? 2 : 1) + " %";
}

} // namespace

std::optional<double> firstSightError(const MeasuredRow &row)
{
    if (!row.firstSight || !row.firstSight->predicted)
        return std::nullopt;
    return (*row.firstSight->predicted - row.value) / row.value * 100;
}

std::vector<FirstSightSummary> firstSightSummaries(std::span<const ComparedFigure> rows)
{
    std::vector<std::string> families;
    std::set<std::string> years;
    for (const ComparedFigure &row : rows) {
        if (!row.row.firstSight)
            continue;
        if (std::ranges::find(families, row.row.family) == families.end())
            families.push_back(row.row.family);
        if (!row.row.year.empty())
            years.insert(row.row.year);
    }
    std::vector<FirstSightSummary> summaries;
    if (families.empty())
        return summaries;
    summaries.reserve(families.size() + years.size() + 1);
    summaries.push_back(summaryOf("all", rows, [](const ComparedFigure &) { return true; }));
    for (const std::string &year : years)
        summaries.push_back(summaryOf(
            year, rows, [&year](const ComparedFigure &row) { return row.row.year == year; }));
    for (const std::string &family : families)
        summaries.push_back(summaryOf(family, rows, [&family](const ComparedFigure &row) {
            return row.row.family == family;
        }));
    return summaries;
}

std::string firstSightText(std::span<const MeasuredRow> rows)
{
    std::vector<double> errors;
    for (const MeasuredRow &row : rows)
        if (const std::optional<double> error = firstSightError(row))
            errors.push_back(*error);
    const ErrorSummary summary = errorSummary({}, errors);
    return errors.empty()
               ? std::string()
               : "At first sight of " + formatCount(static_cast<std::int64_t>(summary.count)) +
                     " public figures, half were predicted within " + percentText(summary.median) +
                     " and 95 % within " + percentText(summary.percentile95) + '.';
}

} // namespace vramscope
