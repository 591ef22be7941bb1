// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/throughput_report.h"

#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/print/cells.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace vramscope {

namespace {

using SpeedJson = nlohmann::ordered_json;

std::string speedText(double tokens)
{
    return tokens < 1000 ? formatNumber(tokens, 4) : formatCount(std::llround(tokens));
}

std::string signedSpeedError(double percent)
{
    return (percent >= 0 ? "+" : "") + formatDecimals(percent, 1) + " %";
}

std::string catalogueRangeText(const ComparedSpeed &row)
{
    return speedText(row.catalogue.low) + " to " + speedText(row.catalogue.high) +
           (row.insideCatalogue() ? ", inside" : ", OUTSIDE");
}

std::string speedBasisText(const ComparedSpeed &row)
{
    return row.basis == SpeedBasis::Calibrated ? "calibrated on " + row.calibratedOn
                                               : std::string(basisName(row.basis));
}

SpeedJson saidOrNull(const std::string &text)
{
    return text.empty() ? SpeedJson() : SpeedJson(text);
}

SpeedJson speedStepJson(const StepTime &time)
{
    SpeedJson terms = SpeedJson::array();
    for (const TimeTerm &term : time.terms)
        terms.push_back({{"name", term.name},
                         {"seconds", term.seconds},
                         {"rate", term.rate},
                         {"source", term.source}});
    return {{"seconds", time.seconds.likely}, {"terms", std::move(terms)}};
}

SpeedJson speedJson(const ComparedSpeed &row)
{
    const auto ofPrediction = [&](double value) {
        return row.predicts() ? SpeedJson(value) : SpeedJson();
    };
    SpeedJson json = {
        {"id", row.row.id},
        {"family", saidOrNull(row.row.family)},
        {"model", row.row.model},
        {"gpu", row.row.plan.hardware.gpu ? SpeedJson(*row.row.plan.hardware.gpu) : SpeedJson()},
        {"gpus", row.gpus > 0 ? SpeedJson(row.gpus) : SpeedJson()},
        {"layout", saidOrNull(row.layout)},
        {"basis", basisName(row.basis)},
        {"published", row.row.tokensPerGpu},
        {"predicted", ofPrediction(row.predicted.likely)},
        {"low", ofPrediction(row.predicted.low)},
        {"high", ofPrediction(row.predicted.high)},
        {"error_percent", ofPrediction(row.errorPercent)},
        {"calibrated_on", saidOrNull(row.calibratedOn)},
        {"arithmetic_share",
         row.arithmeticShare > 0 ? SpeedJson(row.arithmeticShare) : SpeedJson()},
        {"catalogue", SpeedJson()},
        {"step", SpeedJson()},
        {"why_not", saidOrNull(row.whyNot)},
        {"missed", saidOrNull(row.row.missed)},
        {"source", row.row.source},
        {"note", row.row.note}};
    if (row.computed()) {
        json["catalogue"] = {{"predicted", row.catalogue.likely},
                             {"low", row.catalogue.low},
                             {"high", row.catalogue.high},
                             {"inside", row.insideCatalogue()},
                             {"error_percent", row.catalogueErrorPercent()}};
        json["step"] = speedStepJson(row.time);
    }
    return json;
}

std::string speedRowsText(const SpeedValidation &speeds)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Left, Align::Left});
    table.addRow({"tokens a second and GPU", "model", "GPUs", "predicted", "published", "error",
                  "rests on", "catalogue's range"});
    for (const ComparedSpeed &row : speeds.rows) {
        if (!row.computed())
            continue;
        table.addRow({row.row.id, row.row.model, formatCount(row.gpus),
                      row.predicts() ? speedText(row.predicted.likely) : "",
                      speedText(row.row.tokensPerGpu),
                      row.predicts() ? signedSpeedError(row.errorPercent) : "", speedBasisText(row),
                      catalogueRangeText(row)});
    }
    return table.text();
}

std::string speedFamiliesText(const SpeedValidation &speeds)
{
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
                     Align::Right, Align::Left});
    table.addRow(
        {"family", "what differs", "calibrated on", "predicted", "worst", "target", "met"});
    for (const SpeedFamily &family : speeds.families)
        table.addRow({family.name, std::string(familyKindName(family.kind)), family.calibratedOn,
                      std::to_string(family.predicted), signedSpeedError(family.worstPercent),
                      formatDecimals(targetPercent(family.kind), 0) + " %",
                      family.met() ? "yes" : "NO"});
    return table.text();
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
        text += wrapped(std::string(what).append(": ").append(ids).append(". ").append(reason),
                        kTableWidth) +
                "\n";
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

SpeedJson throughputJson(const SpeedValidation &speeds)
{
    SpeedJson json = {{"rows", SpeedJson::array()}, {"families", SpeedJson::array()}};
    for (const ComparedSpeed &row : speeds.rows)
        json["rows"].push_back(speedJson(row));
    for (const SpeedFamily &family : speeds.families)
        json["families"].push_back({{"name", family.name},
                                    {"kind", familyKindName(family.kind)},
                                    {"calibrated_on", family.calibratedOn},
                                    {"predicted", family.predicted},
                                    {"worst_percent", family.worstPercent},
                                    {"target_percent", targetPercent(family.kind)},
                                    {"met", family.met()}});
    const SpeedSummary summary = speedSummary(speeds);
    json["summary"] = {{"rows", summary.rows},
                       {"not_computed", summary.notComputed},
                       {"calibrating", summary.calibrating},
                       {"calibrated", summary.calibrated},
                       {"calibrated_median_percent", summary.calibratedMedian},
                       {"calibrated_worst_percent", summary.calibratedWorst},
                       {"families", summary.families},
                       {"families_met", summary.familiesMet},
                       {"catalogue_inside", summary.catalogueInside},
                       {"catalogue_median_percent", summary.catalogueMedian}};
    return json;
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

std::string throughputText(const SpeedValidation &speeds)
{
    const std::string families = speeds.families.empty() ? "" : '\n' + speedFamiliesText(speeds);
    const std::string reasons = speedReasonsText(speeds);
    return speedRowsText(speeds) + families + (reasons.empty() ? "" : "\n") + reasons + '\n' +
           wrapped(throughputAccuracyText(speeds), kTableWidth) + '\n';
}

} // namespace vramscope
