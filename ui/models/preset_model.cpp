// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/preset_model.h"

#include "core/catalog/models.h"
#include "core/planner/parameters.h"
#include "ui/support/count_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const ModelPreset &presetAt(const QModelIndex &index)
{
    return modelPresets()[static_cast<std::size_t>(index.row())];
}

/// "131,072" as "128K": contexts are multiples of 1024 or short.
QString contextText(std::int64_t tokens)
{
    if (tokens <= 0)
        return {};
    return tokens % 1024 == 0 ? u"%1K"_s.arg(tokens / 1024) : countText(tokens);
}

QString headsText(const Architecture &shape)
{
    return u"%1 / %2"_s.arg(countText(shape.heads),
                            shape.mla() ? u"latent"_s : countText(shape.kvHeads));
}

QString cellText(const ModelPreset &preset, int column)
{
    const Architecture &shape = preset.architecture;
    const ParameterCounts counts = countParameters(shape);
    switch (column) {
    case PresetModel::Name:
        return toQString(preset.title);
    case PresetModel::Kind:
        return architectureKind(shape);
    case PresetModel::Parameters:
        return shortCountText(counts.total);
    case PresetModel::Active:
        return counts.active == counts.total ? QString() : shortCountText(counts.active);
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

QString exactText(const ModelPreset &preset)
{
    const Architecture &shape = preset.architecture;
    const ParameterCounts counts = countParameters(shape);
    QStringList lines{
        toQString(preset.title), u"%1 parameters"_s.arg(countText(counts.total)),
        u"%1 layers of hidden size %2"_s.arg(countText(shape.layers), countText(shape.hidden)),
        u"vocabulary %1"_s.arg(countText(shape.vocab))};
    if (counts.active != counts.total)
        lines.insert(2, u"%1 active for a token: %2 of %3 experts"_s.arg(
                            countText(counts.active), countText(shape.expertsPerToken),
                            countText(shape.experts)));
    if (shape.mla())
        lines += u"keys and values from a latent of %1"_s.arg(countText(shape.kvLoraRank));
    if (shape.maxPositions > 0)
        lines += u"context of %1 tokens"_s.arg(countText(shape.maxPositions));
    return lines.join(u'\n') + u'\n' + toQString(preset.source);
}

QString spokenText(const ModelPreset &preset)
{
    QStringList parts{cellText(preset, PresetModel::Name), cellText(preset, PresetModel::Kind),
                      cellText(preset, PresetModel::Parameters) + u" parameters"_s};
    if (const QString active = cellText(preset, PresetModel::Active); !active.isEmpty())
        parts += active + u" active for a token"_s;
    parts += u"%1 layers"_s.arg(countText(preset.architecture.layers));
    return parts.join(u", "_s);
}

QString searchText(const ModelPreset &preset)
{
    QString text = u"%1 %2 "_s.arg(toQString(preset.name), toQString(preset.family));
    for (const int column : {PresetModel::Name, PresetModel::Kind, PresetModel::Parameters})
        text += cellText(preset, column) + u' ';
    return text;
}

} // namespace

QString architectureKind(const Architecture &architecture)
{
    const QString blocks = architecture.moe() ? u"MoE"_s : u"dense"_s;
    return architecture.mla() ? blocks + u", MLA"_s : blocks;
}

int PresetModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(modelPresets().size());
}

int PresetModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PresetModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const ModelPreset &preset = presetAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return cellText(preset, index.column());
    case Qt::ToolTipRole:
        return exactText(preset);
    case Qt::AccessibleTextRole:
        return index.column() == Name ? spokenText(preset) : cellText(preset, index.column());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case kValueRole:
        return toQString(preset.name);
    case kSearchRole:
        return searchText(preset);
    default:
        return {};
    }
}

QVariant PresetModel::headerData(int section, Qt::Orientation side, int role) const
{
    static const std::array<QString, ColumnCount> titles = {
        u"Model"_s,           u"Kind"_s,       u"Parameters"_s, u"Active"_s,
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

void PresetFilter::setText(const QString &text)
{
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    invalidateRowsFilter();
}

bool PresetFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QString text =
        sourceModel()->index(row, 0, parent).data(PresetModel::kSearchRole).toString();
    return std::ranges::all_of(
        m_words, [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace vramscope
