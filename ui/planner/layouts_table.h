// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/layouts.h"

#include <QTreeWidget>

#include <optional>
#include <span>

namespace vramscope {

/// Layouts as rows that sort by any column: what each needs, what it loses and sends, and its
/// fields. Enter or a double click takes one.
class LayoutsTable : public QTreeWidget
{
    Q_OBJECT

public:
    explicit LayoutsTable(QWidget *parent = nullptr);

    void showLayouts(std::span<const Layout> layouts, ByteUnit unit);
    void setSelected(std::optional<std::size_t> layout);
    [[nodiscard]] std::optional<std::size_t> selected() const;

Q_SIGNALS:
    void layoutSelected(std::size_t layout);
    void layoutTaken(std::size_t layout);

private:
    bool m_filling = false;
};

} // namespace vramscope
