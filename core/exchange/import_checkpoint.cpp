// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import_checkpoint.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/planner/field.h"
#include "core/planner/plan_json.h"
#include "core/planner/settings.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

constexpr FieldPath kTable = "model.checkpoint";

std::string counted(std::int64_t count, const char *what)
{
    return formatCount(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// "3 files, 1,234 tensors of 14.0 GiB: BF16 13.9 GiB, F32 0.1 GiB."
std::string summary(const CheckpointTable &table)
{
    std::string text = counted(table.files, "file") + ", " + counted(table.tensors(), "tensor") +
                       " of " + formatBytes(table.bytes());
    std::string separator = ": ";
    for (const TypeBytes &each : bytesByType(table)) {
        text += separator + std::string(each.type.name) + ' ' + formatBytes(each.bytes);
        separator = ", ";
    }
    return text + '.';
}

void noteIndex(const SafetensorsIndex &index, std::vector<ImportNote> &notes)
{
    const std::string size = index.totalBytes < 0 ? std::string()
                                                  : ", " + formatBytes(index.totalBytes) +
                                                        " in all (metadata.total_size)";
    notes.push_back(
        {"", "The index names " + counted(static_cast<std::int64_t>(index.tensors), "tensor") +
                 " in " + counted(std::ssize(index.files), "file") + size +
                 ". None of the files is beside it, so types and shapes are not known: the plan is "
                 "as it was. Import the folder that holds them."});
}

/// What resolve() says of the table, beside what is imported.
void noteTable(const CheckpointTable &table, Imported &imported)
{
    imported.notes.push_back({"", summary(table)});
    for (const Issue &issue : resolve(imported.plan).issues)
        if (issue.field == kTable.text())
            imported.notes.push_back({"", issue.text});
}

} // namespace

Result<Imported> importCheckpoint(const Plan &base, const std::filesystem::path &path)
{
    Result<Checkpoint> checkpoint = readCheckpoint(path);
    if (!checkpoint)
        return checkpoint.error();
    Imported imported{base, {}, {}};
    if (checkpoint->config) {
        const Result<std::string> text = readSettingsText(*checkpoint->config);
        Result<Imported> model = text ? importInto(base, *text) : Result<Imported>(text.error());
        if (!model)
            return Error{model.error().code, "config.json: " + model.error().text()};
        imported = std::move(model).value();
    }
    imported.format = "Checkpoint (" + checkpoint->kind + ")";
    if (!checkpoint->table) {
        noteIndex(*checkpoint->index, imported.notes);
        return imported;
    }
    if (!imported.plan.workload) {
        imported.plan.workload = Workload::Inference;
        imported.notes.push_back(
            {"", "The plan serves the model; set workload to training to train it."});
    }
    const auto set = setField(imported.plan, fieldAt(kTable), checkpointJson(*checkpoint->table));
    if (!set || planJson(imported.plan).size() > kLongestDocument)
        return Error{ErrorCode::Unsupported, "The table of its tensors is longer than a plan can "
                                             "hold: these are not the files of one model."};
    noteTable(*checkpoint->table, imported);
    return imported;
}

} // namespace vramscope
