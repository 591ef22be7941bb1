// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A share of the GPU under which an engine has a cache of that size.
struct CacheAtShare
{
    std::string engine; ///< "vLLM 0.20 and older"
    FieldPath field;    ///< path of the share
    double share = 0;
    Bytes cache = 0;
};

/// The limits of the share of the GPU for an engine: gpu_memory_utilization of vLLM,
/// mem_fraction_static of SGLang. All shares are exact to a thousandth.
struct EngineShare
{
    const Field *field = nullptr;
    double inForce = 0;
    Bytes cache = 0;             ///< at that share
    std::optional<double> least; ///< from here on the load of the plan is served
    std::optional<double> most;  ///< up to here the plan fits its GPU
    /// The smallest share at which other releases and engines have a cache as large; those that
    /// never have are left out.
    std::vector<CacheAtShare> same;
};

/// Whether a field is such a share.
[[nodiscard]] bool isEngineShare(FieldPath field);

/// The largest hundredth of the GPU, below the share in force, with which the whole range of the
/// device level is within the capacity; nothing where the engine has no such share, where the plan
/// is within it already, or where no share is.
[[nodiscard]] std::optional<double> lowerShareThatFits(const Plan &plan, const Settings &settings,
                                                       FieldPath share);

/// Needs a plan whose figures can be computed and whose engine has this share; an error says what
/// is missing.
[[nodiscard]] Result<EngineShare> engineShare(const Plan &plan, const Field &field);

} // namespace vramscope
