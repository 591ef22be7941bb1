// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/throughput.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/catalogue.h"
#include "core/estimate/estimate.h"
#include "core/projection/kernel_time.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "core/validation/band_widths.h"
#include "core/validation/measured.h"
#include "core/validation/table_cells.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace vramscope {

namespace {

const std::string kThroughput = "measured/throughput/";

std::optional<double> speedNumber(const std::string &text)
{
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = status == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The plan of a run, from its cells. An error says why it cannot be a plan.
Result<Plan> throughputPlan(const CsvTable &table, const CsvRow &row, const std::string &model,
                            const ModelConfigs &configs)
{
    Plan plan;
    if (const std::string_view config = configs(model); !config.empty())
        plan.model.config = config;
    else if (findCatalogueModel(model))
        plan.model.preset = model;
    else
        return Error{ErrorCode::Invalid, "The dimensions of " + model + " are not known."};
    for (std::size_t at = 0; at < table.columns.size(); ++at) {
        const std::string &column = table.columns[at];
        if (!findField(column) || row.cells[at].empty())
            continue;
        if (const Result<void> set = setWritten(plan, column + '=' + row.cells[at]); !set)
            return set.error();
    }
    if (!plan.batch.sequenceLength)
        return Error{ErrorCode::Invalid, "The source does not state the sequence length."};
    if (!plan.precision.regime)
        return Error{ErrorCode::Invalid, "The source does not state the precision."};
    return plan;
}

Result<ThroughputRow> throughputRow(const CsvTable &table, const CsvRow &line,
                                    const ModelConfigs &configs)
{
    const Cells cells(table, line);
    const std::optional<double> speed = speedNumber(cells["tokens_s_gpu"]);
    if (!speed || *speed <= 0)
        return csvError(line.line,
                        "tokens_s_gpu is \"" + cells["tokens_s_gpu"] + "\", not a number above 0");
    ThroughputRow row;
    row.id = cells["id"];
    row.family = cells["family"];
    row.model = cells["model"];
    row.tokensPerGpu = *speed;
    if (const std::string stated = cells["parameters"]; !stated.empty()) {
        const std::optional<double> parameters = speedNumber(stated);
        if (!parameters || *parameters < 1 || *parameters > 1e15)
            return csvError(line.line, "parameters is \"" + stated + "\", not a count");
        row.parameters = std::llround(*parameters);
    }
    row.source = cells["source"];
    row.note = cells["note"];
    row.missed = cells["missed"];
    row.firstSightVersion = cells["first_sight_version"];
    if (!cells["first_sight"].empty()) {
        const std::optional<double> likely = speedNumber(cells["first_sight"]);
        const std::optional<double> low = speedNumber(cells["first_sight_low"]);
        const std::optional<double> high = speedNumber(cells["first_sight_high"]);
        if (!likely || !low || !high || !(0 < *low && *low <= *likely && *likely <= *high) ||
            row.firstSightVersion.empty())
            return csvError(line.line, "first_sight is no speed with its range and version");
        row.firstSight = Projected{*likely, *low, *high};
    }
    Result<Plan> plan = throughputPlan(table, line, row.model, configs);
    if (plan) {
        row.plan = std::move(*plan);
        row.plan.name = row.id;
    } else {
        row.whyNot = plan.error().detail;
    }
    return row;
}

/// "TP 8, "; nothing for 1.
std::string degreeText(std::string_view name, std::int64_t degree)
{
    return degree > 1 ? std::string(name) + ' ' + formatCount(degree) + ", " : std::string();
}

/// "TP 8, DP 32, fsdp2 full_shard; 16 × 8,192 tokens a micro-batch"
std::string layoutText(const Settings &s)
{
    std::string text = degreeText("TP", s.tensor) + degreeText("PP", s.pipeline) +
                       degreeText("CP", s.context) + degreeText("DP", s.data);
    if (s.strategy == Strategy::None)
        text += s.gpus == 1 ? "one GPU" : "no data parallelism";
    else
        text += choiceText(s.strategy);
    if (s.strategy == Strategy::Fsdp1 || s.strategy == Strategy::Fsdp2)
        text += ' ' + std::string(choiceText(s.sharding));
    text += "; " + formatCount(s.microBatch) + " × " + counted(s.sequenceLength, "token") +
            " a micro-batch";
    if (s.accumulationSteps > 1)
        text += ", " + formatCount(s.accumulationSteps) + " of them";
    return text;
}

/// A run as seen by the planner.
struct ProjectedRun
{
    std::optional<Estimate> estimate; ///< if the row has a plan
    bool projected = false;

    [[nodiscard]] const Settings &settings() const { return *estimate->settings; }
};

Projected perGpu(const StepTime &time)
{
    const Projected all = time.tokensPerSecond();
    const auto gpus = static_cast<double>(time.gpus);
    return {all.likely / gpus, all.low / gpus, all.high / gpus};
}

double speedErrorPercent(double predicted, double published)
{
    return (predicted / published - 1) * 100;
}

/// From the catalogue's rates alone.
ComparedSpeed fromCatalogue(const ThroughputRow &row, ProjectedRun &run)
{
    ComparedSpeed compared;
    compared.row = row;
    compared.whyNot = row.whyNot;
    if (!row.whyNot.empty())
        return compared;
    run.estimate = estimate(row.plan);
    if (!run.estimate->computed) {
        compared.whyNot = whyNotComputed(*run.estimate);
        return compared;
    }
    compared.gpus = run.settings().gpus;
    compared.layout = layoutText(run.settings());
    Result<StepTime> time = projectStep(run.settings(), run.estimate->work);
    if (!time) {
        compared.whyNot = time.error().detail;
        return compared;
    }
    run.projected = true;
    compared.basis = SpeedBasis::Catalogue;
    compared.time = std::move(*time);
    compared.predicted = compared.catalogue = perGpu(compared.time);
    compared.speedClass = speedClassOf(run.settings());
    compared.errorPercent = speedErrorPercent(compared.predicted.likely, row.tokensPerGpu);
    return compared;
}

/// GPUs of one copy of the model.
std::int64_t replicaOf(const Settings &s)
{
    return s.tensor * s.pipeline * s.context;
}

/// Indices of a family's projected rows, the calibrating run first.
std::vector<std::size_t> membersOf(const std::string &family, const SpeedValidation &validation,
                                   const std::vector<ProjectedRun> &runs)
{
    std::vector<std::size_t> members;
    for (std::size_t at = 0; at < runs.size(); ++at) {
        if (runs[at].projected && validation.rows[at].row.family == family)
            members.push_back(at);
    }
    const auto order = [&](std::size_t at) {
        return std::pair(runs[at].settings().gpus, replicaOf(runs[at].settings()));
    };
    std::ranges::stable_sort(members, {}, order);
    return members;
}

FamilyKind kindOf(const std::vector<std::size_t> &members, const std::vector<ProjectedRun> &runs)
{
    const auto ofGpu = [](const Settings &s) {
        return std::tuple(s.microBatch, s.accumulationSteps, s.sequenceLength);
    };
    const Settings &first = runs[members.front()].settings();
    bool same = true;
    for (const std::size_t at : members) {
        if (replicaOf(runs[at].settings()) > 1)
            return FamilyKind::Layouts;
        same = same && ofGpu(runs[at].settings()) == ofGpu(first);
    }
    return same ? FamilyKind::Weak : FamilyKind::Strong;
}

/// Predicts the others of a family from the speed of its first.
std::optional<SpeedFamily> calibrateFamily(const std::string &name, SpeedValidation &validation,
                                           const std::vector<ProjectedRun> &runs)
{
    const std::vector<std::size_t> members = membersOf(name, validation, runs);
    if (members.size() < 2)
        return std::nullopt; // nothing to predict
    ComparedSpeed &first = validation.rows[members.front()];
    const ProjectedRun &run = runs[members.front()];
    const double seconds = run.estimate->work.tokens /
                           (first.row.tokensPerGpu * static_cast<double>(run.settings().gpus));
    const Result<SpeedCalibration> speed = calibrate(
        run.settings(), run.estimate->work, {.seconds = seconds, .source = first.row.source});
    if (!speed)
        return std::nullopt; // all keep the catalogue's rates
    SpeedFamily family{name, kindOf(members, runs), first.row.id, members.size() - 1, 0};
    for (const std::size_t at : members) {
        ComparedSpeed &compared = validation.rows[at];
        Result<StepTime> time = projectStep(runs[at].settings(), runs[at].estimate->work, &*speed);
        assert(time); // a run that can be projected without a calibration can be with one
        compared.time = std::move(*time);
        compared.predicted = perGpu(compared.time);
        compared.calibratedOn = first.row.id;
        compared.arithmeticShare = speed->fits.front().arithmeticShare;
        const bool itself = at == members.front();
        compared.basis = itself ? SpeedBasis::Calibrates : SpeedBasis::Calibrated;
        compared.errorPercent =
            itself ? 0 : speedErrorPercent(compared.predicted.likely, compared.row.tokensPerGpu);
        if (std::abs(compared.errorPercent) > std::abs(family.worstPercent))
            family.worstPercent = compared.errorPercent;
    }
    return family;
}

} // namespace

std::string_view basisName(SpeedBasis basis)
{
    constexpr std::array<std::string_view, 4> kNames = {"calibrates its family", "calibrated",
                                                        "catalogue alone", "not computed"};
    return kNames[static_cast<std::size_t>(basis)];
}

std::string_view familyKindName(FamilyKind kind)
{
    constexpr std::array<std::string_view, 3> kNames = {"weak scaling", "strong scaling",
                                                        "other layouts"};
    return kNames[static_cast<std::size_t>(kind)];
}

double targetPercent(FamilyKind kind)
{
    return kind == FamilyKind::Layouts ? 10 : 5;
}

Result<std::vector<ThroughputRow>> parseThroughput(std::string_view csv,
                                                   const ModelConfigs &configs)
{
    const Result<CsvTable> table = parseCsv(csv);
    if (!table)
        return table.error();
    for (const std::string_view needed : {"id", "family", "model", "tokens_s_gpu", "source"}) {
        if (const Result<std::size_t> place = table->column(needed); !place)
            return place.error();
    }
    std::vector<ThroughputRow> rows;
    for (const CsvRow &line : table->rows) {
        Result<ThroughputRow> row = throughputRow(*table, line, configs);
        if (!row)
            return row.error();
        rows.push_back(std::move(*row));
    }
    return rows;
}

std::vector<ThroughputRow> shippedThroughput()
{
    const auto config = [](const std::string &model) {
        return shippedDocument(kThroughput + "models/" + model + ".json");
    };
    auto rows = parseThroughput(shippedDocument(kThroughput + "rows.csv"), config);
    assert(rows);
    return std::move(*rows);
}

SpeedValidation validateSpeeds(std::span<const ThroughputRow> rows)
{
    SpeedValidation validation;
    std::vector<ProjectedRun> runs(rows.size());
    std::vector<std::string> families; // in the order of their first rows
    for (std::size_t at = 0; at < rows.size(); ++at) {
        validation.rows.push_back(fromCatalogue(rows[at], runs[at]));
        const std::string &family = rows[at].family;
        if (!family.empty() && std::ranges::find(families, family) == families.end())
            families.push_back(family);
    }
    for (const std::string &name : families) {
        if (const auto family = calibrateFamily(name, validation, runs))
            validation.families.push_back(*family);
    }
    return validation;
}

std::vector<SpeedClass> speedClasses(const SpeedValidation &validation)
{
    std::set<std::string> names = {"all"};
    const auto within = [](const ComparedSpeed &row, const std::string &name) {
        return name == "all" || row.speedClass.starts_with(name);
    };
    for (const ComparedSpeed &row : validation.rows)
        if (!row.speedClass.empty())
            names.insert({row.speedClass, row.speedClass.substr(0, row.speedClass.rfind(", "))});
    std::vector<SpeedClass> classes;
    for (const std::string &name : names) {
        SpeedClass it{name, {}, {}, {}, 0};
        std::vector<double> then;
        std::vector<double> today;
        std::vector<double> kept;
        for (const ComparedSpeed &row : validation.rows) {
            if (row.speedClass.empty() || !within(row, name))
                continue;
            today.push_back(row.catalogueErrorPercent());
            it.inside += row.insideCatalogue() ? 1U : 0U;
            if (isKeptBack(row.row.id))
                kept.push_back(row.catalogueErrorPercent());
            if (row.row.firstSight)
                then.push_back(speedErrorPercent(row.row.firstSight->likely, row.row.tokensPerGpu));
        }
        it.then = errorSummary(name, then);
        it.today = errorSummary(name, today);
        it.keptBack = errorSummary(name, kept);
        classes.push_back(std::move(it));
    }
    return classes;
}

SpeedSummary speedSummary(const SpeedValidation &validation)
{
    SpeedSummary summary;
    std::vector<double> calibrated;
    std::vector<double> catalogue;
    for (const ComparedSpeed &row : validation.rows) {
        ++summary.rows;
        if (!row.computed()) {
            ++summary.notComputed;
            continue;
        }
        summary.calibrating += row.basis == SpeedBasis::Calibrates ? 1U : 0U;
        if (row.basis == SpeedBasis::Calibrated)
            calibrated.push_back(std::abs(row.errorPercent));
        catalogue.push_back(std::abs(row.catalogueErrorPercent()));
        summary.catalogueInside += row.insideCatalogue() ? 1U : 0U;
    }
    summary.calibrated = calibrated.size();
    summary.calibratedMedian = median(calibrated);
    summary.calibratedWorst = nearestRank(calibrated, 100);
    summary.catalogueMedian = median(catalogue);
    summary.families = validation.families.size();
    summary.familiesMet =
        static_cast<std::size_t>(std::ranges::count_if(validation.families, &SpeedFamily::met));
    return summary;
}

} // namespace vramscope
