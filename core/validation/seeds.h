// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// In what a claim is written.
enum class SeedUnit { Count, Millions, Billions, Byte, MB, GB, MiB, GiB, Percent, Times, Seconds };

/// " GB", " %", …: what stands behind the figure; nothing behind a count.
[[nodiscard]] std::string_view unitName(SeedUnit unit);
/// How many bytes, or ones, the unit is.
[[nodiscard]] double unitSize(SeedUnit unit);

/// A claim of a seed document beside the same figure from the planner.
struct SeedRow
{
    std::string_view point; ///< what is claimed
    SeedUnit unit = SeedUnit::Count;
    double writtenLow = 0; ///< in the unit; the same as writtenHigh where no range is written
    double writtenHigh = 0;
    Result<double> recomputed; ///< in bytes, or ones
    std::string how;           ///< plan, change and figure, or the formula
    std::string_view reason;   ///< why the two differ, or what the figure teaches

    /// What was recomputed less what was written (the nearer end of a range), in the unit.
    [[nodiscard]] double difference() const;
};

/// The claims of one document.
struct SeedTable
{
    std::string_view name; ///< "000"
    std::string_view title;
    std::vector<SeedRow> rows;
};

/// Recomputes the claims of every seed document from the example plans and the catalogue.
[[nodiscard]] std::vector<SeedTable> seedTables();

} // namespace vramscope
