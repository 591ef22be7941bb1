// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The unit of a claim.
enum class SeedUnit { Count, Millions, Billions, Byte, MB, GB, MiB, GiB, Percent, Times, Seconds };

/// " GB", " %", …: what follows the figure; nothing after a count.
[[nodiscard]] std::string_view unitName(SeedUnit unit);
/// The number of bytes, or ones, in the unit.
[[nodiscard]] double unitSize(SeedUnit unit);

/// A claim of a seed document with the same figure from the planner.
struct SeedRow
{
    std::string point; ///< the claimed figure
    SeedUnit unit = SeedUnit::Count;
    double writtenLow = 0; ///< in the unit; the same as writtenHigh without a range
    double writtenHigh = 0;
    Result<double> recomputed; ///< in bytes, or ones
    std::string how;           ///< plan, change and figure, or the formula
    std::string reason;        ///< why the two differ, or the lesson of the figure

    /// The recomputed figure less the written one (the nearer end of a range), in the unit.
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
