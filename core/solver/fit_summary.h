// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The part that decides: the largest one at the peak.
struct Binding
{
    std::string component; ///< "Saved activations"
    Category category = Category::Activations;
    Bytes bytes = 0;
    std::string moment; ///< "loss"
};

/// How a plan stands against its GPU's memory.
struct FitSummary
{
    Bytes allocated = 0;
    Bytes reserved = 0;
    Bytes device = 0;
    Bytes high = 0;                        ///< the upper end of the device level's band
    std::string at;                        ///< name of the peak moment
    Bytes headroom = 0;                    ///< capacity - device; below 0: that much too much
    bool fits = false;                     ///< by these figures; and the cache is large enough
    Verdict verdict = Verdict::DoesNotFit; ///< by the whole band of the device level
    std::int64_t cacheTokens = 0;          ///< of serving: room in the cache of one replica
    Binding binding;
    std::string risk; ///< as Estimate::risk
};

/// The part of a card that a plan which is recommended leaves to spare: one in so many.
inline constexpr Bytes kMarginPart = 40;

/// Of a plan whose figures can be computed and whose capacity is known; nothing otherwise.
[[nodiscard]] std::optional<FitSummary> fitSummary(const Plan &plan);

/// A field with a value to put there.
struct FieldSetting
{
    FieldPath path;
    FieldValue value;
    bool operator==(const FieldSetting &) const = default;
};

/// The fields in which `after` differs from `before`, in the order of the document.
[[nodiscard]] std::vector<FieldSetting> changedFields(const Plan &before, const Plan &after);
/// The other way round: a plan with values put into fields, which exist and take them. A constant
/// that was taken over from a recording loses its mark with its value.
[[nodiscard]] Plan withFields(Plan plan, std::span<const FieldSetting> fields);

} // namespace vramscope
