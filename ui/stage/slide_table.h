// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/pptx.h"

#include <QWidget>

namespace vramscope {

/// A table as a slide shows it: at most five rows.
class SlideTableView : public QWidget
{
    Q_OBJECT

public:
    explicit SlideTableView(SlideTable table, QWidget *parent = nullptr);

    [[nodiscard]] const SlideTable &table() const { return m_table; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    SlideTable m_table; ///< with all its rows
};

} // namespace vramscope
