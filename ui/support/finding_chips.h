// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;

namespace vramscope {

/// Findings as buttons in a row, each with its sentence as tooltip; those without room are in a
/// menu.
class FindingChips : public QWidget
{
    Q_OBJECT

public:
    explicit FindingChips(QWidget *parent = nullptr);

    void setFindings(const std::vector<Finding> &findings);
    /// Shows as many as have room.
    void fit(int room);
    /// The room that all of them need.
    [[nodiscard]] int wholeWidth() const;

Q_SIGNALS:
    void chosen(const vramscope::Finding &finding, QWidget *from);

private:
    QHBoxLayout *m_row;
    std::vector<QPushButton *> m_chips; ///< one a finding
    QPushButton *m_more = nullptr;      ///< the findings without room
};

} // namespace vramscope
