// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <QToolButton>

namespace vramscope {

class ArchitectureChart;

/// The architecture of a plan below its name: the count of its parameters, which folds and unfolds
/// the picture of what they are for, and a way to all of it as a table. Not there where the
/// architecture is not known.
class ModelCard : public QWidget
{
    Q_OBJECT

public:
    explicit ModelCard(QWidget *parent = nullptr);

    /// `stated`: a count that the plan puts in the place of the architecture's; 0: none.
    void showModel(const Architecture &architecture, std::int64_t stated);
    void setFolded(bool folded);
    [[nodiscard]] ArchitectureChart *chart() const { return m_chart; }
    [[nodiscard]] QToolButton *foldButton() const { return m_fold; }
    [[nodiscard]] QToolButton *detailsButton() const { return m_details; }

private:
    void showHead();
    void openDetails();

    Architecture m_architecture;
    std::int64_t m_stated = 0;
    bool m_folded = false;
    QToolButton *m_fold;
    QToolButton *m_details;
    ArchitectureChart *m_chart;
};

} // namespace vramscope
