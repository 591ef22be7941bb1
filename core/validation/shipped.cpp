// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/shipped.h"

#include "core/base/shipped_documents.h"
#include "core/plan/plan_json.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vramscope {

namespace {

const std::string kMeasured = "measured/";
/// Published by others: those that formulas were fitted to, and those that were met later.
constexpr std::array<std::string_view, 3> kPublishedFolders = {"published/", "strangers1/",
                                                               "strangers2/"};
/// Recorded on a GPU, on a CPU, and on fake tensors.
constexpr std::array<std::string_view, 3> kRecordedFolders = {"gpu/", "recorded/", "own/"};

} // namespace

std::vector<MeasuredRow> shippedRows()
{
    std::vector<MeasuredRow> rows;
    const auto addTable = [&rows](std::string_view folder) {
        const std::string path(folder);
        const auto table = parseMeasured(shippedDocument(kMeasured + path + "rows.csv"));
        assert(table);
        for (MeasuredRow row : *table) {
            row.setup = path + row.setup;
            rows.push_back(std::move(row));
        }
    };
    std::ranges::for_each(kPublishedFolders, addTable);
    std::ranges::for_each(kRecordedFolders, addTable);
    return rows;
}

Result<Plan> shippedSetup(const std::string &setup)
{
    const std::string_view document = shippedDocument(kMeasured + setup);
    if (document.empty())
        return Error{ErrorCode::NotFound, "There is no measured setup " + setup + '.'};
    return parsePlan(document);
}

bool isRecordedOnGpu(const MeasuredRow &row)
{
    return row.setup.starts_with(kRecordedFolders[0]);
}

bool isRecorded(const MeasuredRow &row)
{
    return std::ranges::any_of(
        kRecordedFolders, [&](std::string_view folder) { return row.setup.starts_with(folder); });
}

} // namespace vramscope
