// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QTreeWidget>

#include <optional>

namespace vramscope {

struct DataTable;

/// A table whose rows are choices, which sort by any column where sorting is enabled. A choice is
/// the number that a row leads to. Enter or a double click takes one.
class ChoiceTable : public QTreeWidget
{
    Q_OBJECT

public:
    explicit ChoiceTable(const QString &name, QWidget *parent = nullptr);

    void setTable(const DataTable &table, ByteUnit unit);
    void setSelected(std::optional<std::size_t> choice);
    [[nodiscard]] std::optional<std::size_t> selected() const;

Q_SIGNALS:
    void choiceSelected(std::size_t choice);
    void choiceTaken(std::size_t choice);

private:
    bool m_filling = false;
};

} // namespace vramscope
