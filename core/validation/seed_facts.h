// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/model/parameters.h"
#include "core/settings/settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace vramscope {

/// A count or size as formulas reckon with it.
[[nodiscard]] constexpr double number(std::int64_t value)
{
    return static_cast<double>(value);
}

/// What the planner and the catalogue say about the example plans, each estimated once. A failure
/// makes every later answer 0 and is kept, so that a formula over several answers is checked once.
class SeedFacts
{
public:
    /// A figure, by figureOf()'s paths, of an example plan. `change`: a JSON merge patch (RFC 7386)
    /// of its document.
    double figure(std::string_view plan, std::string_view path, std::string_view change = {});
    /// The most bytes that a category takes at any moment.
    double most(std::string_view plan, Category category, std::string_view change = {});
    /// What the formulas read of an example plan.
    const Settings &settings(std::string_view plan);
    ParameterCounts counts(std::string_view plan);
    /// Bytes of one GPU where each parameter takes so many and all are shared by the data-parallel
    /// group.
    double sharded(std::string_view plan, double bytesPerParameter);
    /// The share of the most activations that the plan's checkpointing does away with.
    double savedByCheckpointing(std::string_view plan);
    /// Memory of a GPU of the catalogue as its driver reports it, in bytes.
    double capacity(std::string_view gpu);

    /// The first failure since the last call.
    std::optional<Error> takeError();

private:
    struct Answer
    {
        Settings settings;
        Estimate estimate;
    };
    const Answer &answer(std::string_view plan, std::string_view change);
    void fail(std::string text);

    std::map<std::pair<std::string, std::string>, Answer> m_answers;
    std::optional<Error> m_error;
};

} // namespace vramscope
