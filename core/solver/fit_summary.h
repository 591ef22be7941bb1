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

/// The deciding part: the largest one at the peak.
struct Binding
{
    std::string component; ///< "Saved activations"
    Category category = Category::Activations;
    Bytes bytes = 0;
    std::string moment; ///< "loss"
};

/// How a plan compares with its GPU's memory.
struct FitSummary
{
    Bytes allocated = 0;
    Bytes reserved = 0;
    Bytes device = 0;
    Bytes high = 0;     ///< the upper end of the device level's band
    std::string at;     ///< name of the peak moment
    Bytes headroom = 0; ///< capacity - device; below 0: the shortage
    bool fits = false;  ///< by these figures; and the cache is large enough
    Verdict verdict = Verdict::DoesNotFit;
    bool mayStillFit = false;     ///< by the lower end of the band
    std::int64_t cacheTokens = 0; ///< in serving: room in the cache of one replica
    Binding binding;
    std::string risk; ///< as Estimate::risk
};

/// As verdictWord() of its estimate.
[[nodiscard]] std::string verdictWord(const FitSummary &summary);

/// A recommended plan leaves one part in this many of a card free.
inline constexpr Bytes kMarginPart = 40;

/// For a plan with computable figures and a known capacity; nothing otherwise.
[[nodiscard]] std::optional<FitSummary> fitSummary(const Plan &plan);

/// A field with its new value.
struct FieldSetting
{
    FieldPath path;
    FieldValue value;
    bool operator==(const FieldSetting &) const = default;
};

/// The fields in which `after` differs from `before`, in the order of the document.
[[nodiscard]] std::vector<FieldSetting> changedFields(const Plan &before, const Plan &after);
/// The inverse: a plan with values set in fields, which exist and accept them. A constant from a
/// recording loses its mark with its value.
[[nodiscard]] Plan withFields(Plan plan, std::span<const FieldSetting> fields);

} // namespace vramscope
