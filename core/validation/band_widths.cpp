// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/band_widths.h"

#include "core/base/format.h"
#include "core/base/text_hash.h"
#include "core/estimate/formulas/measured_bands.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace vramscope {

namespace {

constexpr double kInside = 0.95;

struct Width
{
    double below = 0;
    double above = 0;
    [[nodiscard]] double both() const { return below + above; }
};

/// The narrowest around 0 that contains 95 of 100; nothing where no error would be outside.
std::optional<Width> widthOf(std::vector<double> errors)
{
    std::ranges::sort(errors);
    const std::size_t count = errors.size();
    const auto inside =
        static_cast<std::size_t>(std::ceil(kInside * static_cast<double>(count + 1)));
    std::optional<Width> narrowest;
    for (std::size_t first = 0; inside < count && first + inside <= count; ++first) {
        const Width width{std::max(-errors[first], 0.0), std::max(errors[first + inside - 1], 0.0)};
        if (!narrowest || width.both() < narrowest->both())
            narrowest = width;
    }
    return narrowest;
}

/// Widened until it contains all of the errors.
Width widened(const Width &width, const std::vector<double> &errors)
{
    const auto [least, most] = std::ranges::minmax(errors);
    return {std::max(-least, width.below), std::max(most, width.above)};
}

/// Whether more errors are outside than chance explains if one in twenty is: the tail of the
/// binomial distribution is below 1 in 100.
bool isUnlike(const Width &width, const std::vector<double> &errors)
{
    constexpr double kByChance = 0.01;
    const auto outside = std::ranges::count_if(
        errors, [&](double error) { return error < -width.below || error > width.above; });
    const auto count = static_cast<double>(errors.size());
    double fewer = 0;                          // probability
    double exactly = std::pow(kInside, count); // of none outside
    for (std::ptrdiff_t i = 0; i < outside; ++i) {
        fewer += exactly;
        const auto at = static_cast<double>(i);
        exactly *= (count - at) / (at + 1) * (1 - kInside) / kInside;
    }
    return 1 - fewer < kByChance;
}

std::string parentOf(const std::string &name)
{
    const std::size_t last = name.rfind(", ");
    return last == name.npos ? std::string() : name.substr(0, last);
}

/// (measured − predicted) / predicted at first sight.
std::optional<double> errorAtFirstSight(const MeasuredRow &row)
{
    if (!row.firstSight || !row.firstSight->predicted)
        return std::nullopt;
    return row.value / *row.firstSight->predicted - 1;
}

/// In percent, rounded away from 0 so that no row falls out; a band has a width on each side.
std::string tenthsUp(double part)
{
    constexpr double kTenths = 1000;
    return formatDecimals(std::max(std::ceil(part * kTenths - 1e-6), 1.0) / kTenths * 100, 1);
}

/// The band that today's width makes around the figure of first sight.
std::optional<Band> aroundFirst(const ComparedFigure &it)
{
    const MeasuredBand *const width = measuredBand(it.bandClass);
    if (!width || !it.row.firstSight || !it.row.firstSight->predicted)
        return std::nullopt;
    const double first = *it.row.firstSight->predicted;
    return Band{std::llround(first * (1 - width->below)), std::llround(first * (1 + width->above))};
}

BandCoverage bandCoverageOf(std::string name, std::span<const ComparedFigure> rows,
                            const std::function<bool(const MeasuredRow &)> &selects)
{
    BandCoverage coverage;
    coverage.name = std::move(name);
    for (const ComparedFigure &it : rows) {
        if (!it.band || !selects(it.row))
            continue;
        coverage.today.add(*it.band, it.row.value);
        if (it.row.firstSight && it.row.firstSight->band)
            coverage.statedThen.add(*it.row.firstSight->band, it.row.value);
        if (const std::optional<Band> band = aroundFirst(it))
            coverage.aroundFirst.add(*band, it.row.value);
    }
    return coverage;
}

} // namespace

bool isKeptBack(std::string_view id)
{
    return (textHash(id) >> 32) % 3 == 0; // the low bits of this hash are those of the text
}

std::string bandTable(std::span<const ComparedFigure> rows, std::span<const ComparedSpeed> speeds)
{
    std::map<std::string, std::vector<double>> classes;
    const auto add = [&classes](std::string name, double error) {
        for (; !name.empty(); name = parentOf(name))
            classes[name].push_back(error);
    };
    for (const ComparedFigure &it : rows) {
        const std::optional<double> error = errorAtFirstSight(it.row);
        const bool isLevel = it.row.figure == "peak.allocated" || it.band;
        if (error && isLevel && !isKeptBack(it.row.id))
            add(it.bandClass, *error);
    }
    for (const ComparedSpeed &it : speeds)
        if (it.computed() && it.row.missed.empty() && !isKeptBack(it.row.id))
            add(it.speedClass, it.catalogue.likely / it.row.tokensPerGpu - 1); // of the seconds
    std::string table = "class,rows,from,basis,below_percent,above_percent\n";
    for (const auto &[name, errors] : classes) {
        std::string from = name;
        std::optional<Width> width = widthOf(errors);
        while (!width && !parentOf(from).empty()) {
            from = parentOf(from);
            width = widthOf(classes[from]);
        }
        if (width && from != name && isUnlike(*width, errors)) {
            from = name;
            width = widened(*width, errors);
        }
        if (!width)
            continue; // without figures enough, the spreads of its parts make the band
        table.append("\"").append(name).append("\",").append(std::to_string(errors.size()));
        table.append(",\"").append(from).append("\",").append(std::to_string(classes[from].size()));
        table.append(",").append(tenthsUp(width->below));
        table.append(",").append(tenthsUp(width->above)).append("\n");
    }
    return table;
}

std::vector<BandCoverage> bandCoverage(std::span<const ComparedFigure> rows)
{
    const auto isKept = [](const MeasuredRow &row) { return isKeptBack(row.id); };
    const auto isStranger = [](const MeasuredRow &row) { return row.firstSight.has_value(); };
    return {bandCoverageOf("all", rows, [](const MeasuredRow &) { return true; }),
            bandCoverageOf("kept back", rows, isKept),
            bandCoverageOf("first sight", rows, isStranger),
            bandCoverageOf("first sight, kept back", rows,
                           [&](const MeasuredRow &row) { return isStranger(row) && isKept(row); })};
}

} // namespace vramscope
