// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/solver/fit_summary.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vramscope {

/// A value of a field and its fit summary; no summary where more than 64 bits are needed.
struct TriedValue
{
    std::int64_t value = 0;
    std::optional<FitSummary> standing;
};

/// The limit of the values that fit.
struct ValueThatFits
{
    std::int64_t step = 1;            ///< values tried are multiples of it
    bool largest = true;              ///< false: memory falls with the field, the smallest is given
    std::optional<TriedValue> answer; ///< nothing where no value fits
    std::optional<TriedValue> next;   ///< the neighbour that does not fit; nothing where all fit
    std::int64_t evaluated = 0;
    std::string note; ///< a remark for the reader, or nothing
    const Field *field = nullptr;
};

/// The distance of the values that are tried: 64 tokens of every context-parallel GPU for
/// batch.sequence_length, a block of the cache for lengths of inference, 1 else.
[[nodiscard]] std::int64_t stepOf(const Settings &settings, const Field &field);

/// The largest value of a numeric field with which the plan fits; where memory falls as the field
/// grows, the smallest. Exact in steps (stepOf()). Found by doubling and bisection; values that the
/// checks refuse are skipped. An error where the field is no whole
/// number, has no effect in this plan, or where fitting does not change only once.
[[nodiscard]] Result<ValueThatFits> largestThatFits(const Plan &plan, const Field &field);

} // namespace vramscope
