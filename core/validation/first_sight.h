// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// (given − measured) / measured in percent, for the figure that the program gave when it first met
/// a run; nothing for a refusal and where nobody recorded it.
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

/// For the rows with a recorded first sight: all of them, named "all", then each year of a source,
/// then each family in the order of its first row. Empty without such rows.
[[nodiscard]] std::vector<FirstSightSummary>
firstSightSummaries(std::span<const ComparedFigure> rows);

/// "At first sight of 212 public figures, half were predicted within 2.1 % and 95 % within 27 %.":
/// what to expect of a run that no formula was fitted to. Empty without such rows.
[[nodiscard]] std::string firstSightText(std::span<const MeasuredRow> rows);

} // namespace vramscope
