// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/trace_input.h"
#include "core/analysis/categories/categories.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"

namespace vramscope::cli {

/// The lifetimes, the curve and the steps of a device, for the commands that judge them.
struct AnalysisInput
{
    explicit AnalysisInput(const TraceInput &input)
        : allocations(*input.device)
        , curve(*input.device, allocations)
        , steps(findSteps(*input.trace, *input.device, allocations, curve))
    {
    }
    const Allocations allocations;
    const UsageCurve curve;
    const Steps steps;
};

inline constexpr Option kTopOption{"--top", "N", "at most so many lines of a table; 0: all"};

/// The number that --top names, `otherwise` where it is not given; complains where it is none.
[[nodiscard]] inline Result<int> topOf(const Arguments &arguments, int otherwise)
{
    if (!arguments.has("--top"))
        return otherwise;
    Result<int> most = wholeNumber(arguments.value("--top"), 0);
    if (!most.ok())
        return Error{ErrorCode::Invalid, "--top: " + most.error().detail};
    return most;
}

/// Reports cut the line end that the output gets anyway.
[[nodiscard]] inline std::string withoutLineEnd(std::string text)
{
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

} // namespace vramscope::cli
