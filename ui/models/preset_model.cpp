// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/preset_model.h"

#include "core/describe/catalogue_tables.h"
#include "core/model/catalogue_search.h"
#include "ui/support/text.h"

#include <QGuiApplication>
#include <QPalette>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QStringList shapeLines(const CatalogueShape &preset)
{
    const Architecture &shape = preset.architecture;
    if (!hasShape(preset))
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
    QStringList parts{toQString(preset.model->title)};
    if (!preset.computed())
        return parts.front() + u", not computed: "_s + toQString(preset.whyNot);
    parts += toQString(preset.kind());
    parts += shortCountText(preset.parameters) + u" parameters"_s;
    if (hasShape(preset)) {
        if (preset.active != preset.parameters)
            parts += shortCountText(preset.active) + u" active for a token"_s;
        parts += countedText(preset.architecture.layers, "layer");
    }
    return parts.join(u", "_s);
}

} // namespace

QString aboutText(const CatalogueShape &preset)
{
    const CatalogueModel &model = *preset.model;
    QString text = toQString(model.repository) + u", "_s + QString::number(model.year);
    if (preset.computed())
        text += u": %1"_s.arg(countedText(preset.parameters, "parameter"));
    return model.note.empty() ? text : text + u". "_s + toQString(model.note);
}

PresetModel::PresetModel(QObject *parent)
    : DataTableModel(parent)
{
    setTable(catalogueTable());
}

void PresetModel::setWords(const QString &words)
{
    setKept([search = CatalogueSearch(words.toStdString())](std::size_t row) {
        return search.finds(catalogueShapes()[row]);
    });
}

const CatalogueShape &PresetModel::presetAt(int row) const
{
    return catalogueShapes()[rowAt(row)];
}

QVariant PresetModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const CatalogueShape &preset = presetAt(index.row());
    switch (role) {
    case Qt::AccessibleTextRole:
        if (index.column() == Name)
            return spokenText(preset);
        [[fallthrough]];
    case Qt::DisplayRole: {
        const bool isAllActive = index.column() == Active && preset.active == preset.parameters;
        const QString text = DataTableModel::data(index, Qt::DisplayRole).toString();
        return isAllActive || text == u"–"_s ? QString() : text;
    }
    case Qt::ToolTipRole:
        return exactText(preset);
    case Qt::ForegroundRole:
        return preset.computed() ? QVariant()
                                 : QGuiApplication::palette().brush(QPalette::PlaceholderText);
    default:
        return DataTableModel::data(index, role);
    }
}

} // namespace vramscope
