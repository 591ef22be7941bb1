// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured.h"

#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/plan/plan_json.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/settings.h"
#include "core/validation/table_cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace vramscope {

namespace {

constexpr std::size_t kLongestTable = std::size_t(1) << 24;

constexpr std::array<std::string_view, 7> kNeeded = {"id",      "setup",  "figure", "value",
                                                     "quality", "family", "covered"};

Result<double> numberAbove0(const Cells &cell, std::string_view column, std::int64_t line)
{
    const std::string text = cell[column];
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
        value <= 0)
        return csvError(line, std::string(column) + " is \"" + text + "\", not a number above 0");
    return value;
}

/// A row has a first sight if it names the version of the program.
Result<std::optional<FirstSight>> firstSightOf(const Cells &cell, std::int64_t line)
{
    FirstSight seen{{}, {}, cell["first_sight_version"]};
    if (seen.version.empty()) {
        for (const char *column : {"first_sight", "first_sight_low", "first_sight_high"})
            if (!cell[column].empty())
                return csvError(line,
                                std::string(column) + " is stated without first_sight_version");
        return std::optional<FirstSight>();
    }
    if (!cell["first_sight"].empty()) {
        const Result<double> predicted = numberAbove0(cell, "first_sight", line);
        if (!predicted)
            return predicted.error();
        seen.predicted = *predicted;
    }
    if (!cell["first_sight_low"].empty() || !cell["first_sight_high"].empty()) {
        const Result<double> low = numberAbove0(cell, "first_sight_low", line);
        const Result<double> high = numberAbove0(cell, "first_sight_high", line);
        if (!low || !high)
            return low ? high.error() : low.error();
        constexpr double kMost = 4.6e18; // of 64 bits
        if (*low > *high || *high > kMost)
            return csvError(line, "first_sight_low to first_sight_high is no range of bytes");
        seen.band = Band{std::llround(*low), std::llround(*high)};
    }
    return std::optional(std::move(seen));
}

Result<MeasuredRow> measuredRow(const CsvTable &table, const CsvRow &row)
{
    const Cells cell(table, row);
    const Result<double> value = numberAbove0(cell, "value", row.line);
    if (!value)
        return value.error();
    Result<std::optional<FirstSight>> firstSight = firstSightOf(cell, row.line);
    if (!firstSight)
        return firstSight.error();
    const std::string covered = cell["covered"];
    if (covered != "0" && covered != "1")
        return csvError(row.line, "covered is \"" + covered + "\", not 0 or 1");
    return MeasuredRow{cell["id"],      cell["setup"],       cell["figure"], *value,
                       cell["quality"], cell["family"],      covered == "1", cell["source"],
                       cell["note"],    cell["held"] == "1", cell["at"],     std::move(*firstSight),
                       cell["year"]};
}

/// The planner's answer for a setup.
struct Run
{
    Result<Estimate> predicted;
    std::string kind;
};

/// The plan of a measured run of vLLM: for the release that it states, else for the one in its name
/// ("Llama-3.1-8B, vLLM 0.6.4, RTX 3090"). Measured runs did not use the newest.
Plan ofItsRelease(Plan plan)
{
    constexpr std::string_view kEngine = "vLLM ";
    const std::string_view name = plan.name ? std::string_view(*plan.name) : std::string_view();
    const std::size_t at = name.find(kEngine);
    if (plan.inference.engine != Engine::Vllm || plan.inference.engineVersion || at == name.npos)
        return plan;
    const std::string_view rest = name.substr(at + kEngine.size());
    const std::string release(rest.substr(0, rest.find_first_of(" ,")));
    if (engineVersion(release))
        plan.inference.engineVersion = release;
    return plan;
}

Run runOf(const Result<Plan> &stated)
{
    if (!stated)
        return {stated.error(), {}};
    const Plan plan = ofItsRelease(*stated);
    return {estimate(plan), runKind(plan)};
}

Result<ComparedFigure> compare(const MeasuredRow &row, const Run &run)
{
    if (!run.predicted)
        return Error{run.predicted.error().code, row.setup + ": " + run.predicted.error().text()};
    const Result<double> figure = figureOf(*run.predicted, row.figure);
    if (!figure)
        return Error{figure.error().code, row.setup + ": " + figure.error().text()};
    const bool peak = row.figure == "peak.allocated";
    return ComparedFigure{
        row,
        *figure,
        (*figure - row.value) / row.value * 100,
        bandOf(*run.predicted, row.figure),
        run.kind,
        run.predicted->bandClass,
        std::string(peak ? phaseName(recordedAs(run.predicted->peakPhase)) : std::string_view())};
}

} // namespace

std::string runKind(const Plan &plan)
{
    const Settings settings = resolve(plan).settings;
    std::string kind(choiceText(settings.workload));
    if (settings.workload == Workload::Inference)
        return kind + ", " + std::string(choiceText(settings.engine));
    if (settings.strategy != Strategy::None)
        kind += ", " + std::string(choiceText(settings.strategy));
    if (settings.adapters.kind != AdapterKind::None)
        kind += ", " + std::string(choiceText(settings.adapters.kind));
    return kind;
}

ErrorSummary errorSummary(std::string name, std::span<const double> errors)
{
    std::vector<double> sizes;
    sizes.reserve(errors.size());
    double sum = 0;
    for (const double error : errors) {
        sizes.push_back(std::abs(error));
        sum += error;
    }
    const double count = static_cast<double>(sizes.size());
    return {std::move(name),         sizes.size(),
            median(sizes),           nearestRank(sizes, 95),
            nearestRank(sizes, 100), sizes.empty() ? 0 : sum / count};
}

ErrorSummary errorSummary(std::string name, std::span<const ComparedFigure> rows,
                          const std::function<bool(const ComparedFigure &)> &selects)
{
    std::vector<double> errors;
    for (const ComparedFigure &row : rows)
        if (selects(row))
            errors.push_back(row.errorPercent);
    return errorSummary(std::move(name), errors);
}

Result<std::vector<MeasuredRow>> parseMeasured(std::string_view csv)
{
    const Result<CsvTable> table = parseCsv(csv);
    if (!table)
        return table.error();
    for (const std::string_view name : kNeeded)
        if (const auto place = table->column(name); !place)
            return place.error();
    std::vector<MeasuredRow> rows;
    for (const CsvRow &line : table->rows) {
        Result<MeasuredRow> row = measuredRow(*table, line);
        if (!row)
            return row.error();
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<std::vector<MeasuredRow>> readMeasured(const std::filesystem::path &file)
{
    const Result<std::string> text = readTextFile(file, kLongestTable);
    if (!text)
        return text.error();
    if (text->size() > kLongestTable)
        return Error{ErrorCode::Malformed, "The file is longer than 16 MiB; measured figures "
                                           "take a few kilobytes. Check the path."};
    return parseMeasured(*text);
}

SetupReader setupsIn(const std::filesystem::path &folder)
{
    return [folder](const std::string &setup) { return readPlan(folder / pathOf(setup)); };
}

Validation validate(std::span<const MeasuredRow> rows, const SetupReader &setups)
{
    Validation validation;
    std::map<std::string, Run, std::less<>> runs;
    for (const MeasuredRow &row : rows) {
        auto found = runs.find(row.setup);
        if (found == runs.end())
            found = runs.emplace(row.setup, runOf(setups(row.setup))).first;
        Result<ComparedFigure> comparison = compare(row, found->second);
        if (comparison)
            validation.rows.push_back(std::move(*comparison));
        else
            validation.unusable.push_back({row.id, comparison.error().text()});
    }
    return validation;
}

std::vector<ErrorSummary>
groupSummaries(std::span<const ComparedFigure> rows,
               const std::function<std::string(const ComparedFigure &)> &nameOf)
{
    std::vector<std::string> names; // in the order of their first rows
    std::map<std::string, std::vector<ComparedFigure>> groups;
    for (const ComparedFigure &row : rows) {
        std::string name = nameOf(row);
        std::vector<ComparedFigure> &group = groups[name];
        if (group.empty())
            names.push_back(std::move(name));
        group.push_back(row);
    }
    std::vector<ErrorSummary> summaries;
    summaries.reserve(names.size());
    for (const std::string &name : names)
        summaries.push_back(
            errorSummary(name, groups[name], [](const ComparedFigure &) { return true; }));
    return summaries;
}

std::vector<ErrorSummary> familySummaries(std::span<const ComparedFigure> rows)
{
    return groupSummaries(rows, [](const ComparedFigure &row) { return row.row.family; });
}

std::vector<ErrorSummary> selectionSummaries(std::span<const ComparedFigure> rows)
{
    using Row = const ComparedFigure &;
    std::vector<ErrorSummary> summaries = {
        errorSummary("all", rows, [](Row) { return true; }),
        errorSummary("covered", rows, [](Row row) { return row.row.covered; }),
        errorSummary("quality A", rows, [](Row row) { return row.row.quality == "A"; }),
        errorSummary("quality B", rows, [](Row row) { return row.row.quality == "B"; }),
        errorSummary("quality C", rows, [](Row row) { return row.row.quality == "C"; })};
    if (std::ranges::any_of(rows, [](Row row) { return row.row.held; }))
        summaries.push_back(errorSummary("held back", rows, [](Row row) { return row.row.held; }));
    return summaries;
}

void BandSummary::add(const Band &band, double measured)
{
    ++count;
    inside += band.holds(measured) ? 1U : 0U;
    widestHalfWidthPercent = std::max(widestHalfWidthPercent, band.halfWidthPercent());
    halfWidthsPercent.push_back(band.halfWidthPercent());
}

double BandSummary::medianHalfWidthPercent() const
{
    return median(halfWidthsPercent);
}

BandSummary bandSummary(std::span<const ComparedFigure> rows)
{
    BandSummary result;
    for (const ComparedFigure &row : rows)
        if (row.band)
            result.add(*row.band, row.row.value);
    return result;
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double nearestRank(std::vector<double> values, std::size_t percent)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t rank = (percent * values.size() + 99) / 100; // from 1
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

} // namespace vramscope
