// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/speed_families_model.h"

#include "ui/support/text.h"
#include "ui/validation/heading.h"
#include "ui/validation/throughput_text.h"
#include "ui/validation/validation_text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isCount(int column)
{
    return column == SpeedFamiliesModel::Predicted || column == SpeedFamiliesModel::Worst;
}

constexpr ColumnHeading kFamilyHeadings[SpeedFamiliesModel::ColumnCount] = {
    {u"family", u"One source, model, GPU and precision"},
    {u"what differs", u"Weak scaling: the GPUs, the batch of each the same; strong scaling: the "
                      u"batch of the job the same; other layouts: how the model is split"},
    {u"calibrated on", u"The run of the fewest GPUs, whose speed sets the rate"},
    {u"predicted", u"How many runs are predicted from it"},
    {u"worst", u"The error that is largest, with its sign; above 0: too fast predicted"},
    {u"target", u"The error within which a projection is meant to stay, and whether it does"},
};

} // namespace

SpeedFamiliesModel::SpeedFamiliesModel(std::shared_ptr<const SpeedValidation> speeds,
                                       QObject *parent)
    : QAbstractTableModel(parent)
    , m_speeds(std::move(speeds))
    , m_families(m_speeds->families)
{
    arrange();
}

std::string SpeedFamiliesModel::familyAt(int row) const
{
    return row == 0 ? std::string() : m_families[static_cast<std::size_t>(row - 1)].name;
}

std::optional<int> SpeedFamiliesModel::placeOf(const std::string &family) const
{
    if (family.empty())
        return 0;
    const auto found = std::ranges::find(m_families, family, &SpeedFamily::name);
    return found == m_families.end()
               ? std::nullopt
               : std::optional(static_cast<int>(found - m_families.begin()) + 1);
}

void SpeedFamiliesModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void SpeedFamiliesModel::arrange()
{
    const auto sortBy = [&](auto &&key) {
        std::ranges::stable_sort(m_families, [&](const SpeedFamily &a, const SpeedFamily &b) {
            return m_order == Qt::AscendingOrder ? key(a) < key(b) : key(b) < key(a);
        });
    };
    switch (m_column) {
    case Kind:
        return sortBy([](const SpeedFamily &family) { return family.kind; });
    case CalibratedOn:
        return sortBy([](const SpeedFamily &family) { return family.calibratedOn; });
    case Predicted:
        return sortBy([](const SpeedFamily &family) { return family.predicted; });
    case Worst:
        return sortBy([](const SpeedFamily &family) { return std::abs(family.worstPercent); });
    case Target:
        return sortBy([](const SpeedFamily &family) {
            return std::pair(!family.met(), targetPercent(family.kind));
        });
    default:
        return sortBy([](const SpeedFamily &family) { return family.name; });
    }
}

int SpeedFamiliesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_families.size()) + 1;
}

int SpeedFamiliesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpeedFamiliesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return index.column() == Family ? text(index.row(), Family)
                                        : kFamilyHeadings[index.column()].tip.toString();
    case Qt::TextAlignmentRole:
        return static_cast<int>((isCount(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant SpeedFamiliesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isCount(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return kFamilyHeadings[section].title.toString();
    if (role == Qt::ToolTipRole)
        return kFamilyHeadings[section].tip.toString();
    return {};
}

QString SpeedFamiliesModel::text(int row, int column) const
{
    if (row == 0) {
        const SpeedSummary all = speedSummary(*m_speeds);
        const auto count = [](std::size_t of) { return countText(static_cast<std::int64_t>(of)); };
        switch (column) {
        case Family:
            return u"all runs"_s;
        case Predicted:
            return count(all.calibrated);
        case Worst:
            return absoluteErrorText(all.calibratedWorst);
        case Target:
            return u"%1 of %2 met"_s.arg(count(all.familiesMet), count(all.families));
        default:
            return {};
        }
    }
    const SpeedFamily &family = m_families[static_cast<std::size_t>(row - 1)];
    switch (column) {
    case Family:
        return toQString(family.name);
    case Kind:
        return toQString(familyKindName(family.kind));
    case CalibratedOn:
        return toQString(family.calibratedOn);
    case Predicted:
        return countText(static_cast<std::int64_t>(family.predicted));
    case Worst:
        return errorText(family.worstPercent);
    case Target:
        return (family.met() ? u"within %1 %"_s : u"beyond %1 %"_s).arg(targetPercent(family.kind));
    default:
        return {};
    }
}

} // namespace vramscope
