// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/print/validation_report.h"
#include "core/validation/shipped.h"

#include <array>
#include <filesystem>
#include <iostream>
#include <set>

namespace vramscope::cli {

namespace {

const std::string kShippedFigures = "shipped figures"; // in the place of a file's name

std::string familiesOf(const std::vector<MeasuredRow> &rows)
{
    std::string list;
    std::set<std::string_view> named;
    for (const MeasuredRow &row : rows) {
        if (named.insert(row.family).second)
            list += (list.empty() ? "" : ", ") + row.family;
    }
    return list.empty() ? "none" : list;
}

int runValidate(const Arguments &arguments)
{
    const bool shipped = arguments.files.empty();
    const std::string file = shipped ? kShippedFigures : arguments.files.front();
    Result<std::vector<MeasuredRow>> rows = shipped ? shippedRows() : readMeasured(file);
    if (!rows.ok()) {
        complain(file, rows.error().text());
        return kUnusableFile;
    }
    if (arguments.has("--family")) {
        const std::string_view family = arguments.value("--family");
        const std::string families = familiesOf(*rows);
        std::erase_if(*rows, [&](const MeasuredRow &row) { return row.family != family; });
        if (rows->empty()) {
            complain("validate", "--family: no row is of the family " + std::string(family) +
                                     "; the file has: " + families);
            return kBadArguments;
        }
    }
    const Validation validation =
        validate(*rows, shipped ? SetupReader(shippedSetup)
                                : setupsIn(std::filesystem::path(file).parent_path()));
    if (arguments.has("--json"))
        std::cout << validationJson(validation, file) << '\n';
    else
        std::cout << validationText(validation, file);
    std::cout << std::flush;
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
     "The planner's figures beside measured ones, those that ship or a table's, and the errors.", 0,
     1, kValidateOptions},
    runValidate};

} // namespace vramscope::cli
