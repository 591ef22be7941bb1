// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/estimate/peak_summary.h"
#include "core/settings/settings.h"

#include <cstdint>
#include <optional>

namespace vramscope {

struct Field;
struct FitSummary;

/// An error where the current plan has no figures, with every reason why.
[[nodiscard]] Result<void> checkComputed(const Plan &plan);

/// The fit summary of a plan, or an error with every reason why it has none.
[[nodiscard]] Result<FitSummary> knownFitSummary(const Plan &plan);

/// A plan that is changed and evaluated many times over. Its model, GPU and capacity do not change;
/// the plan itself may contradict itself until a change makes it sound.
class PlanEvaluator
{
public:
    /// An error where the model or the GPU's capacity is not known.
    [[nodiscard]] static Result<PlanEvaluator> of(const Plan &plan);

    Plan plan; ///< changed by the caller between two calls of weigh()

    /// Updates the settings of one field from the plan; those that follow from it wait for weigh().
    void take(const Field &field);
    /// The peakSummary of the current plan; nothing where a check bars its figures.
    [[nodiscard]] std::optional<PeakSummary> weigh();
    /// Updates the settings to the current plan, and nothing else.
    void update();
    /// Work of a step of the current plan, in a fraction of the time of weigh() in training;
    /// nothing where a check bars its figures.
    [[nodiscard]] std::optional<StepWork> work();
    /// Whether the plan just weighed fits its capacity and has the requested cache.
    [[nodiscard]] bool fits(const PeakSummary &peakSummary) const;

    /// The settings of the plan last weighed, and of the fields updated since.
    [[nodiscard]] const Settings &settings() const { return m_settings; }
    /// Plans whose figures were computed so far.
    [[nodiscard]] std::int64_t weighed() const { return m_weighed; }

private:
    PlanEvaluator(const Plan &stated, Settings settings);

    Settings m_settings;
    ParameterCounts m_counts;
    std::int64_t m_weighed = 0;
};

} // namespace vramscope
