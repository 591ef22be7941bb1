// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

#include <QString>

namespace vramscope {

/// Rows by what is known of them.
enum class RowKind { All, Published, Recorded, Covered, NotCovered, QualityA, QualityB, QualityC };

[[nodiscard]] bool isOfKind(const MeasuredRow &row, RowKind kind);

/// What rows are taken together by: where they come from, the kind of run that they are of, or
/// again where they come from, those alone whose first sight is recorded, with its errors.
enum class Grouping { Family, Run, FirstSight };

/// The group of a row.
[[nodiscard]] const std::string &groupOf(const ComparedFigure &row, Grouping grouping);

/// The error of a row that counts in a grouping, in percent; none of a refusal at first sight.
[[nodiscard]] std::optional<double> errorOf(const ComparedFigure &row, Grouping grouping);

/// Which rows are looked at.
struct RowFilter
{
    RowKind kind = RowKind::All;
    Grouping grouping = Grouping::Family;
    std::string group;       ///< empty: every one
    QString text;            ///< every word of it stands somewhere in the row
    bool onlyMissed = false; ///< those not met within kMetPercent
};

/// A figure counts as met up to this error.
inline constexpr double kMetPercent = 3;

/// Indices of the rows that a filter keeps, in their order.
[[nodiscard]] std::vector<std::size_t> keptRows(const Validation &validation,
                                                const RowFilter &filter);

} // namespace vramscope
