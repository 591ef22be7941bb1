// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"
#include "ui/compare/comparison.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSplitter;

namespace vramscope {

class RankDetails;
class RankGrid;

/// The page of a folder with the recordings of a run: who ran out of memory or stands out, the
/// ranks as small multiples, the chosen one beside the typical one, and what could not be read.
/// Knows the files by name alone.
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

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeHead();
    void showTexts();
    void compare(std::size_t rank);

    std::shared_ptr<const RankFolder> m_folder;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_headline;
    QLabel *m_spread;
    QComboBox *m_order;
    RankGrid *m_grid;
    RankDetails *m_details;
    QSplitter *m_parts;
    bool m_areSizesChosen = false; ///< by hand
};

} // namespace vramscope
