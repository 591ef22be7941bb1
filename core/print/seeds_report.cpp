// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/seeds_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <cmath>

namespace vramscope {

namespace {

// Bytes and counts of the document are whole; what was divided for a formula may not be.
Json inOnes(double value, SeedUnit unit)
{
    const double ones = value * unitSize(unit);
    const bool ratio =
        unit == SeedUnit::Percent || unit == SeedUnit::Times || unit == SeedUnit::Seconds;
    return ratio ? Json(ones) : Json(std::llround(ones));
}

Json seedRowJson(const SeedRow &row)
{
    const bool known = row.recomputed.ok();
    return {
        {"claim", row.point},
        {"unit", unitName(row.unit)},
        {"written",
         {{"low", inOnes(row.writtenLow, row.unit)}, {"high", inOnes(row.writtenHigh, row.unit)}}},
        {"recomputed", known ? inOnes(*row.recomputed / unitSize(row.unit), row.unit) : Json()},
        {"difference", known ? inOnes(row.difference(), row.unit) : Json()},
        {"how", row.how},
        {"reason", known ? std::string(row.reason) : row.recomputed.error().text()}};
}

bool whole(SeedUnit unit)
{
    return unit == SeedUnit::Count || unit == SeedUnit::Byte;
}

// Whole numbers as they are; others with as many decimals as their size bears.
std::string number(double value, SeedUnit unit)
{
    if (whole(unit) || std::abs(value) >= 1000)
        return formatCount(std::llround(value));
    return formatNumber(value, 4);
}

std::string figure(double value, SeedUnit unit)
{
    return number(value, unit) + std::string(unitName(unit));
}

std::string writtenText(const SeedRow &row)
{
    if (row.writtenLow == row.writtenHigh)
        return figure(row.writtenLow, row.unit);
    return number(row.writtenLow, row.unit) + " to " + figure(row.writtenHigh, row.unit);
}

// In percent of what is written, as a factor where that is many; as a figure where nothing is.
std::string differenceText(const SeedRow &row)
{
    if (!row.recomputed)
        return {};
    const double difference = row.difference();
    const double written = difference < 0 ? row.writtenLow : row.writtenHigh;
    if (written == 0)
        return "+" + figure(difference, row.unit);
    const double percent = difference / written * 100;
    if (std::abs(percent) < 0.05)
        return "none";
    if (percent >= 1000)
        return "× " + formatNumber(1 + percent / 100, 3);
    return (percent > 0 ? "+" : "") + formatNumber(percent, std::abs(percent) < 10 ? 2 : 3) + " %";
}

std::string seedTableText(const SeedTable &seed)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
    table.addRow({"claim", "as written", "recomputed", "difference"});
    for (const SeedRow &row : seed.rows)
        table.addRow({std::string(row.point), writtenText(row),
                      row.recomputed ? figure(*row.recomputed / unitSize(row.unit), row.unit)
                                     : "not computed",
                      differenceText(row)});
    const std::vector<std::string> lines = table.lines(); // the first one is the heading
    std::string text = lines.front();
    for (std::size_t line = 1; line < lines.size(); ++line) {
        text += lines[line];
        const SeedRow &row = seed.rows[line - 1];
        text += "      = " + printable(row.how) + '\n';
        text +=
            "      " +
            (row.recomputed ? std::string(row.reason) : printable(row.recomputed.error().text())) +
            '\n';
    }
    return text;
}

} // namespace

std::string seedsJson(const std::vector<SeedTable> &tables)
{
    const auto seedJson = [](const SeedTable &table) -> Json {
        return {{"seed", table.name},
                {"title", table.title},
                {"claims", listJson(table.rows, seedRowJson)}};
    };
    return jsonText({{"seeds", listJson(tables, seedJson)}});
}

std::string seedsText(const std::vector<SeedTable> &tables)
{
    std::string text;
    for (const SeedTable &table : tables) {
        text += (text.empty() ? "Seed " : "\nSeed ") + std::string(table.name) + ": " +
                std::string(table.title) + '\n' + seedTableText(table);
    }
    return text;
}

} // namespace vramscope
