// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/groups_model.h"

#include "ui/support/text.h"
#include "ui/validation/heading.h"
#include "ui/validation/validation_text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr ColumnHeading kGroupHeadings[GroupsModel::ColumnCount] = {
    {u"family", u"What the figures were published in, or what the recordings are about"},
    {u"rows", u"How many figures there are"},
    {u"median", u"Half of the errors are at most this, whatever their sign"},
    {u"95 %", u"95 % of the errors are at most this, by nearest rank"},
    {u"worst", u"The largest error"},
    {u"bias", u"The mean of the signed errors; above 0: too much predicted"},
    {u"", u"Each error as a stroke, too little predicted on the left, too much on the right; "
          u"the band: ± 3 %"},
};
constexpr ColumnHeading kRunHeading = {u"kind of run",
                                       u"Training or inference, and by which strategy or engine"};

const ColumnHeading &headingOf(int column, Grouping grouping)
{
    return column == GroupsModel::Group && grouping == Grouping::Run ? kRunHeading
                                                                     : kGroupHeadings[column];
}

} // namespace

GroupsModel::GroupsModel(std::shared_ptr<const Validation> validation, QObject *parent)
    : QAbstractTableModel(parent)
    , m_validation(std::move(validation))
{
    setKind(RowKind::All, Grouping::Family);
}

void GroupsModel::setKind(RowKind kind, Grouping grouping)
{
    beginResetModel();
    m_grouping = grouping;
    std::vector<ComparedFigure> rows;
    for (const ComparedFigure &row : m_validation->rows)
        if (isOfKind(row.row, kind))
            rows.push_back(row);
    m_rows.clear();
    m_rows.push_back({{}, errorSummary({}, rows, [](const ComparedFigure &) { return true; }), {}});
    const auto nameOf = [&](const ComparedFigure &row) { return groupOf(row, grouping); };
    for (const ErrorSummary &group : groupSummaries(rows, nameOf))
        m_rows.push_back({group.name, group, {}});
    for (Row &into : m_rows)
        for (const ComparedFigure &row : rows)
            if (into.group.empty() || groupOf(row, grouping) == into.group)
                into.errors << row.errorPercent;
    m_range = m_rows.front().summary.worst;
    arrange();
    endResetModel();
}

const std::string &GroupsModel::groupAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].group;
}

std::optional<int> GroupsModel::placeOf(const std::string &group) const
{
    const auto found = std::ranges::find(m_rows, group, &Row::group);
    return found == m_rows.end() ? std::nullopt
                                 : std::optional(static_cast<int>(found - m_rows.begin()));
}

void GroupsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void GroupsModel::arrange()
{
    const auto sortBy = [&](auto &&key) {
        std::stable_sort(m_rows.begin() + 1, m_rows.end(), [&](const Row &a, const Row &b) {
            return m_order == Qt::AscendingOrder ? key(a) < key(b) : key(b) < key(a);
        });
    };
    switch (m_column) {
    case Group:
        return sortBy([](const Row &row) { return row.group; });
    case Rows:
        return sortBy([](const Row &row) { return row.summary.count; });
    case Median:
        return sortBy([](const Row &row) { return row.summary.median; });
    case Percentile95:
        return sortBy([](const Row &row) { return row.summary.percentile95; });
    case Bias:
        return sortBy([](const Row &row) { return std::abs(row.summary.mean); });
    default:
        return sortBy([](const Row &row) { return row.summary.worst; });
    }
}

int GroupsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GroupsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GroupsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == Group ? text(row, Group)
                                       : headingOf(index.column(), m_grouping).tip.toString();
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Group ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return index.column() == Strip
                   ? u"%1 up to %2"_s.arg(countedText(std::ssize(row.errors), "error"),
                                          absoluteErrorText(row.summary.worst))
                   : text(row, index.column());
    case ErrorsRole:
        return QVariant::fromValue(row.errors);
    default:
        return {};
    }
}

QVariant GroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Group   ? Qt::AlignLeft
                                 : section == Strip ? Qt::AlignHCenter
                                                    : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return section == Strip ? u"errors, ± %1 %"_s.arg(std::ceil(m_range))
                                : headingOf(section, m_grouping).title.toString();
    if (role == Qt::ToolTipRole)
        return headingOf(section, m_grouping).tip.toString();
    return {};
}

QString GroupsModel::text(const Row &row, int column)
{
    const ErrorSummary &summary = row.summary;
    switch (column) {
    case Group:
        return row.group.empty() ? u"all rows"_s : toQString(row.group);
    case Rows:
        return countText(static_cast<std::int64_t>(summary.count));
    case Median:
        return absoluteErrorText(summary.median);
    case Percentile95:
        return absoluteErrorText(summary.percentile95);
    case Worst:
        return absoluteErrorText(summary.worst);
    case Bias:
        return errorText(summary.mean);
    default:
        return {};
    }
}

} // namespace vramscope
