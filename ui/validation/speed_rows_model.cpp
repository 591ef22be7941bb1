// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/speed_rows_model.h"

#include "ui/support/text.h"
#include "ui/validation/heading.h"
#include "ui/validation/throughput_text.h"
#include "ui/validation/validation_text.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isSpeed(int column)
{
    return column == SpeedRowsModel::Published || column == SpeedRowsModel::Predicted ||
           column == SpeedRowsModel::ErrorColumn;
}

constexpr ColumnHeading kSpeedHeadings[SpeedRowsModel::ColumnCount] = {
    {u"run", u"Name of the run in the table"},
    {u"model", u"What was trained"},
    {u"GPUs", u"How many of which"},
    {u"published", u"Trained tokens a second and GPU, as published"},
    {u"predicted", u"Tokens a second and GPU, as projected; none for a run that calibrates"},
    {u"error", u"(predicted − published) / published; above 0: too fast predicted"},
    {u"outcome", u"Calibrated: within the target of its family, or beyond it; from the catalogue "
                 u"alone: in the projection's range, or outside"},
    {u"rests on", u"The speed of another run of its family, or the catalogue's rates alone"},
    {u"catalogue's range", u"What the catalogue's rates alone predict, from low to high"},
    {u"layout", u"Degrees of parallelism, strategy and micro-batch; of a run that is not computed, "
                u"why"},
    {u"source", u"Where it was published"},
};

} // namespace

SpeedRowsModel::SpeedRowsModel(std::shared_ptr<const SpeedValidation> speeds, QObject *parent)
    : QAbstractTableModel(parent)
    , m_speeds(std::move(speeds))
{
}

void SpeedRowsModel::setRows(std::vector<std::size_t> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

std::optional<int> SpeedRowsModel::placeOf(std::size_t row) const
{
    const auto found = std::ranges::find(m_rows, row);
    return found == m_rows.end() ? std::nullopt
                                 : std::optional(static_cast<int>(found - m_rows.begin()));
}

void SpeedRowsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void SpeedRowsModel::arrange()
{
    std::ranges::sort(m_rows); // equal ones stand in the order of their table
    const std::vector<ComparedSpeed> &rows = m_speeds->rows;
    const auto sortBy = [&](auto &&key) {
        std::ranges::stable_sort(m_rows, [&](std::size_t a, std::size_t b) {
            return m_order == Qt::AscendingOrder ? key(rows[a]) < key(rows[b])
                                                 : key(rows[b]) < key(rows[a]);
        });
    };
    // Rows without the figure stand last, whatever the order.
    const auto sortKnown = [&](auto &&known, auto &&key) {
        sortBy(key);
        std::stable_partition(m_rows.begin(), m_rows.end(),
                              [&](std::size_t at) { return known(rows[at]); });
    };
    const auto predicts = [](const ComparedSpeed &row) { return row.predicts(); };
    switch (m_column) {
    case Devices:
        return sortKnown([](const ComparedSpeed &row) { return row.gpus > 0; },
                         [](const ComparedSpeed &row) { return row.gpus; });
    case Published:
        return sortBy([](const ComparedSpeed &row) { return row.row.tokensPerGpu; });
    case Predicted:
        return sortKnown(predicts, [](const ComparedSpeed &row) { return row.predicted.likely; });
    case ErrorColumn:
        return sortKnown(predicts,
                         [](const ComparedSpeed &row) { return std::abs(row.errorPercent); });
    case Catalogue:
        return sortKnown([](const ComparedSpeed &row) { return row.computed(); },
                         [](const ComparedSpeed &row) { return row.catalogue.likely; });
    case kByFamily:
        return arrangeByFamily();
    default:
        return sortBy([&](const ComparedSpeed &row) { return text(row, m_column); });
    }
}

void SpeedRowsModel::arrangeByFamily()
{
    const auto worstOf = [&](const ComparedSpeed &row) {
        const auto family =
            std::ranges::find(m_speeds->families, row.row.family, &SpeedFamily::name);
        return family == m_speeds->families.end() ? 0 : std::abs(family->worstPercent);
    };
    std::ranges::stable_sort(m_rows, {}, [&](std::size_t at) {
        const ComparedSpeed &row = m_speeds->rows[at];
        const bool alone = row.basis == SpeedBasis::Catalogue;
        const int part = !row.computed() ? 2 : alone ? 1 : 0;
        const double error = std::abs(row.errorPercent);
        return std::tuple(part, -worstOf(row), alone ? std::string() : row.row.family,
                          row.basis != SpeedBasis::Calibrates, -error);
    });
}

int SpeedRowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SpeedRowsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpeedRowsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ComparedSpeed &row = m_speeds->rows[rowAt(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return u"<b>%1</b><br>%2"_s.arg(toQString(row.row.id).toHtmlEscaped(), speedFacts(row));
    case Qt::TextAlignmentRole:
        return static_cast<int>((isSpeed(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::FontRole:
        if (row.basis == SpeedBasis::Calibrates &&
            (index.column() == Id || index.column() == Outcome || index.column() == Basis)) {
            QFont bold = QGuiApplication::font();
            bold.setBold(true);
            return bold;
        }
        return {};
    default:
        return {};
    }
}

QVariant SpeedRowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isSpeed(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return kSpeedHeadings[section].title.toString();
    if (role == Qt::ToolTipRole)
        return kSpeedHeadings[section].tip.toString();
    return {};
}

QString SpeedRowsModel::text(const ComparedSpeed &row, int column) const
{
    switch (column) {
    case Id:
        return toQString(row.row.id);
    case Model:
        return toQString(row.row.model);
    case Devices:
        return devicesText(row);
    case Published:
        return tokensText(row.row.tokensPerGpu);
    case Predicted:
        return row.predicts() ? tokensText(row.predicted.likely) : u"–"_s;
    case ErrorColumn:
        return row.predicts() ? errorText(row.errorPercent) : u"–"_s;
    case Outcome:
        return outcomeText(row, *m_speeds);
    case Basis:
        return basisText(row);
    case Catalogue:
        return catalogueText(row);
    case Layout:
        return toQString(row.computed() ? row.layout : row.whyNot);
    case Source:
        return toQString(row.row.source);
    default:
        return {};
    }
}

} // namespace vramscope
