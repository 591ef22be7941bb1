// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_data.h"
#include "ui/timeline/view_state.h"

#include <QImage>
#include <QWidget>

namespace vramscope {

/// The whole recording as a slim curve with the cursor on it: press or drag to move the cursor.
class ScrubStrip : public QWidget
{
    Q_OBJECT

public:
    explicit ScrubStrip(TimelineState *state, QWidget *parent = nullptr);

    void setData(const TimelineData &timeline);

    [[nodiscard]] QSize sizeHint() const override { return {900, 40}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 28}; }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] LinearScale across() const;
    void moveTo(double x);
    void discardCurve();
    void paintCurve();

    TimelineState *m_state;
    TimelineData m_data;
    QImage m_curve; // null: to be painted
};

} // namespace vramscope
