// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/changes.h"

#include "core/base/counted.h"
#include "core/settings/field_text.h"

namespace vramscope {

std::string titleOf(const Change &change, const Settings &before, const Settings &after)
{
    std::string title(change.title);
    if (change.number) {
        const Field &field = fieldAt(*change.number);
        const FieldValue now = field.inForce(before);
        title.replace(title.find("{}"), 2, fieldWords(field.inForce(after)));
        const auto *count = std::get_if<std::int64_t>(&now);
        if (count ? *count > 1 : isStated(now))
            title += " (now " + fieldWords(now) + ')';
    }
    if (const std::int64_t more = after.gpus - before.gpus; more > 0)
        title += ", +" + counted(more, "GPU");
    return title;
}

std::span<const Change> changesOf(const Settings &s)
{
    if (s.diffusion)
        return diffusionChanges();
    return s.workload == Workload::Training ? trainingChanges() : servingChanges();
}

} // namespace vramscope
