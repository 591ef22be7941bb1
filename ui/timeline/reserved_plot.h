// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/kept_picture.h"
#include "ui/timeline/reserved_chart.h"

#include <QWidget>

namespace vramscope {

/// Overlaid curves of the bytes that simulations reserved, over the events visible in the shared
/// state, with its cursor. Hovering shows the values at an event, a click moves the cursor there;
/// left and right go to the change before and after.
class ReservedPlot : public QWidget
{
    Q_OBJECT

public:
    explicit ReservedPlot(TimelineState *state, QWidget *parent = nullptr);

    /// The results of the lines live until others are set.
    void setLines(const std::vector<ReservedLine> &lines, std::optional<Bytes> capacity);
    [[nodiscard]] const std::vector<ReservedLine> &lines() const { return m_lines; }
    void setUnit(ByteUnit unit);

    [[nodiscard]] const ReservedChart &chart() const;

    [[nodiscard]] QSize sizeHint() const override { return {600, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 110}; }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void discard();
    /// The event of the nearest change of any line before or after the cursor; empty if there is
    /// none.
    [[nodiscard]] std::optional<EventIndex> change(bool before) const;

    TimelineState *m_state;
    std::vector<ReservedLine> m_lines;
    std::optional<Bytes> m_capacity;
    ByteUnit m_unit = ByteUnit::Binary;
    std::optional<QPointF> m_mouse;
    KeptPicture<ReservedChart> m_kept;
};

} // namespace vramscope
