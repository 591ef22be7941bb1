// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"
#include "ui/support/fact_table.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vramscope {

class RankCurve;

/// What one rank's memory is made of at its peak, beside that of the typical rank: by category.
[[nodiscard]] std::vector<FactRow> kindRows(const RankFolder &folder, std::size_t rank,
                                            ByteUnit unit);
/// … and by the place that it was allocated in: what differs most first, of the typical rank itself
/// what is largest. A difference that the figures kept do not tell is left empty.
[[nodiscard]] std::vector<FactRow> siteRows(const RankFolder &folder, std::size_t rank,
                                            ByteUnit unit);

/// One rank of a run: whether and where it ran out of memory, its curve over that of the typical
/// rank, and what its peak holds.
class RankDetails : public QWidget
{
    Q_OBJECT

public:
    explicit RankDetails(std::shared_ptr<const RankFolder> folder, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    /// By index into RankFolder::ranks.
    void setRank(std::size_t rank);

Q_SIGNALS:
    void openWanted(std::size_t rank);
    void comparisonWanted(std::size_t rank);

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeTables();
    void refresh();

    std::shared_ptr<const RankFolder> m_folder;
    std::size_t m_rank = 0;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_title;
    QLabel *m_answer;
    QLabel *m_whyNot; ///< why there is nothing to compare with
    QPushButton *m_compare;
    QPushButton *m_open;
    RankCurve *m_curve;
    QLabel *m_kindsTitle;
    FactTable *m_kinds;
    QLabel *m_sitesTitle;
    FactTable *m_sites;
};

} // namespace vramscope
