// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>

namespace vramscope {

/// A value that is asked for instead of given.
struct Sought
{
    enum class Kind {
        Largest,     ///< of a field, with which the plan fits
        FewestGpus,  ///< that the plan fits on
        SmallestGpu, ///< of the catalogue, that the plan fits on
        Models,      ///< of the catalogue, that fit on the machine
        Choice       ///< between the plan and its versions
    };
    Kind kind = Kind::Largest;
    std::optional<FieldPath> field{}; ///< of Largest
    bool operator==(const Sought &) const = default;
};

/// A plan that is another answer to the same question.
struct PlanVersion
{
    std::string title; ///< in what it differs: "full training", "2 × RTX A6000 48 GB"
    Plan plan;
};

} // namespace vramscope
