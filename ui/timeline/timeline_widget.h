// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/chart_area.h"

#include <QRegion>
#include <QWidget>

#include <optional>

namespace vramscope {

/// The common behaviour of all charts over a TimelineState. Wheel zooms at the mouse (with Ctrl the
/// bytes), drag pans, shift-drag zooms to a range, click sets the cursor; W S A D, arrows, F, P,
/// Esc, Alt+Left and Alt+Right by keyboard; two fingers scroll and pinch. The chart is painted once
/// a viewport and cached; what follows the mouse is painted over it.
class TimelineWidget : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineWidget(TimelineState *state, QWidget *parent = nullptr);

    /// Puts the cursor at the peak and brings it into view.
    void goToPeak();
    /// Lines of text for a point of the widget, the first one a heading; empty if nothing is there.
    /// Needs data.
    [[nodiscard]] virtual QStringList textAt(QPointF position) const = 0;
    /// The plot's place in the widget.
    [[nodiscard]] QRectF plot() const { return hasData() ? area().plot : QRectF(); }

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    [[nodiscard]] virtual bool hasData() const = 0;
    /// The area of the chart for the current viewport and size. This and what follows need data.
    [[nodiscard]] virtual const ChartArea &area() const = 0;
    [[nodiscard]] virtual EventIndex eventAt(QPointF position) const = 0;
    [[nodiscard]] virtual EventIndex peakEvent() const = 0;
    [[nodiscard]] virtual AllocationIndex allocationAt(QPointF) const { return kNoAllocation; }
    virtual void doubleClicked(QPointF) {}
    virtual void paintPicture(QPainter &painter) const = 0;
    /// The chart has changed: discards what is cached of it.
    virtual void discardChart() = 0;
    /// Paints the highlighted parts of the chart, under the cursor.
    virtual void paintHighlights(QPainter &) const {}
    /// The region of the highlights.
    [[nodiscard]] virtual QRegion highlightRegion() const { return {}; }

    [[nodiscard]] TimelineState *state() const { return m_state; }
    /// The mouse over the widget while no button is pressed.
    [[nodiscard]] const std::optional<QPointF> &mouse() const { return m_mouse; }
    /// The keys that all these charts respond to.
    [[nodiscard]] static QString keysText();
    /// The event of the axis at a point.
    [[nodiscard]] EventIndex axisEventAt(QPointF position) const;
    /// Until it is moved.
    void hideCursor() { m_cursorShown = false; }
    void stopGesture() { m_gesture = Gesture::None; }
    void discardPicture();

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

    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] double anchor() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    // Repaints the parts that change without the chart, at their previous and current places.
    void updateOverlay();
    [[nodiscard]] QRegion overlayRegion() const;
    [[nodiscard]] QRectF cursorPlace() const;
    [[nodiscard]] QRectF rangePlace() const;
    void paintCursor(QPainter &painter) const;
    void paintRange(QPainter &painter) const;
    void paintFocus(QPainter &painter) const;

    TimelineState *m_state;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressed;
    QPointF m_moved;
    std::optional<QPointF> m_mouse;
    bool m_cursorShown = false;
    std::optional<QRegion> m_overlay; // none: repaint everything
};

} // namespace vramscope
