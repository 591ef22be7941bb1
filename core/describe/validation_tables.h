// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "core/validation/measured.h"
#include "core/validation/throughput.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// The errors of all measured figures, or of those of one family or kind of run.
struct ErrorGroup
{
    ErrorSummary summary;       ///< its name is empty for all figures
    std::vector<double> errors; ///< signed, in percent
};

/// All figures, then a group for each name. `errorOf`: the error that counts, in percent; rows
/// without one count as little as if they were not there.
[[nodiscard]] std::vector<ErrorGroup>
errorGroups(std::span<const ComparedFigure> rows,
            const std::function<std::string(const ComparedFigure &)> &nameOf,
            const std::function<std::optional<double>(const ComparedFigure &)> &errorOf);
/// The error in percent up to which a strip of strokes reaches, the first group being of all rows;
/// larger errors are drawn at its end.
[[nodiscard]] double stripRange(const std::vector<ErrorGroup> &groups);
/// A row for each group, the first one pinned; `what`: the title of their names, and its tip.
[[nodiscard]] DataTable errorGroupsTable(std::vector<ErrorGroup> groups,
                                         const std::pair<std::string, std::string> &what);
/// Some of the measured figures, by their index, next to the predicted ones.
[[nodiscard]] DataTable measuredTable(std::shared_ptr<const Validation> validation,
                                      const std::vector<std::size_t> &rows);

/// A row for all runs, which is pinned, then one for each family in its order.
[[nodiscard]] DataTable speedFamiliesTable(const SpeedValidation &speeds);
/// Some of the published speeds, by their index, next to the projected ones.
[[nodiscard]] DataTable speedsTable(std::shared_ptr<const SpeedValidation> speeds,
                                    const std::vector<std::size_t> &rows);
/// Indices of speeds by family: the family with the largest error first, each after the run that
/// calibrates it, then the runs without a family, and last those that are not computed.
[[nodiscard]] std::vector<std::size_t> byFamily(const SpeedValidation &speeds,
                                                std::vector<std::size_t> rows);

/// Tokens a second and GPU: "1,035", "64.5".
[[nodiscard]] std::string trainingSpeedText(double tokens);
/// "4,638 to 9,646": what the catalogue's rates alone predict; empty of a run that is not computed.
[[nodiscard]] std::string catalogueText(const ComparedSpeed &row);
/// "calibrated on mpt-003", "calibrates its family", …
[[nodiscard]] std::string basisText(const ComparedSpeed &row);
/// "within 5 %", "beyond 10 %", "in the range", "outside the range"; "not a prediction" of a run
/// that calibrates.
[[nodiscard]] std::string outcomeText(const ComparedSpeed &row, const SpeedValidation &speeds);
/// Whether a prediction is beyond the target of its family, or outside its range.
[[nodiscard]] bool isMissed(const ComparedSpeed &row, const SpeedValidation &speeds);
/// "512 × H100 SXM5 80 GB"; empty where the run has no plan.
[[nodiscard]] std::string devicesText(const ComparedSpeed &row);

/// The parts of the projected step of a run, each with its rate; their tips have its source.
[[nodiscard]] DataTable speedTermsTable(const ComparedSpeed &row);

} // namespace vramscope
