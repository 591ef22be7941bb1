// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/base/written_size.h"
#include "core/planner/field_text.h"
#include "core/planner/job_text.h"
#include "core/planner/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string valueText(const Reading &r, const Settings &settings, FieldPath path)
{
    if (path == "hardware.gpu" && settings.gpu)
        return settings.gpu->title;
    return fieldWords(effectiveValue(r.plan, settings, fieldAt(path)));
}

/// "weights in 16 bits", of a number of bytes.
std::string bitsText(std::string_view of, const std::string &bytes)
{
    constexpr std::int64_t kBits = 8;
    return std::string(of) + " in " + formatCount(kBits * writtenCount(bytes).value_or(0)) +
           " bits";
}

std::string fieldText(const Reading &r, const Settings &settings, FieldPath path)
{
    if (path == "precision.weight_bytes")
        return bitsText(settings.adapters == AdapterKind::None ? "weights" : "base weights",
                        valueText(r, settings, path));
    if (path == "adapters.weight_bytes")
        return bitsText("adapters", valueText(r, settings, path));
    return labelInSentence(fieldAt(path)) + ' ' + valueText(r, settings, path);
}

} // namespace

void tellMeanings(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    for (AskedPiece &piece : r.asked.pieces) {
        if (piece.state != AskedState::Understood || !piece.meaning.empty())
            continue;
        const bool namesGpu =
            std::ranges::find(piece.fields, FieldPath("hardware.gpu")) != piece.fields.end();
        if (namesGpu) {
            const auto machine = std::ranges::find_if(r.machines, [&](const NamedMachine &one) {
                return r.words[one.first].begin == piece.begin;
            });
            piece.meaning = formatCount(r.plan.hardware.gpus.value_or(1)) + " × " +
                            valueText(r, settings, "hardware.gpu") +
                            (machine == r.machines.end() ? "" : machine->remark);
            if (machine != r.machines.end())
                piece.meaning += othersText(machine->others);
            continue;
        }
        for (const FieldPath path : piece.fields)
            piece.meaning += (piece.meaning.empty() ? "" : ", ") + fieldText(r, settings, path);
    }
}

void tellAssumed(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    if (!r.isClaimed("workload") && !r.ofPipeline())
        r.assume("workload", taskText(settings));
    std::vector<FieldPath> deciding = {"hardware.gpu", "hardware.gpus"};
    std::ranges::copy(decidingFields(settings), std::back_inserter(deciding));
    for (const ToolDefault &def : r.defaults)
        if (std::ranges::find(deciding, def.field) == deciding.end())
            deciding.push_back(def.field);
    for (const FieldPath path : deciding) {
        if (!r.isClaimed(path) && !(path == "hardware.gpus" && r.nodes) &&
            !valueText(r, settings, path).empty())
            r.assume(path, fieldText(r, settings, path));
    }
}

} // namespace vramscope
