// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_problems.h"

namespace vramscope {

std::optional<Error> jsonStop(JsonOutcome outcome, std::int64_t offset)
{
    switch (outcome) {
    case JsonOutcome::Read:
        break;
    case JsonOutcome::Ended:
        return Error{ErrorCode::Truncated,
                     "The file ends in the middle, as when its program was stopped; what was "
                     "complete was read.",
                     offset};
    case JsonOutcome::Surplus:
        return Error{ErrorCode::Malformed,
                     "Something follows the end of the content; it was left out.", offset};
    case JsonOutcome::Abandoned:
        return Error{ErrorCode::Malformed,
                     "From about here on the file is not JSON; what came before was read.", offset};
    }
    return {};
}

} // namespace vramscope
