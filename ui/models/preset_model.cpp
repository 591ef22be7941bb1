// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/preset_model.h"

#include "ui/support/count_text.h"
#include "ui/support/text.h"

#include <QGuiApplication>
#include <QPalette>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const CatalogueShape &presetAt(int row)
{
    return catalogueShapes()[static_cast<std::size_t>(row)];
}

/// "131,072" as "128K": contexts are multiples of 1024 or short.
QString contextText(std::int64_t tokens)
{
    if (tokens <= 0)
        return {};
    constexpr std::int64_t kMillion = std::int64_t(1024) * 1024;
    if (tokens % kMillion == 0)
        return u"%1M"_s.arg(tokens / kMillion);
    return tokens % 1024 == 0 ? u"%1K"_s.arg(tokens / 1024) : countText(tokens);
}

QString headsText(const Architecture &shape)
{
    return u"%1 / %2"_s.arg(countText(shape.heads),
                            shape.mla() ? u"latent"_s : countText(shape.kvHeads));
}

/// Of a model that is computed.
QString shapeCellText(const CatalogueShape &preset, int column)
{
    const Architecture &shape = preset.architecture;
    if (preset.model->pipeline && column > PresetModel::Parameters)
        return {};
    switch (column) {
    case PresetModel::Kind:
        return toQString(preset.kind());
    case PresetModel::Parameters:
        return shortCountText(preset.parameters);
    case PresetModel::Active:
        return preset.active == preset.parameters ? QString() : shortCountText(preset.active);
    case PresetModel::Shape:
        return u"%1 × %2"_s.arg(countText(shape.layers), countText(shape.hidden));
    case PresetModel::Heads:
        return headsText(shape);
    case PresetModel::Context:
        return contextText(shape.maxPositions);
    default:
        return {};
    }
}

QString presetCellText(const CatalogueShape &preset, int column)
{
    if (column == PresetModel::Name)
        return toQString(preset.model->title);
    if (column == PresetModel::Year)
        return QString::number(preset.model->year);
    if (preset.computed())
        return shapeCellText(preset, column);
    return column == PresetModel::Kind ? u"not computed"_s : QString();
}

QVariant sortValue(const CatalogueShape &preset, int column)
{
    if (column == PresetModel::Year)
        return preset.model->year;
    if (column == PresetModel::Name)
        return presetCellText(preset, column);
    if (!preset.computed() || (preset.model->pipeline && column > PresetModel::Parameters))
        return {};
    const auto number = [](std::int64_t value) { return QVariant(qlonglong(value)); };
    switch (column) {
    case PresetModel::Parameters:
        return number(preset.parameters);
    case PresetModel::Active:
        return number(preset.active);
    case PresetModel::Shape:
        return number(preset.architecture.layers);
    case PresetModel::Heads:
        return number(preset.architecture.heads);
    case PresetModel::Context:
        return preset.architecture.maxPositions > 0 ? number(preset.architecture.maxPositions)
                                                    : QVariant();
    default:
        return presetCellText(preset, column);
    }
}

QString aboutText(const CatalogueShape &preset)
{
    const CatalogueModel &model = *preset.model;
    QString text = toQString(model.repository) + u", "_s + QString::number(model.year);
    if (preset.computed())
        text += u": %1"_s.arg(countedText(preset.parameters, "parameter"));
    return model.note.empty() ? text : text + u". "_s + toQString(model.note);
}

QStringList shapeLines(const CatalogueShape &preset)
{
    const Architecture &shape = preset.architecture;
    if (preset.model->pipeline)
        return {u"%1 of all components"_s.arg(countedText(preset.parameters, "parameter"))};
    QStringList lines{
        countedText(preset.parameters, "parameter"),
        u"%1 of hidden size %2"_s.arg(countedText(shape.layers, "layer"), countText(shape.hidden)),
        u"vocabulary %1"_s.arg(countText(shape.vocab))};
    if (preset.active != preset.parameters)
        lines.insert(1, u"%1 active for a token: %2 of %3"_s.arg(
                            countText(preset.active), countText(shape.expertsPerToken),
                            countedText(shape.experts, "expert")));
    if (shape.mla())
        lines += u"keys and values from a latent of %1"_s.arg(countText(shape.kvLoraRank));
    if (shape.maxPositions > 0)
        lines += u"context of %1"_s.arg(countedText(shape.maxPositions, "token"));
    return lines;
}

QString exactText(const CatalogueShape &preset)
{
    const CatalogueModel &model = *preset.model;
    QStringList lines{toQString(model.title)};
    lines += preset.computed() ? shapeLines(preset) : QStringList{toQString(preset.whyNot)};
    if (!model.note.empty())
        lines += toQString(model.note);
    lines += u"%1, %2"_s.arg(toQString(model.repository), QString::number(model.year));
    return lines.join(u'\n') + u'\n' + toQString(model.source);
}

QString spokenText(const CatalogueShape &preset)
{
    QStringList parts{presetCellText(preset, PresetModel::Name),
                      presetCellText(preset, PresetModel::Kind)};
    if (!preset.computed())
        return parts.join(u", "_s) + u": "_s + toQString(preset.whyNot);
    parts += presetCellText(preset, PresetModel::Parameters) + u" parameters"_s;
    if (const QString active = presetCellText(preset, PresetModel::Active); !active.isEmpty())
        parts += active + u" active for a token"_s;
    if (preset.model->pipeline)
        return parts.join(u", "_s);
    parts += countedText(preset.architecture.layers, "layer");
    return parts.join(u", "_s);
}

} // namespace

int PresetModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(catalogueShapes().size());
}

int PresetModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PresetModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const CatalogueShape &preset = presetAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return presetCellText(preset, index.column());
    case Qt::ToolTipRole:
        return exactText(preset);
    case Qt::AccessibleTextRole:
        return index.column() == Name ? spokenText(preset) : presetCellText(preset, index.column());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ForegroundRole:
        return preset.computed() ? QVariant()
                                 : QGuiApplication::palette().brush(QPalette::PlaceholderText);
    case kValueRole:
        return toQString(preset.model->name);
    case kSortRole:
        return sortValue(preset, index.column());
    case kWhyNotRole:
        return toQString(preset.whyNot);
    case kAboutRole:
        return aboutText(preset);
    default:
        return {};
    }
}

QVariant PresetModel::headerData(int section, Qt::Orientation side, int role) const
{
    static const std::array<QString, ColumnCount> titles = {
        u"Model"_s,           u"Year"_s,       u"Kind"_s,   u"Parameters"_s, u"Active"_s,
        u"Layers × hidden"_s, u"Heads / KV"_s, u"Context"_s};
    if (side != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return titles[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section > Kind ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    return {};
}

PresetFilter::PresetFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(PresetModel::kSortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void PresetFilter::setText(const QString &text)
{
    m_search = CatalogueSearch(text.toStdString());
    invalidateRowsFilter();
}

bool PresetFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    return m_search.finds(presetAt(row));
}

bool PresetFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    const QVariant value = left.data(PresetModel::kSortRole);
    const QVariant other = right.data(PresetModel::kSortRole);
    if (value.isValid() != other.isValid())
        return value.isValid() == ascending;
    if (value == other) // in the order of the catalogue, whichever way
        return (left.row() < right.row()) == ascending;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace vramscope
