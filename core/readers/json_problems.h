// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/readers/json_repair.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// How the reading of a text went.
enum class JsonOutcome {
    Read,     ///< to its end
    Ended,    ///< the file ended before it was complete
    Surplus,  ///< the outermost bracket was closed, and then more came
    Abandoned ///< it could not go on
};

/// Why a text could not be read to its end; nothing if it could. `offset`: where in the file.
[[nodiscard]] std::optional<Error> jsonStop(JsonOutcome outcome, std::int64_t offset);

/// Reports why reading stopped and what was fixed to a builder with addProblem().
template<class Builder>
void addJsonProblems(Builder &builder, const JsonRepair *repair, const std::optional<Error> &stop)
{
    if (stop)
        builder.addProblem(stop->detail, stop->offset);
    for (std::size_t i = 0; repair != nullptr && i < kJsonFlawCount; ++i) {
        const JsonRepair::Flaws &flaws = repair->flaws(JsonFlaw(i));
        if (flaws.count > 0)
            builder.addProblem(jsonFlawText(JsonFlaw(i)), flaws.firstOffset, flaws.count);
    }
}

} // namespace vramscope
