// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/base/written_size.h"
#include "core/settings/field_text.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string valueText(const Plan &plan, const Settings &settings, FieldPath path)
{
    if (path == "hardware.gpu" && settings.gpu)
        return settings.gpu->title;
    const Field &field = fieldAt(path);
    const FieldValue value = effectiveValue(plan, settings, field);
    const auto *bytes = std::get_if<std::int64_t>(&value);
    return bytes && field.kind == FieldKind::Size ? formatBytes(*bytes) : fieldWords(value);
}

/// "weights in 16 bits", of a number of bytes.
std::string bitsText(std::string_view of, const std::string &bytes)
{
    constexpr std::int64_t kBits = 8;
    return std::string(of) + " in " + formatCount(kBits * writtenCount(bytes).value_or(0)) +
           " bits";
}

/// "3 × GeForce RTX 3060 12 GB", "1 × GPU of 24 GB", of one kind among several.
std::string kindText(const NamedMachine &machine)
{
    return formatCount(machine.all()) + " × " + gpuTitle(machine.gpu, machine.gigabytes);
}

} // namespace

std::string fieldTold(const Plan &plan, const Settings &settings, FieldPath path)
{
    if (path == "inference.engine" && settings.workload == Workload::Inference)
        return taskText(settings);
    if (path == "precision.weight_bytes")
        return bitsText(settings.adapters.kind == AdapterKind::None ? "weights"
                        : settings.adapters.baseQuantization == BaseQuantization::None
                            ? "base weights"
                            : "unquantized weights",
                        valueText(plan, settings, path));
    if (path == "adapters.weight_bytes")
        return bitsText("adapters", valueText(plan, settings, path));
    return labelInSentence(fieldAt(path)) + ' ' + valueText(plan, settings, path);
}

void tellMeanings(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    for (AskedPiece &piece : r.asked.pieces) {
        if (piece.state != AskedState::Understood || !piece.meaning.empty())
            continue;
        const bool namesGpu =
            std::ranges::find(piece.fields, FieldPath("hardware.gpu")) != piece.fields.end();
        const bool isListed =
            std::ranges::find(piece.fields, FieldPath("hardware.gpu_list")) != piece.fields.end();
        if (namesGpu || isListed) {
            const auto machine = std::ranges::find_if(r.machines, [&](const NamedMachine &one) {
                return r.words[one.first].begin == piece.begin;
            });
            if (isListed && machine != r.machines.end()) {
                piece.meaning = kindText(*machine) + machine->remark + othersText(machine->others);
                continue;
            }
            piece.meaning = formatCount(r.plan.hardware.gpus.value_or(1)) + " × " +
                            valueText(r.plan, settings, "hardware.gpu") +
                            (machine == r.machines.end() ? "" : machine->remark);
            if (machine != r.machines.end())
                piece.meaning += othersText(machine->others);
            continue;
        }
        for (const FieldPath path : piece.fields)
            piece.meaning +=
                (piece.meaning.empty() ? "" : ", ") + fieldTold(r.plan, settings, path);
    }
}

void tellAssumed(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    const bool isTaskAssumed = !r.isClaimed("workload") && !r.ofPipeline();
    if (isTaskAssumed) {
        r.assume("workload", taskText(settings));
        if (settings.workload == Workload::Inference) // "served by vLLM"
            r.asked.pieces.back().fields.push_back("inference.engine");
    }
    std::vector<FieldPath> deciding = {"hardware.gpu", "hardware.gpus"};
    if (!settings.gpuList.empty())
        deciding.erase(deciding.begin());
    std::ranges::copy(decidingFields(settings), std::back_inserter(deciding));
    for (const ToolDefault &def : r.defaults)
        if (std::ranges::find(deciding, def.field) == deciding.end())
            deciding.push_back(def.field);
    for (const FieldPath path : deciding) {
        const bool isSought = r.asked.sought && r.asked.sought->field == path;
        const bool isAssumed = std::ranges::any_of(r.asked.pieces, [path](const AskedPiece &piece) {
            return piece.state == AskedState::Assumed &&
                   std::ranges::find(piece.fields, path) != piece.fields.end();
        });
        const bool isSaidAsLongest =
            path == "inference.mean_sequence_length" && r.isClaimed("inference.max_model_len");
        const bool isTold = isSought || isAssumed || isSaidAsLongest;
        if (!r.isClaimed(path) && !isTold && !(path == "hardware.gpus" && r.nodes) &&
            !valueText(r.plan, settings, path).empty())
            r.assume(path, fieldTold(r.plan, settings, path));
    }
}

} // namespace vramscope
