// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/serving_log_report.h"

#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/describe/serving_log_tables.h"
#include "core/plan/plan_json.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/serving_logs/log_checks.h"
#include "core/serving_logs/log_diagnosis.h"
#include "core/serving_logs/log_stages.h"
#include "core/serving_logs/log_verdict.h"
#include "core/table/json_rows.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

struct RefusalRow
{
    LogRefusalKind kind;
    std::string_view id;
    std::string_view words; ///< what happened
};

constexpr RefusalRow kRefusalRows[] = {
    {LogRefusalKind::OutOfMemory, "out_of_memory", "ran out of memory"},
    {LogRefusalKind::HostOutOfMemory, "host_out_of_memory", "ran out of the host's memory"},
    {LogRefusalKind::FreeBelowDesired, "free_below_desired",
     "refused to start: less is free than it may use"},
    {LogRefusalKind::OneSequenceTooLong, "one_sequence_too_long",
     "refused to start: one sequence of the longest length does not fit the cache"},
    {LogRefusalKind::LengthBeyondModel, "length_beyond_model",
     "refused to start: the longest sequence exceeds that of the model"},
    {LogRefusalKind::NoCacheLeft, "no_cache_left",
     "refused to start: nothing is left for the cache"},
    {LogRefusalKind::StaticShareTooSmall, "static_share_too_small",
     "refused to start: its static share leaves nothing for the cache"},
    {LogRefusalKind::TooManySequences, "too_many_sequences",
     "refused to start: the cache holds the states of fewer sequences than it may serve at once"},
    {LogRefusalKind::FreeGrewWhileProfiling, "free_grew_while_profiling",
     "refused to start: free memory grew during the profile run"},
    {LogRefusalKind::EngineFailed, "engine_failed", "failed to start"},
};

const RefusalRow &refusalRow(LogRefusalKind kind)
{
    return *std::ranges::find(kRefusalRows, kind, &RefusalRow::kind);
}

/// Whole numbers without a point.
Json numberJson(double value)
{
    constexpr double kExact = 9e15;
    const bool isWhole = value == std::floor(value) && std::abs(value) < kExact;
    return isWhole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json logFigureJson(const LogFigure &figure)
{
    return {{"key", figure.key},
            {"value", numberJson(figure.value)},
            {"unit", logUnitName(figure.unit)},
            {"rank", textOrNull(figure.rank)},
            {"line", figure.line}};
}

Json logCheckJson(const LogCheck &check)
{
    return {{"check", check.text},  {"rank", textOrNull(check.rank)},  {"left", check.left},
            {"right", check.right}, {"unit", logUnitName(check.unit)}, {"holds", check.holds}};
}

Json refusalJson(const LogRefusal &refusal)
{
    return {{"kind", refusalRow(refusal.kind).id},
            {"sentence", refusal.sentence},
            {"line", refusal.line},
            {"count", refusal.count},
            {"stage", logStageId(refusal.stage)},
            {"attempt", refusal.attempt}};
}

Json verdictJson(const LogVerdict &verdict)
{
    const auto cureJson = [](const LogCure &cure) -> Json {
        return {{"change", cure.change}, {"reason", textOrNull(cure.reason)}};
    };
    const std::vector<LogCure> &cures = verdict.remedy.cures;
    const std::vector<LogCure> others(cures.begin() + (cures.empty() ? 0 : 1), cures.end());
    return {{"kind", refusalRow(verdict.kind).id},
            {"stage", logStageId(verdict.stage)},
            {"attempt", verdict.attempt},
            {"line", verdict.line},
            {"final", verdict.isFinal},
            {"cause", verdict.remedy.cause},
            {"missing", verdict.remedy.shortfall ? Json(*verdict.remedy.shortfall) : Json()},
            {"cure", cures.empty() ? Json() : cureJson(cures.front())},
            {"others", listJson(others, cureJson)}};
}

Json bestJson(const ServingLog &log)
{
    Json all = Json::object();
    for (const BestFigure &figure : log.best)
        all[figure.key] = {{"value", numberJson(figure.value)},
                           {"unit", logUnitName(figure.unit)},
                           {"bytes", bytesOfUnit(figure.unit) > 0 ? Json(figure.bytes()) : Json()},
                           {"meaning", logQuantity(figure.key)->meaning}};
    return all;
}

std::string versionText(const ServingLog &log)
{
    if (!log.version.empty())
        return " " + log.version;
    if (log.versionFrom.empty() && log.versionTo.empty())
        return ", version not stated";
    if (log.versionTo.empty())
        return ", version not stated (" + log.versionFrom + " or later by its words)";
    if (log.versionFrom.empty())
        return ", version not stated (" + log.versionTo + " or earlier by its words)";
    return ", version not stated (" +
           (log.versionFrom == log.versionTo ? log.versionFrom
                                             : log.versionFrom + " to " + log.versionTo) +
           " by its words)";
}

/// The cache by what the engine says of it, in the order in which a reader wants it.
std::string cacheText(const ServingLog &log, ByteUnit unit)
{
    std::string text;
    for (const std::string_view key : {"kv_cache_memory", "kv_cache_memory_stated", "kv_total",
                                       "memory_required_kv", "kv_allocated", "kv_size"}) {
        const BestFigure *figure = text.empty() ? log.find(key) : nullptr;
        if (figure)
            text = formatBytes(figure->bytes(), unit);
    }
    const BestFigure *keys = log.find("k_size");
    const BestFigure *values = log.find("v_size");
    if (text.empty() && keys && values)
        text = formatBytes(keys->bytes() + values->bytes(), unit);
    if (text.empty()) {
        // The buffers, or else the table of llama.cpp, which has the same.
        Bytes buffers = 0;
        for (const std::string_view key : {"kv_buffer:", "breakdown_context:"}) {
            const bool isKnown = buffers > 0;
            for (const BestFigure &figure : log.best)
                buffers += !isKnown && figure.key.starts_with(key) ? figure.bytes() : 0;
        }
        text = buffers > 0 ? formatBytes(buffers, unit) : "";
    }
    return text;
}

/// "46,368 tokens" or "1,381 blocks", without those that the concurrency contradicts.
std::string roomText(const ServingLog &log)
{
    for (const std::string_view key : {"kv_cache_tokens", "max_total_num_tokens", "kv_tokens",
                                       "kv_paged_tokens", "gpu_blocks", "kv_blocks"}) {
        const BestFigure *figure = log.find(key);
        const bool isDoubtful = key == "kv_cache_tokens" && tokensContradictConcurrency(log);
        if (figure && !isDoubtful)
            return figureText(figure->value, figure->unit, figure->decimals);
    }
    return {};
}

Json planSettingsJson(const std::vector<LogPlanSetting> &settings)
{
    return rowsJson(planSettingsTable(settings), {"subject", "value", "how"});
}

Json againstJson(const LogAgainstPlan &against)
{
    Json json = {{"plan", parsedJson(planJson(against.plan.plan))},
                 {"settings", planSettingsJson(against.plan.settings)},
                 {"not_told", against.plan.notTold},
                 {"why_not", textOrNull(against.comparison.whyNot)},
                 {"rows", rowsJson(logDifferencesTable(against.comparison),
                                   {"name", "unit", "logged", "rounding", "planned", "relative",
                                    "reason"})}};
    if (against.takeOver) {
        json["taken"] = planSettingsJson(against.takeOver->taken);
        json["not_taken"] = against.takeOver->notTaken;
    }
    return json;
}

std::string settingLines(const std::vector<LogPlanSetting> &settings)
{
    std::string text;
    for (const LogPlanSetting &setting : settings)
        text +=
            paragraph(printable(setting.subject + ": " + setting.value + ", " + setting.how + "."));
    return text;
}

std::string checkLine(const LogCheck &check)
{
    const int decimals = check.unit == LogUnit::Tokens || check.unit == LogUnit::MiB ? 0 : 2;
    std::string text = check.text + ": " + formatDecimals(check.left, decimals) +
                       (check.holds ? " against " : ", but ") +
                       figureText(check.right, check.unit, decimals) +
                       (check.holds ? ", holds" : " printed: does not hold");
    if (!check.rank.empty())
        text += " (" + check.rank + ")";
    return text;
}

} // namespace

std::string servingLogTitle(const ServingLog &log)
{
    return std::string(logEngineName(log.engine)) + versionText(log);
}

std::string servingLogAnswer(const ServingLog &log, ByteUnit unit)
{
    std::string text;
    if (const auto verdict = verdictOf(log, unit); verdict && verdict->isFinal) {
        text = "The engine " + std::string(refusalRow(verdict->kind).words) + ".";
        // What the log tells of a cache is of an earlier attempt.
        if (verdict->stage != LogStage::Unknown && verdict->stage < LogStage::Cache)
            return text;
        text += ' ';
    }
    const std::string cache = cacheText(log, unit);
    const std::string room = roomText(log);
    if (const BestFigure *budget = log.find("kv_cache_memory"); budget && budget->value <= 0)
        return text + "Weights and activations exceed the budget by " +
               formatBytes(-budget->bytes(), unit) + ": nothing is left for the cache.";
    const BestFigure *concurrency = log.find("max_concurrency");
    const BestFigure *length = log.find("max_model_len");
    std::string sequences;
    if (concurrency && length)
        sequences = formatDecimals(concurrency->value, concurrency->decimals) + " sequences of " +
                    formatDecimals(length->value, 0) + " tokens at once";
    if (cache.empty() && room.empty() && sequences.empty()) {
        const auto weights = budgetOf(log).weights;
        if (!text.empty())
            return text;
        return weights ? "Weights take " + formatBytes(*weights, unit) +
                             "; the log does not state the size of the cache."
                       : "The log does not state the size of the cache.";
    }
    if (cache.empty() && room.empty())
        return text + "The cache holds " + sequences + ".";
    text += "The cache " + (cache.empty() ? "holds " + room : "has " + cache);
    if (!cache.empty() && !room.empty())
        text += " for " + room;
    if (!sequences.empty())
        text += ": " + sequences;
    return text + ".";
}

std::string logAgainstPlanText(const LogAgainstPlan &against, ByteUnit unit)
{
    std::string text = "Plan inferred from this log\n" + settingLines(against.plan.settings);
    if (!against.plan.notTold.empty()) {
        text += "\nNot in the log, left as the plan has it or at a default\n";
        for (const std::string &sentence : against.plan.notTold)
            text += paragraph(printable(sentence));
    }
    if (!against.comparison.whyNot.empty())
        text += "\n" + paragraph("The plan gives no figures: " + against.comparison.whyNot);
    else
        text += "\nThe log beside the plan\n" +
                terminalText(logDifferencesTable(against.comparison), unit);
    if (against.takeOver) {
        text += "\nTaken over into the plan\n" + settingLines(against.takeOver->taken);
        for (const std::string &sentence : against.takeOver->notTaken)
            text += paragraph("Not taken over. " + printable(sentence));
    }
    return text;
}

std::string servingLogJson(const ServingLog &log, std::string_view file,
                           const LogAgainstPlan *against)
{
    const auto findingJson = [](const Finding &finding) -> Json {
        return {
            {"title", finding.title}, {"sentence", finding.sentence}, {"fault", finding.isBad()}};
    };
    const auto findings = findingsOf(log, against ? &against->plan.plan : nullptr);
    const auto verdict = verdictOf(log);
    Json json{{"file", file},
              {"engine", logEngineId(log.engine)},
              {"engines", listJson(log.engines, logEngineId)},
              {"version", textOrNull(log.version)},
              {"version_from", textOrNull(log.versionFrom)},
              {"version_to", textOrNull(log.versionTo)},
              {"lines", log.lines},
              {"starts", log.starts},
              {"figures", listJson(log.figures, logFigureJson)},
              {"best", bestJson(log)},
              {"checks", listJson(log.checks, logCheckJson)},
              {"refusals", listJson(log.refusals, refusalJson)},
              {"attempts", log.attempts},
              {"stages", rowsJson(logStagesTable(log), {"stage", "attempt", "model", "line",
                                                        "bytes", "seconds", "state"})},
              {"verdict", verdict ? verdictJson(*verdict) : Json()},
              {"findings", listJson(findings, findingJson)},
              {"settings", rowsJson(logSettingsTable(log), {"name", "value", "line"})},
              {"problems", log.problems}};
    if (against)
        json["against"] = againstJson(*against);
    return jsonText(json);
}

std::string servingLogText(const ServingLog &log, std::string_view file, ByteUnit unit)
{
    std::string text = printable(file) + ": " + servingLogTitle(log) + "\n" +
                       paragraph(servingLogAnswer(log, unit));
    if (const auto verdict = verdictOf(log, unit))
        text += "\nVerdict\n" + paragraph(verdictText(*verdict, unit));
    if (!log.stages.empty())
        text += "\nStages\n" + terminalText(pickedColumns(logStagesTable(log),
                                                          {"name", "bytes", "seconds", "state"}),
                                            unit);
    if (!log.refusals.empty()) {
        text += "\nRefusals\n";
        for (const LogRefusal &refusal : log.refusals)
            text += paragraph("Line " + formatCount(refusal.line) +
                              (refusal.count > 1 ? ", " + counted(refusal.count, "time") : "") +
                              ": " + refusal.sentence);
    }
    const std::vector<Finding> findings = findingsOf(log, nullptr, unit);
    if (!findings.empty()) {
        text += "\nDiagnosis\n";
        for (const Finding &finding : findings)
            text += paragraph(finding.title + ". " + finding.sentence);
    }
    if (!log.best.empty())
        text += "\nFigures of " + counted(log.lines, "line") + "\n" +
                terminalText(pickedColumns(logFiguresTable(log), {"figure", "value", "meaning"}));
    if (!log.checks.empty()) {
        text += "\nChecks\n";
        for (const LogCheck &check : log.checks)
            text += paragraph("  " + checkLine(check));
    }
    if (!log.settings.empty())
        text += "\nAs it was set up\n" + terminalText(logSettingsTable(log));
    for (const std::string &problem : log.problems)
        text += "\n" + paragraph("Note: " + problem);
    return text;
}

} // namespace vramscope
