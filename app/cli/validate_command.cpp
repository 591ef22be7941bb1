// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/path_text.h"
#include "core/print/throughput_report.h"
#include "core/print/validation_report.h"
#include "core/validation/shipped.h"
#include "core/validation/throughput.h"

#include <array>
#include <filesystem>
#include <iostream>
#include <set>

namespace vramscope::cli {

namespace {

const std::string kShippedFigures = "shipped figures"; // in place of a file's name

/// The tables to compare.
struct Tables
{
    std::vector<MeasuredRow> figures;
    std::vector<ThroughputRow>
        speeds; ///< of the shipped figures; a user's own table has figures only
};

std::string familiesOf(const Tables &tables)
{
    std::string list;
    std::set<std::string_view> named;
    const auto add = [&](const auto &rows) {
        for (const auto &row : rows) {
            if (!row.family.empty() && named.insert(row.family).second)
                list += (list.empty() ? "" : ", ") + row.family;
        }
    };
    add(tables.figures);
    add(tables.speeds);
    return list.empty() ? "none" : list;
}

void print(const Arguments &arguments, const std::string &file, const Validation &validation,
           const SpeedValidation &speeds)
{
    if (arguments.has("--json")) {
        const bool compares = !speeds.rows.empty();
        std::cout << validationJson(validation, file, compares ? &speeds : nullptr) << '\n';
    } else {
        // Each family is in one table.
        if (!validation.rows.empty() || speeds.rows.empty())
            std::cout << validationText(validation, file);
        if (!speeds.rows.empty())
            std::cout << (validation.rows.empty() ? "" : "\n") << throughputText(speeds);
    }
    std::cout << std::flush;
}

int runValidate(const Arguments &arguments)
{
    const bool shipped = arguments.files.empty();
    const std::string file = shipped ? kShippedFigures : arguments.files.front();
    Result<std::vector<MeasuredRow>> rows = shipped ? shippedRows() : readMeasured(pathOf(file));
    if (!rows.ok())
        return unusable(file, rows.error().text());
    Tables tables{std::move(*rows), {}};
    if (shipped)
        tables.speeds = shippedThroughput();
    if (arguments.has("--family")) {
        const std::string_view family = arguments.value("--family");
        const std::string families = familiesOf(tables);
        const auto isOther = [&](const auto &row) { return row.family != family; };
        std::erase_if(tables.figures, isOther);
        std::erase_if(tables.speeds, isOther);
        if (tables.figures.empty() && tables.speeds.empty())
            return badArguments("validate", "--family: no row is of the family " +
                                                std::string(family) +
                                                "; the file has: " + families);
    }
    const Validation validation = validate(
        tables.figures, shipped ? SetupReader(shippedSetup) : setupsIn(pathOf(file).parent_path()));
    const SpeedValidation speeds = validateSpeeds(tables.speeds);
    print(arguments, file, validation, speeds);
    for (const UnusableRow &row : validation.unusable)
        complain(file, row.id + ": " + row.reason);
    return validation.unusable.empty() ? kSuccess : kUnusableFile;
}

constexpr std::array kValidateOptions{
    Option{"--json", "", "one JSON object"},
    Option{"--family", "NAME", "the rows of this family alone"},
};

} // namespace

const Subcommand kValidateCommand{
    {"validate", "[ROWS.csv]",
     "The planner's figures beside measured ones, those that ship or a table's, and the errors; of "
     "what ships, projected speeds beside published ones too.",
     0, 1, kValidateOptions},
    runValidate};

} // namespace vramscope::cli
