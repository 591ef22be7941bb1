// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/strategies.h"

#include <QTreeWidget>

#include <optional>
#include <vector>

namespace vramscope {

/// Strategies that fit, the fastest first. Enter or a double click takes one.
class StrategyTable : public QTreeWidget
{
    Q_OBJECT

public:
    explicit StrategyTable(QWidget *parent = nullptr);

    void showOptions(const std::vector<StrategyOption> &options, ByteUnit unit);
    void setSelected(std::optional<std::size_t> option);

Q_SIGNALS:
    void optionSelected(std::size_t option);
    void optionTaken(std::size_t option);

private:
    bool m_filling = false;
};

} // namespace vramscope
