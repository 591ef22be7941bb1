// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import_checkpoint.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

constexpr FieldPath kTable = "model.checkpoint";

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

/// Adds the issues of the table that resolve() reports.
void noteTable(const CheckpointTable &table, Imported &imported)
{
    imported.notes.push_back({"", summary(table)});
    for (const Issue &issue : resolve(imported.plan).issues)
        if (issue.field == kTable.text())
            imported.notes.push_back({"", issue.text});
}

void noteFindings(const Checkpoint &checkpoint, std::vector<ImportNote> &notes)
{
    for (const Finding &finding : checkpoint.findings)
        notes.push_back({"", finding.sentence});
    if (!checkpoint.missing.empty())
        notes.push_back({"", counted(std::ssize(checkpoint.missing), "part") + " of the model, " +
                                 excerpt(checkpoint.missing.front(), 120) +
                                 " among them, are not there: the weights are at least these."});
}

/// Sets the table of the tensors, and notes the issues of a plan with it.
Result<Imported> withTable(const Checkpoint &checkpoint, Imported imported)
{
    const auto set = setField(imported.plan, fieldAt(kTable), checkpointJson(*checkpoint.table));
    if (!set || planJson(imported.plan).size() > kLongestDocument)
        return Error{ErrorCode::Unsupported, "The table of its tensors is longer than a plan can "
                                             "hold: these are not the files of one model."};
    noteFindings(checkpoint, imported.notes);
    noteTable(*checkpoint.table, imported);
    return imported;
}

/// The plan's format for most bytes of a GGUF model, if it has one.
std::optional<WeightFormat> formatOf(const CheckpointTable &table)
{
    struct Pair
    {
        std::string_view type;
        WeightFormat format;
    };
    constexpr auto kFormats = std::to_array<Pair>({{"BF16", WeightFormat::Bf16},
                                                   {"F16", WeightFormat::Fp16},
                                                   {"F32", WeightFormat::Fp32},
                                                   {"MXFP4", WeightFormat::MxFp4},
                                                   {"Q4_0", WeightFormat::Q4_0},
                                                   {"Q8_0", WeightFormat::Q8_0},
                                                   {"Q4_K", WeightFormat::Q4_K},
                                                   {"Q5_K", WeightFormat::Q5_K},
                                                   {"Q6_K", WeightFormat::Q6_K}});
    const auto *const found =
        std::ranges::find(kFormats, bytesByType(table).front().type.name, &Pair::type);
    return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

/// A GGUF model as a plan that llama.cpp serves: its layers from its known keys, its weights from
/// its tensors.
Result<Imported> importGguf(const Plan &base, const Checkpoint &checkpoint)
{
    if (!checkpoint.table)
        return Error{ErrorCode::OtherContent, "The file has no tensors, so there is nothing to "
                                              "plan; choose the file of the model's weights."};
    if (checkpoint.gguf->text("general.architecture") == "clip")
        return Error{ErrorCode::OtherContent,
                     "This is the projector of a multimodal model (mmproj) of " +
                         formatBytes(checkpoint.table->bytes()) +
                         "; import the model that it belongs to."};
    Imported imported{base, {}, {}};
    const Result<std::string> config = ggufConfig(checkpoint);
    if (config) {
        Result<Imported> model = importInto(base, *config);
        if (!model)
            return model.error();
        imported = std::move(model).value();
    } else {
        imported.notes.push_back({"", config.error().text()});
    }
    imported.format = checkpoint.kind;
    imported.plan.workload = Workload::Inference;
    imported.plan.inference.engine = Engine::LlamaCpp;
    if (!imported.plan.inference.maxNumBatchedTokens) {
        imported.plan.inference.maxNumBatchedTokens = 512;
        imported.notes.push_back({"", "A micro-batch is llama.cpp's default of 512 tokens; state "
                                      "--ubatch-size as inference.max_num_batched_tokens."});
    }
    if (const auto format = formatOf(*checkpoint.table))
        imported.plan.inference.weightFormat = format;
    return withTable(checkpoint, std::move(imported));
}

} // namespace

Result<Imported> importCheckpoint(const Plan &base, const std::filesystem::path &path)
{
    Result<Checkpoint> checkpoint = readCheckpoint(path);
    if (!checkpoint)
        return checkpoint.error();
    if (checkpoint->gguf)
        return importGguf(base, *checkpoint);
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
    return withTable(*checkpoint, std::move(imported));
}

} // namespace vramscope
