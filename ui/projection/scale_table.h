// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/projection/scaling.h"

#include <QTreeWidget>

#include <optional>
#include <vector>

namespace vramscope {

/// The points of one line, a row for each number of GPUs, those that are not known with their
/// reason.
class ScaleTable : public QTreeWidget
{
    Q_OBJECT

public:
    explicit ScaleTable(QWidget *parent = nullptr);

    void showPoints(const std::vector<ScalePoint> &points, ByteUnit unit);
    /// Counts the rows that are known.
    void setSelected(std::optional<std::size_t> point);

Q_SIGNALS:
    void pointSelected(std::size_t point);

private:
    bool m_filling = false;
};

} // namespace vramscope
