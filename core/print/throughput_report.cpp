// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/throughput_report.h"

#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/describe/validation_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/time_report.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace vramscope {

namespace {

Json speedJson(const ComparedSpeed &row)
{
    const auto ofPrediction = [&](double value) { return orNull(row.predicts(), value); };
    Json json = {{"id", row.row.id},
                 {"family", textOrNull(row.row.family)},
                 {"model", row.row.model},
                 {"gpu", orNull(row.row.plan.hardware.gpu)},
                 {"gpus", orNull(row.gpus > 0, row.gpus)},
                 {"layout", textOrNull(row.layout)},
                 {"basis", basisName(row.basis)},
                 {"published", row.row.tokensPerGpu},
                 {"predicted", ofPrediction(row.predicted.likely)},
                 {"low", ofPrediction(row.predicted.low)},
                 {"high", ofPrediction(row.predicted.high)},
                 {"error_percent", ofPrediction(row.errorPercent)},
                 {"calibrated_on", textOrNull(row.calibratedOn)},
                 {"arithmetic_share", orNull(row.arithmeticShare > 0, row.arithmeticShare)},
                 {"catalogue", Json()},
                 {"step", Json()},
                 {"why_not", textOrNull(row.whyNot)},
                 {"missed", textOrNull(row.row.missed)},
                 {"source", row.row.source},
                 {"note", row.row.note}};
    if (row.computed()) {
        json["catalogue"] = {{"predicted", row.catalogue.likely},
                             {"low", row.catalogue.low},
                             {"high", row.catalogue.high},
                             {"inside", row.insideCatalogue()},
                             {"error_percent", row.catalogueErrorPercent()}};
        json["step"] = {{"seconds", row.time.seconds.likely},
                        {"terms", listJson(row.time.terms, termJson)}};
    }
    return json;
}

std::string speedRowsText(const SpeedValidation &speeds)
{
    std::vector<std::size_t> computed;
    for (std::size_t at = 0; at < speeds.rows.size(); ++at)
        if (speeds.rows[at].computed())
            computed.push_back(at);
    // The validation outlives the table.
    const std::shared_ptr<const SpeedValidation> shared(std::shared_ptr<void>(), &speeds);
    return terminalText(speedsTable(shared, computed),
                        {{"id", "model", "gpus", "predicted", "published", "error", "outcome",
                          "basis", "catalogue"}});
}

/// The rows for which there is a reason, those of one reason in one line: "WHAT: ids. Reason".
std::string speedReasonsText(const SpeedValidation &speeds, const std::string &what,
                             const std::function<std::string(const ComparedSpeed &)> &reasonOf)
{
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const ComparedSpeed &row : speeds.rows) {
        const std::string reason = reasonOf(row);
        if (reason.empty())
            continue;
        const auto known =
            std::ranges::find(reasons, reason, &std::pair<std::string, std::string>::first);
        if (known == reasons.end())
            reasons.emplace_back(reason, row.row.id);
        else
            known->second += ", " + row.row.id;
    }
    std::string text;
    for (const auto &[reason, ids] : reasons)
        text += paragraph(std::string(what).append(": ").append(ids).append(". ").append(reason));
    return text;
}

std::string speedReasonsText(const SpeedValidation &speeds)
{
    return speedReasonsText(speeds, "Not computed",
                            [](const ComparedSpeed &row) { return row.whyNot; }) +
           speedReasonsText(speeds, "Known to miss", [](const ComparedSpeed &row) {
               return row.row.missed.empty() ? std::string() : capitalized(row.row.missed) + '.';
           });
}

std::string speedCount(std::size_t count)
{
    return formatCount(static_cast<std::int64_t>(count));
}

} // namespace

Json throughputJson(const SpeedValidation &speeds)
{
    const auto familyJson = [](const SpeedFamily &family) -> Json {
        return {{"name", family.name},
                {"kind", familyKindName(family.kind)},
                {"calibrated_on", family.calibratedOn},
                {"predicted", family.predicted},
                {"worst_percent", family.worstPercent},
                {"target_percent", targetPercent(family.kind)},
                {"met", family.met()}};
    };
    const SpeedSummary summary = speedSummary(speeds);
    return {{"rows", listJson(speeds.rows, speedJson)},
            {"families", listJson(speeds.families, familyJson)},
            {"summary",
             {{"rows", summary.rows},
              {"not_computed", summary.notComputed},
              {"calibrating", summary.calibrating},
              {"calibrated", summary.calibrated},
              {"calibrated_median_percent", summary.calibratedMedian},
              {"calibrated_worst_percent", summary.calibratedWorst},
              {"families", summary.families},
              {"families_met", summary.familiesMet},
              {"catalogue_inside", summary.catalogueInside},
              {"catalogue_median_percent", summary.catalogueMedian}}}};
}

std::string throughputAccuracyText(const SpeedValidation &speeds)
{
    const SpeedSummary summary = speedSummary(speeds);
    if (summary.rows == 0)
        return {};
    std::string text =
        "Of " + speedCount(summary.rows) + " published training speeds " +
        speedCount(summary.calibrating) + " calibrate their family, and from them " +
        speedCount(summary.calibrated) + " others are predicted, half of them within " +
        formatDecimals(summary.calibratedMedian, 1) + " %, the worst off by " +
        formatDecimals(summary.calibratedWorst, 0) + " %; " + speedCount(summary.familiesMet) +
        " of " + speedCount(summary.families) + " families stay within their target.";
    const std::size_t computed = summary.rows - summary.notComputed;
    text += " The catalogue's rates alone predict half within " +
            formatDecimals(summary.catalogueMedian, 0) + " %, and " +
            speedCount(summary.catalogueInside) + " of " + speedCount(computed) +
            " lie in their range.";
    if (summary.notComputed > 0)
        text += ' ' + speedCount(summary.notComputed) + " are not computed.";
    return text;
}

std::string speedClassesText(const SpeedValidation &speeds)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"catalogue's rates, error in %", "rows", "median", "95th", "in the range",
                  "kept back", "median", "95th", "first sight, median", "95th"});
    const auto percent = [](const ErrorSummary &of, double value) {
        return of.count > 0 ? formatDecimals(value, 1) : std::string();
    };
    for (const SpeedClass &it : speedClasses(speeds))
        table.addRow({it.name, std::to_string(it.today.count), percent(it.today, it.today.median),
                      percent(it.today, it.today.percentile95), std::to_string(it.inside),
                      std::to_string(it.keptBack.count), percent(it.keptBack, it.keptBack.median),
                      percent(it.keptBack, it.keptBack.percentile95),
                      percent(it.then, it.then.median), percent(it.then, it.then.percentile95)});
    return table.text();
}

std::string throughputText(const SpeedValidation &speeds)
{
    const std::string families =
        speeds.families.empty() ? "" : '\n' + terminalText(speedFamiliesTable(speeds));
    const std::string reasons = speedReasonsText(speeds);
    return speedRowsText(speeds) + families + '\n' + speedClassesText(speeds) +
           (reasons.empty() ? "" : "\n") + reasons + '\n' +
           paragraph(throughputAccuracyText(speeds));
}

} // namespace vramscope
