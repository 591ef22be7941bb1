// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/readers/json_repair.h"
#include "core/trace/series_builder.h"

#include <optional>

namespace vramscope {

/// How a parser fared with a text.
enum class JsonOutcome {
    Read,     ///< to its end
    Surplus,  ///< the outermost bracket was closed, and then more came
    Abandoned ///< the parser could not go on
};

/// Why a text could not be taken to its end; nothing where it could.
[[nodiscard]] std::optional<Error> jsonStop(JsonOutcome outcome, const JsonRepair &text);

/// Says in the series what was mended, and why reading stopped.
void addJsonProblems(SeriesBuilder &builder, const JsonRepair &text,
                     const std::optional<Error> &stop);

} // namespace vramscope
