// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_problems.h"

namespace vramscope {

std::optional<Error> jsonStop(JsonOutcome outcome, const JsonRepair &text)
{
    if (outcome == JsonOutcome::Read)
        return {};
    if (outcome == JsonOutcome::Surplus)
        return Error{ErrorCode::Malformed,
                     "Something follows the end of the content; it was left out.", text.offset()};
    if (text.ended())
        return Error{ErrorCode::Truncated,
                     "The file ends in the middle, as when its program was stopped; what was "
                     "complete was read.",
                     text.offset()};
    return Error{ErrorCode::Malformed,
                 "From about here on the file is not JSON; what came before was read.",
                 text.offset()};
}

void addJsonProblems(SeriesBuilder &builder, const JsonRepair &text,
                     const std::optional<Error> &stop)
{
    for (std::size_t i = 0; i < kJsonFlawCount; ++i) {
        const JsonRepair::Flaws &flaws = text.flaws(JsonFlaw(i));
        if (flaws.count > 0)
            builder.addProblem(jsonFlawText(JsonFlaw(i)), flaws.firstOffset, flaws.count);
    }
    if (stop)
        builder.addProblem(stop->detail, stop->offset);
}

} // namespace vramscope
