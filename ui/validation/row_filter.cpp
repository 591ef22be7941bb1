// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/row_filter.h"

#include "core/base/text.h"
#include "core/model/catalogue_search.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"

#include <cmath>

namespace vramscope {

bool isOfKind(const MeasuredRow &row, RowKind kind)
{
    switch (kind) {
    case RowKind::Published:
        return !isRecorded(row);
    case RowKind::Recorded:
        return isRecorded(row);
    case RowKind::Covered:
        return row.covered;
    case RowKind::NotCovered:
        return !row.covered;
    case RowKind::QualityA:
        return row.quality == "A";
    case RowKind::QualityB:
        return row.quality == "B";
    case RowKind::QualityC:
        return row.quality == "C";
    case RowKind::All:
        break;
    }
    return true;
}

const std::string &groupOf(const ComparedFigure &row, Grouping grouping)
{
    return grouping == Grouping::Run ? row.run : row.row.family;
}

std::optional<double> errorOf(const ComparedFigure &row, Grouping grouping)
{
    return grouping == Grouping::FirstSight ? firstSightError(row.row)
                                            : std::optional(row.errorPercent);
}

std::vector<std::size_t> keptRows(const Validation &validation, const RowFilter &filter)
{
    const auto keeps = [&](const ComparedFigure &compared) {
        const MeasuredRow &row = compared.row;
        if (!isOfKind(row, filter.kind) ||
            (filter.grouping == Grouping::FirstSight && !row.firstSight) ||
            (!filter.group.empty() && groupOf(compared, filter.grouping) != filter.group) ||
            (filter.onlyMissed &&
             std::abs(errorOf(compared, filter.grouping).value_or(0)) <= kMetPercent))
            return false;
        const std::string text = row.id + '\n' + compared.run + '\n' + row.figure + '\n' +
                                 row.family + '\n' + row.setup + '\n' + row.source + '\n' +
                                 row.note;
        return holdsWords(filter.text.toStdString(), lowered(text));
    };
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < validation.rows.size(); ++i)
        if (keeps(validation.rows[i]))
            kept.push_back(i);
    return kept;
}

} // namespace vramscope
