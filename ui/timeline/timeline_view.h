// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_chart.h"

#include <QWidget>

#include <optional>

namespace vramscope {

/// A timeline of one device; what it draws is its kind. Wheel zooms at the mouse (with Ctrl the
/// bytes), drag pans, shift-drag zooms to a range, click selects and sets the cursor, double click
/// zooms to a lifetime; W S A D, arrows, F, P, Esc, Alt+Left and Alt+Right by keyboard; two fingers
/// scroll and pinch. The chart is painted once a viewport and kept; what follows the mouse is
/// painted over it.
class TimelineView : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineView(TimelineState *state, QWidget *parent = nullptr);

    void setData(const TimelineData &timeline);
    void setKind(TimelineKind kind);
    [[nodiscard]] TimelineKind kind() const { return m_kind; }
    /// The allocations' colours changed: TimelineData::colors has others.
    void setColors(const BandColors *colors);
    void setUnit(ByteUnit unit);
    /// Puts the cursor at the peak and brings it into view.
    void goToPeak();

    /// The plot's place in the widget.
    [[nodiscard]] QRectF plot() const;
    /// The allocation painted at a point of the widget.
    [[nodiscard]] AllocationIndex allocationAt(QPointF position) const;
    /// The event whose state is painted at a point of the widget.
    [[nodiscard]] EventIndex eventAt(QPointF position) const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    enum class Gesture { None, Press, Pan, Range };

    /// The chart of the current viewport and size; made when first needed.
    struct Picture
    {
        TimelineChart chart;
        QImage image;
    };
    const Picture &picture() const;
    void discardPicture();

    [[nodiscard]] const TimelineBody &body() const { return picture().chart.body(); }
    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] double anchor() const;
    void zoomToLifetime(AllocationIndex allocation);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    // active_memory_overlay.cpp: what changes without the chart.
    void paintCursor(QPainter &painter) const;
    void paintAllocation(QPainter &painter, AllocationIndex allocation, bool selected) const;
    [[nodiscard]] QStringList tip() const;
    void paintRange(QPainter &painter) const;
    void paintTip(QPainter &painter) const;

    TimelineState *m_state;
    TimelineKind m_kind = TimelineKind::Active;
    TimelineData m_data;
    ByteUnit m_unit = ByteUnit::Binary;
    mutable std::optional<Picture> m_picture;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressed;
    QPointF m_moved;
    std::optional<QPointF> m_mouse; // over the widget, no button pressed
    bool m_cursorShown = false;
};

} // namespace vramscope
