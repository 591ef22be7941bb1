// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/validation_tables.h"

#include "core/base/counted.h"
#include "core/catalog/gpus.h"
#include "core/validation/first_sight.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;

constexpr const char *kErrorTip = "(predicted − measured) / measured; above 0: too much predicted";

/// A size, or a plain number where the figure is not in bytes.
Cell figureCell(const MeasuredRow &row, double value)
{
    if (isBytes(row.figure))
        return std::llround(value);
    Cell cell(value);
    cell.text = formatCount(std::llround(value));
    return cell;
}

/// An order that its text does not have.
Cell textCell(double order, std::string text)
{
    Cell cell(order);
    cell.text = std::move(text);
    return cell;
}

std::string targetText(const SpeedFamily &family)
{
    return (family.met() ? "within " : "beyond ") + formatNumber(targetPercent(family.kind)) + " %";
}

const SpeedFamily *familyOf(const ComparedSpeed &row, const SpeedValidation &speeds)
{
    const auto family = std::ranges::find(speeds.families, row.row.family, &SpeedFamily::name);
    return family == speeds.families.end() ? nullptr : &*family;
}

double targetOf(const ComparedSpeed &row, const SpeedValidation &speeds)
{
    const SpeedFamily *family = familyOf(row, speeds);
    return family ? targetPercent(family->kind) : 0;
}

template<class Row>
std::vector<const Row *> pointers(const std::vector<Row> &all, const std::vector<std::size_t> &at)
{
    std::vector<const Row *> rows;
    rows.reserve(at.size());
    for (const std::size_t row : at)
        rows.push_back(&all[row]);
    return rows;
}

} // namespace

std::vector<ErrorGroup>
errorGroups(std::span<const ComparedFigure> rows,
            const std::function<std::string(const ComparedFigure &)> &nameOf,
            const std::function<std::optional<double>(const ComparedFigure &)> &errorOf)
{
    std::vector<ErrorGroup> groups(1);
    std::map<std::string, std::size_t> places; // of the groups by name
    for (const ComparedFigure &row : rows) {
        const std::optional<double> error = errorOf(row);
        if (!error)
            continue;
        const auto [place, isNew] = places.try_emplace(nameOf(row), groups.size());
        if (isNew)
            groups.push_back({{.name = place->first}, {}});
        groups.front().errors.push_back(*error);
        groups[place->second].errors.push_back(*error);
    }
    for (ErrorGroup &group : groups)
        group.summary = errorSummary(group.summary.name, group.errors);
    return groups;
}

double stripRange(const std::vector<ErrorGroup> &groups)
{
    constexpr double kMost = 30;
    return groups.empty() ? 0 : std::min(std::ceil(groups.front().summary.worst), kMost);
}

DataTable errorGroupsTable(std::vector<ErrorGroup> groups,
                           const std::pair<std::string, std::string> &what)
{
    const auto of = [](auto ErrorSummary::*figure) {
        return [figure](const ErrorGroup &group) { return group.summary.*figure; };
    };
    const double range = stripRange(groups);
    TableOf<ErrorGroup> table("Errors", std::move(groups));
    table
        .add({"group", what.first, Text, what.second},
             [](const ErrorGroup &group) {
                 return group.summary.name.empty() ? "all rows" : group.summary.name;
             })
        .add({"rows", "Rows", Count, "How many figures there are"}, of(&ErrorSummary::count))
        .add({"median", "Median", ErrorSize,
              "Half of the errors are at most this, whatever their sign"},
             of(&ErrorSummary::median))
        .add({"p95", "95 %", ErrorSize, "95 % of the errors are at most this, by nearest rank"},
             of(&ErrorSummary::percentile95))
        .add({"worst", "Worst", ErrorSize, "The largest error"}, of(&ErrorSummary::worst))
        .add({"bias", "Bias", SignedError,
              "The mean of the signed errors; above 0: too much predicted"},
             of(&ErrorSummary::mean))
        .add({"errors", "Errors, ± " + formatNumber(range) + " %", Text,
              "Each error as a stroke, too little predicted on the left, too much on the right, "
              "larger "
              "ones at the end; the band: ± 3 %"},
             [](const ErrorGroup &group) {
                 return textCell(group.summary.worst, counted(std::ssize(group.errors), "error") +
                                                          " up to " +
                                                          formatErrorSize(group.summary.worst));
             });
    DataTable made = std::move(table).table();
    made.pinned = 1;
    return made;
}

DataTable measuredTable(std::shared_ptr<const Validation> validation,
                        const std::vector<std::size_t> &rows)
{
    using Row = const ComparedFigure *;
    const auto of = [](std::string MeasuredRow::*text) {
        return [text](Row row) { return row->row.*text; };
    };
    TableOf<Row> table("Predicted against measured", pointers(validation->rows, rows));
    table.add({"id", "Row", Text, "Name of the measured figure"}, of(&MeasuredRow::id))
        .add({"figure", "Figure", Text, "Its path in the answer of vramscope-cli plan --json"},
             of(&MeasuredRow::figure))
        .add({"family", "Family", Text, "What it was published in, or what the recording is about"},
             of(&MeasuredRow::family))
        .add({"measured", "Measured", Size, "What was measured"},
             [](Row row) { return figureCell(row->row, row->row.value); })
        .add({"predicted", "Predicted", Size, "What the planner says"},
             [](Row row) { return figureCell(row->row, row->predicted); })
        .add({"error", "Error", SignedError, kErrorTip}, &ComparedFigure::errorPercent)
        .add(
            {"first_sight", "First sight", SignedError,
             "The error of the figure that VRAMscope gave before anybody adjusted a formula to it"},
            [](Row row) {
                const std::optional<double> error = firstSightError(row->row);
                return error ? Cell(*error) : Cell();
            })
        .add({"quality", "Quality", Text,
              "A: the whole configuration is known; B: one setting is not stated; C: nor is what "
              "decides the figure"},
             of(&MeasuredRow::quality))
        .add({"covered", "Covered", Text, "Whether the formulas are meant to reach it, within 3 %"},
             [](Row row) { return row->row.covered ? "yes" : "no"; })
        .add({"source", "Source", Text, "Where it was published or recorded"},
             of(&MeasuredRow::source))
        .add({"note", "Note", Text, "What was assumed"}, of(&MeasuredRow::note));
    return keptWith(std::move(table).table(), std::move(validation));
}

DataTable speedFamiliesTable(const SpeedValidation &speeds)
{
    const SpeedSummary all = speedSummary(speeds);
    std::vector<std::vector<Cell>> rows;
    rows.push_back(
        {"all runs", "", "", all.calibrated,
         textCell(all.calibratedWorst, formatErrorSize(all.calibratedWorst)),
         textCell(0, formatCount(static_cast<std::int64_t>(all.familiesMet)) + " of " +
                         formatCount(static_cast<std::int64_t>(all.families)) + " met")});
    for (const SpeedFamily &family : speeds.families)
        rows.push_back(
            {family.name, familyKindName(family.kind), family.calibratedOn, family.predicted,
             family.worstPercent,
             textCell((family.met() ? 0 : 1000) + targetPercent(family.kind), targetText(family))});
    DataTable table = madeTable(
        "Families",
        {{"name", "Family", Text, "One source, model, GPU and precision"},
         {"kind", "What differs", Text,
          "Weak scaling: the GPUs, the batch of each the same; strong scaling: the batch of the "
          "job the same; other layouts: how the model is split"},
         {"calibrated_on", "Calibrated on", Text,
          "The run of the fewest GPUs, whose speed sets the rate"},
         {"predicted", "Predicted", Count, "How many runs are predicted from it"},
         {"worst", "Worst", SignedError,
          "The error that is largest, with its sign; above 0: too fast predicted"},
         {"target", "Target", Text,
          "The error within which a projection is meant to stay, and whether it does"}},
        std::move(rows));
    table.pinned = 1;
    return table;
}

DataTable speedsTable(std::shared_ptr<const SpeedValidation> speeds,
                      const std::vector<std::size_t> &rows)
{
    using Row = const ComparedSpeed *;
    const auto of = [](std::string ThroughputRow::*text) {
        return [text](Row row) { return row->row.*text; };
    };
    TableOf<Row> table("Projected against published speeds", pointers(speeds->rows, rows));
    table
        .add({"id", "Run", Text, "Name of the run in the table", "tokens a second and GPU"},
             of(&ThroughputRow::id))
        .add({"model", "Model", Text, "What was trained"}, of(&ThroughputRow::model))
        .add({"gpus", "GPUs", Text, "How many of which", "GPUs"},
             [](Row row) {
                 return row->gpus > 0 ? textCell(static_cast<double>(row->gpus), devicesText(*row))
                                      : Cell();
             })
        .add({"published", "Published", Number, "Trained tokens a second and GPU, as published"},
             [](Row row) {
                 return textCell(row->row.tokensPerGpu, trainingSpeedText(row->row.tokensPerGpu));
             })
        .add({"predicted", "Predicted", Number,
              "Tokens a second and GPU, as projected; none for a run that calibrates"},
             [](Row row) {
                 return row->predicts() ? textCell(row->predicted.likely,
                                                   trainingSpeedText(row->predicted.likely))
                                        : Cell();
             })
        .add({"error", "Error", SignedError,
              "(predicted − published) / published; above 0: too fast predicted"},
             [](Row row) { return row->predicts() ? Cell(row->errorPercent) : Cell(); })
        .add({"outcome", "Outcome", Text,
              "Calibrated: within the target of its family, or beyond it; from the catalogue "
              "alone: in the projection's range, or outside"},
             [of = speeds.get()](Row row) { return outcomeText(*row, *of); })
        .add({"basis", "Rests on", Text,
              "The speed of another run of its family, or the catalogue's rates alone"},
             [](Row row) { return basisText(*row); })
        .add({"catalogue", "Catalogue's range", Text,
              "What the catalogue's rates alone predict, from low to high, and whether the "
              "published speed is outside"},
             [](Row row) {
                 return row->computed() ? textCell(row->catalogue.likely,
                                                   catalogueText(*row) +
                                                       (row->insideCatalogue() ? "" : ", outside"))
                                        : Cell();
             })
        .add({"layout", "Layout", Text,
              "Degrees of parallelism, strategy and micro-batch; of a run that is not computed, "
              "why"},
             [](Row row) { return row->computed() ? row->layout : row->whyNot; })
        .add({"source", "Source", Text, "Where it was published"}, of(&ThroughputRow::source))
        .strong([](Row row) { return row->basis == SpeedBasis::Calibrates; });
    return keptWith(std::move(table).table(), std::move(speeds));
}

std::vector<std::size_t> byFamily(const SpeedValidation &speeds, std::vector<std::size_t> rows)
{
    std::ranges::stable_sort(rows, {}, [&](std::size_t at) {
        const ComparedSpeed &row = speeds.rows[at];
        const SpeedFamily *family = familyOf(row, speeds);
        const bool alone = row.basis == SpeedBasis::Catalogue;
        const int part = !row.computed() ? 2 : alone ? 1 : 0;
        return std::tuple(part, family ? -std::abs(family->worstPercent) : 0.0,
                          alone ? std::string() : row.row.family,
                          row.basis != SpeedBasis::Calibrates, -std::abs(row.errorPercent));
    });
    return rows;
}

std::string trainingSpeedText(double tokens)
{
    return tokens < 1000 ? formatNumber(tokens, 3) : formatCount(std::llround(tokens));
}

std::string catalogueText(const ComparedSpeed &row)
{
    return row.computed() ? trainingSpeedText(row.catalogue.low) + " to " +
                                trainingSpeedText(row.catalogue.high)
                          : std::string();
}

std::string basisText(const ComparedSpeed &row)
{
    return row.basis == SpeedBasis::Calibrated ? "calibrated on " + row.calibratedOn
                                               : std::string(basisName(row.basis));
}

bool isMissed(const ComparedSpeed &row, const SpeedValidation &speeds)
{
    return row.basis == SpeedBasis::Calibrated
               ? std::abs(row.errorPercent) > targetOf(row, speeds)
               : row.basis == SpeedBasis::Catalogue && !row.insideCatalogue();
}

std::string outcomeText(const ComparedSpeed &row, const SpeedValidation &speeds)
{
    const bool missed = isMissed(row, speeds);
    switch (row.basis) {
    case SpeedBasis::Calibrates:
        return "not a prediction";
    case SpeedBasis::Calibrated:
        return (missed ? "beyond " : "within ") + formatNumber(targetOf(row, speeds)) + " %";
    case SpeedBasis::Catalogue:
        return missed ? "outside the range" : "in the range";
    case SpeedBasis::None:
        break;
    }
    return "–";
}

std::string devicesText(const ComparedSpeed &row)
{
    if (row.gpus == 0 || !row.row.plan.hardware.gpu)
        return {};
    const GpuPreset *gpu = findGpuPreset(*row.row.plan.hardware.gpu);
    return formatCount(row.gpus) + " × " +
           std::string(gpu ? std::string_view(gpu->title) : *row.row.plan.hardware.gpu);
}

DataTable speedTermsTable(const ComparedSpeed &row)
{
    RowTable table(
        "Parts of the projected step",
        {{"part", "Part of the step", Text, "What the step's time goes to, one after the other"},
         {"time", "Time", Seconds, "In the likely step, as far as other parts do not hide it"},
         {"share", "Share", Share, "Part of the whole step's time"},
         {"rate", "Rate", Text,
          "What is computed or moved, and how fast; the source is in each row's tip"}});
    for (const TimeTerm &term : row.computed() ? row.time.terms : std::vector<TimeTerm>()) {
        const bool isCalibrated = row.arithmeticShare > 0 && term.name == "Arithmetic";
        const std::string source =
            isCalibrated ? "By the speed of " + row.calibratedOn : term.source;
        const double whole = row.time.seconds.likely;
        table.add({{std::string(term.name), source},
                   Cell(term.seconds).with(source),
                   Cell(whole > 0 ? term.seconds / whole : 0).with(source),
                   {std::string(term.rate), source}});
    }
    return std::move(table).table();
}

} // namespace vramscope
