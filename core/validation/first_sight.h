// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// The error of what the program said of a figure when it first met it, in percent of the measured
/// one; nothing where it refused, or where nobody recorded what it said.
[[nodiscard]] std::optional<double> firstSightError(const MeasuredRow &row);

/// First-sight errors of some rows next to today's.
struct FirstSightSummary
{
    std::string name;
    std::size_t refused = 0; ///< at first sight
    ErrorSummary then;
    BandSummary band; ///< as stated then
    ErrorSummary today;
};

/// Of the rows whose first sight is recorded: all of them, named "all", then each family in the
/// order of its first row. Empty without such rows.
[[nodiscard]] std::vector<FirstSightSummary>
firstSightSummaries(std::span<const ComparedFigure> rows);

/// "At first sight of 212 public figures, half were predicted within 2.1 % and 95 % within 27 %.":
/// what to expect of a run that no formula was fitted to. Empty without such rows.
[[nodiscard]] std::string firstSightText(std::span<const MeasuredRow> rows);

} // namespace vramscope
