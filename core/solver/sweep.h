// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A plan at its peak with one value of a field.
struct SweepPoint
{
    double value = 0;
    std::string refused; ///< why the plan has no figures with it; empty if it has
    std::array<Bytes, kCategoryCount> parts{};
    Bytes outside = 0; ///< between allocated and device; with `parts` the device level
    Bytes device = 0;
    std::string at; ///< name of the peak moment
    std::optional<Bytes> capacity;
    std::optional<Verdict> verdict; ///< where the capacity is known
};

/// Whether a field is a number that a sweep can vary.
[[nodiscard]] bool sweepable(const Field &field);

/// A number as the value of a field; whole where the field counts.
[[nodiscard]] FieldValue numberFor(const Field &field, double number);

/// Sets a value of a field in a plan, or says why it cannot be set.
using PlanEdit = Result<Plan> (*)(const Plan &, const Field &, const FieldValue &);
/// The field alone, after checking its range.
[[nodiscard]] Result<Plan> planWith(const Plan &plan, const Field &field, const FieldValue &value);

/// The peaks of a plan over values of a field, each as in estimate(); pure, about as long as one
/// estimate a value. `edit` sets what else follows from a value.
[[nodiscard]] std::vector<SweepPoint> sweep(const Plan &plan, const Field &field,
                                            std::span<const double> values,
                                            PlanEdit edit = planWith);

/// At most `most` values from `from` to `to`, ends included, in rising order: all whole numbers if
/// they are few; else in equal ratios where `to` is at least four times a positive `from`, powers
/// of two among them, or in equal steps. For fields that count they are whole, and those between
/// the ends are multiples of `step`.
[[nodiscard]] std::vector<double> sweepValues(const Field &field, double from, double to,
                                              std::size_t most, double step = 1);

/// The first neighbours of which one fits and the other does not, or may not; where none fits, of
/// which one is tight and the other does not fit. Their indices in the sweep; refused points are
/// skipped. Nothing where all points are alike.
struct SweepCrossing
{
    std::size_t better = 0;
    std::size_t worse = 0;
};
[[nodiscard]] std::optional<SweepCrossing> crossingOf(std::span<const SweepPoint> points);

} // namespace vramscope
