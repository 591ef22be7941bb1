// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"
#include "ui/compare/comparison.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace vramscope {

class RankGrid;

/// The page of a folder with the recordings of a run: a sentence that names who stands out, the
/// ranks as small multiples, and what could not be read. Knows the files by name alone.
class RankPage : public QWidget
{
    Q_OBJECT

public:
    explicit RankPage(std::shared_ptr<const RankFolder> folder, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    [[nodiscard]] QString heading() const;
    /// The current rank in one line.
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] RankGrid *grid() const { return m_grid; }

Q_SIGNALS:
    void statusChanged();
    void openWanted(const QString &path, std::size_t device);
    /// The typical rank and another, neither of them read.
    void comparisonWanted(const std::vector<vramscope::ComparedTrace> &traces);

private:
    void showTexts();
    void compare(std::size_t rank);

    std::shared_ptr<const RankFolder> m_folder;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_heading;
    QComboBox *m_order;
    QPushButton *m_compare;
    RankGrid *m_grid;
};

} // namespace vramscope
