// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/data_table_model.h"

#include <QStringList>
#include <QTableView>

#include <string_view>

namespace vramscope::test {

/// What a view of a DataTable shows, its columns by their keys.
[[nodiscard]] inline int columnOf(const QTableView *view, std::string_view key)
{
    return qobject_cast<const DataTableModel *>(view->model())->columnOf(key);
}

[[nodiscard]] inline QString textAt(const QTableView *view, int row, std::string_view key)
{
    return view->model()->index(row, columnOf(view, key)).data().toString();
}

[[nodiscard]] inline QStringList textsOf(const QTableView *view, std::string_view key)
{
    QStringList texts;
    for (int row = 0; row < view->model()->rowCount(); ++row)
        texts << textAt(view, row, key);
    return texts;
}

} // namespace vramscope::test
