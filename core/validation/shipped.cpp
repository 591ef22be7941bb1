// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/shipped.h"

#include "core/planner/plan_json.h"
#include "core/validation/shipped_documents.h"

#include <cassert>

namespace vramscope {

namespace {

const std::string kMeasured = "measured/";
constexpr std::string_view kPublishedFolder = "published/";
constexpr std::string_view kRecordedFolder = "recorded/";

} // namespace

std::vector<MeasuredRow> shippedRows()
{
    std::vector<MeasuredRow> rows;
    for (const std::string_view folder : {kPublishedFolder, kRecordedFolder}) {
        const std::string path(folder);
        const auto table = parseMeasured(shippedDocument(kMeasured + path + "rows.csv"));
        assert(table);
        for (MeasuredRow row : *table) {
            row.setup = path + row.setup;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

Result<Plan> shippedSetup(const std::string &setup)
{
    const std::string_view document = shippedDocument(kMeasured + setup);
    if (document.empty())
        return Error{ErrorCode::NotFound, "There is no measured setup " + setup + '.'};
    return parsePlan(document);
}

bool isRecorded(const MeasuredRow &row)
{
    return row.setup.starts_with(kRecordedFolder);
}

} // namespace vramscope
