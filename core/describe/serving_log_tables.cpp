// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/serving_log_tables.h"

#include "core/serving_logs/log_stages.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

using LogCell = DataTable::Cell;
using LogKind = DataTable::Kind;

std::string printedText(const BestFigure &figure)
{
    return figureText(figure.value, figure.unit, figure.decimals);
}

/// Memory in bytes, with what the log printed in its tooltip; counts as printed.
LogCell figureCell(const BestFigure &figure)
{
    return bytesOfUnit(figure.unit) > 0
               ? LogCell(figure.bytes()).with(printedText(figure) + " as printed")
               : LogCell(printedText(figure));
}

std::string meaningText(const BestFigure &figure)
{
    const std::string meaning(logQuantity(figure.key)->meaning);
    const std::size_t device = figure.key.find(':');
    return device == figure.key.npos ? meaning
                                     : meaning + " (" + figure.key.substr(device + 1) + ")";
}

/// Whole numbers without a point.
LogCell numberCell(double value)
{
    constexpr double kExact = 9e15;
    const bool isWhole = value == std::floor(value) && std::abs(value) < kExact;
    return isWhole ? LogCell(static_cast<std::int64_t>(value)) : LogCell(value);
}

LogCell amountCell(const std::optional<double> &amount, LogUnit unit)
{
    if (!amount)
        return {};
    const LogCell cell = numberCell(*amount);
    return unit == LogUnit::Byte
               ? cell.with(formatExactBytes(static_cast<Bytes>(std::llround(*amount))))
               : cell.as(formatDecimals(*amount, unit == LogUnit::Sequences ? 2 : 0));
}

/// "+0.8 %", "none" where both agree as far as the log's digits say.
std::string relativeText(const LogDifference &row)
{
    const auto relative = row.relative();
    if (!relative)
        return {};
    if (row.agrees())
        return "none";
    const std::string percent = formatDecimals(std::abs(*relative) * 100, 1);
    const std::string_view sign = percent == "0.0" ? "" : *relative > 0 ? "+" : "-";
    return std::string(sign) + percent + " %";
}

} // namespace

std::string figureText(double value, LogUnit unit, int decimals)
{
    std::string number = formatDecimals(value, std::min(decimals, 4));
    if (unit == LogUnit::Ratio)
        return number;
    std::string_view name = logUnitName(unit);
    if (number == "1" && bytesOfUnit(unit) == 0 && name.ends_with('s'))
        name.remove_suffix(1);
    return number + ' ' + std::string(name);
}

DataTable logFiguresTable(const ServingLog &log)
{
    RowTable table("Figures of the log", {{"figure", "Figure"},
                                          {"value", "Value", LogKind::Figure},
                                          {"amount", "Value", LogKind::Size},
                                          {"meaning", "What it is"}});
    for (const BestFigure &figure : log.best)
        table.add({figure.key, printedText(figure), figureCell(figure), meaningText(figure)});
    return std::move(table).table();
}

DataTable logStagesTable(const ServingLog &log)
{
    RowTable table("Stages of the start", {{.key = "stage", .isShown = false},
                                           {"name", "Stage"},
                                           {.key = "attempt", .isShown = false},
                                           {.key = "model", .isShown = false},
                                           {.key = "line", .isShown = false},
                                           {"bytes", "Memory", LogKind::Size},
                                           {"seconds", "Time", LogKind::Seconds},
                                           {"state", "State"}});
    for (const LogStageSpan &span : log.stages) {
        const bool isLast = &span == &log.stages.back() && span.stage != LogStage::Serving;
        const std::string name(logStageName(span.stage));
        table.add({logStageId(span.stage),
                   log.attempts > 1 ? name + ", attempt " + std::to_string(span.attempt) : name,
                   span.attempt, span.model, span.line, span.bytes, span.seconds,
                   span.failed ? "failed"
                   : isLast    ? "reached"
                               : "done"},
                  {}, span.failed);
    }
    return std::move(table).table();
}

std::string stageFacts(const LogStageSpan &span, ByteUnit unit)
{
    std::string facts;
    if (span.bytes && *span.bytes > 0)
        facts = formatBytes(*span.bytes, unit);
    if (span.seconds)
        facts += (facts.empty() ? "" : ", ") + formatDecimals(*span.seconds, 1) + " s";
    return facts;
}

std::string stagesLine(const ServingLog &log, ByteUnit unit)
{
    std::string line;
    int attempt = 0;
    for (const LogStageSpan &span : log.stages) {
        std::string facts = stageFacts(span, unit);
        if (span.failed)
            facts += facts.empty() ? "failed" : ", failed";
        const bool isNext = !line.empty() && span.attempt != attempt;
        line += line.empty() ? "" : isNext ? "; then again: " : " → ";
        line +=
            std::string(logStageName(span.stage)) + (facts.empty() ? facts : " (" + facts + ")");
        attempt = span.attempt;
    }
    return line;
}

DataTable logChecksTable(const ServingLog &log)
{
    RowTable table("Checks among the figures", {{"check", "Identity"},
                                                {"left", "Computed", LogKind::Figure},
                                                {"right", "Printed", LogKind::Figure},
                                                {"holds", ""}});
    for (const LogCheck &check : log.checks) {
        const int decimals = check.unit == LogUnit::Tokens || check.unit == LogUnit::MiB ? 0 : 2;
        table.add({{check.text, check.rank},
                   formatDecimals(check.left, decimals),
                   figureText(check.right, check.unit, decimals),
                   check.holds ? "holds" : "does not hold"},
                  {}, !check.holds);
    }
    return std::move(table).table();
}

DataTable logSettingsTable(const ServingLog &log)
{
    RowTable table("Settings in the log",
                   {{"name", ""}, {"value", ""}, {.key = "line", .isShown = false}});
    for (const LogSetting &setting : log.settings)
        table.add({setting.name, setting.value, setting.line});
    return std::move(table).table();
}

DataTable planSettingsTable(std::span<const LogPlanSetting> settings)
{
    RowTable table(
        "Settings from the log",
        {{"subject", "Setting"}, {"value", "Value", LogKind::Figure}, {"how", "Source"}});
    for (const LogPlanSetting &setting : settings)
        table.add({setting.subject, setting.value, setting.how});
    return std::move(table).table();
}

DataTable logDifferencesTable(const LogComparison &comparison)
{
    RowTable table("The log next to its plan",
                   {{"name", ""},
                    {.key = "unit", .isShown = false},
                    {.key = "logged", .title = "Log", .kind = LogKind::Size, .isExact = true},
                    {.key = "rounding", .isShown = false, .isExact = true},
                    {.key = "planned", .title = "Plan", .kind = LogKind::Size, .isExact = true},
                    {"difference", "Difference", LogKind::Figure},
                    {.key = "relative", .isShown = false, .isExact = true},
                    {"reason", "Why"}});
    for (const LogDifference &row : comparison.rows)
        table.add({row.name, logUnitName(row.unit), amountCell(row.logged, row.unit), row.rounding,
                   amountCell(row.planned, row.unit), relativeText(row), row.relative(),
                   row.reason});
    return std::move(table).table();
}

} // namespace vramscope
