// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/catalogue_shapes.h"
#include "ui/models/data_table_model.h"

namespace vramscope {

/// The models that plans know by name, one a row: name, year, kind, parameters, active ones, layers
/// × hidden, heads / KV heads, context. Cells without a number are empty; the tooltip has the
/// numbers exact. A model that is not computed has a name, a year, and the reason in the tooltip. A
/// name is spoken with what its row says.
class PresetModel : public DataTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Year, Kind, Parameters, Active, Shape, Heads, Context, ColumnCount };

    explicit PresetModel(QObject *parent = nullptr);

    /// Keeps the models that match every one of some words: "qwen moe", "2025", "8B".
    void setWords(const QString &words);
    /// The model that a shown row is.
    [[nodiscard]] const CatalogueShape &presetAt(int row) const;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
};

/// In a line, what no column says.
[[nodiscard]] QString aboutText(const CatalogueShape &preset);

} // namespace vramscope
