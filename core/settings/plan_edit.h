// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"
#include "core/plan/plan.h"

#include <string>

namespace vramscope {

/// A plan with one field set as a user means it: the document stays in agreement with itself where
/// it can. A preset and a config.json replace each other; a degree keeps the GPUs
/// (core/settings/degrees.h), a new number of them goes to data parallelism where it divides, and
/// one that was the product of the degrees follows data parallelism; a constant that was taken over
/// from a recording loses its mark with its value. An error names the field; the plan given stays
/// as it is.
[[nodiscard]] Result<Plan> editedPlan(const Plan &plan, const Field &field,
                                      const FieldValue &value);

/// A plan with one field back at its value in the opened plan, in the same
/// way, mark included.
[[nodiscard]] Plan resetPlan(const Plan &plan, const Plan &opened, const Field &field);

/// What the history calls an edit of a field: "micro-batch", "GPU".
[[nodiscard]] std::string editName(const Field &field);

} // namespace vramscope
