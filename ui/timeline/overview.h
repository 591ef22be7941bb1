// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QImage>
#include <QRectF>
#include <QWidget>

#include <functional>
#include <optional>

class QPainter;

namespace vramscope {

/// The whole recording as a curve, active memory filled and reserved a line, with a brush over what
/// the timelines show: drag its edges, its body, or a new one elsewhere; a click centres it, a
/// double click shows everything. Each flag above the curve has a text, and a click goes to it. The
/// curve lines up with the plot of a timeline of the same width.
class Overview : public QWidget
{
    Q_OBJECT

public:
    explicit Overview(TimelineState *state, QWidget *parent = nullptr);

    /// Paints the whole recording into a place that spans TimelineState::whole().
    using CurvePainter = std::function<void(QPainter &painter, const QRectF &place)>;

    void setData(const TimelineData &timeline);
    /// Replaces the curve of a device's history; an empty painter shows nothing.
    void setCurve(CurvePainter curve);
    /// Places to find again, in any order.
    void setFlags(std::vector<TimelineMark> flags);
    /// The place of a flag's cloth in the widget.
    [[nodiscard]] QRectF flag(std::size_t at) const;
    /// The brush's place in the widget.
    [[nodiscard]] QRectF brush() const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 62}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 48}; }

Q_SIGNALS:
    /// The user wants to go to a flag, by its index.
    void flagChosen(std::size_t flag);

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    enum class Grip { None, Left, Right, Body, New };

    [[nodiscard]] QRectF area() const;
    [[nodiscard]] LinearScale across() const;
    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] Grip gripAt(double x) const;
    void paintCurve();
    void paintFlags(QPainter &painter) const;
    [[nodiscard]] std::optional<std::size_t> flagAt(QPointF position) const;

    TimelineState *m_state;
    CurvePainter m_painter;
    QImage m_curve;  // null: to be painted
    QImage m_veiled; // the same outside the brush
    std::vector<TimelineMark> m_flags;
    Grip m_grip = Grip::None;
    double m_pressed = 0; // in the axis's unit
    Range m_before;       // what was visible when the button was pressed
};

class TimelineState;
class UsageCurve;

/// The whole recording as a small curve in `place`: active memory a column from its lowest to its
/// highest state, fainter where it moves in between; reserved memory as a line.
void paintUsage(QPainter &painter, const UsageCurve &curve, const TimelineState &state,
                const QRectF &place, const Theme &theme);

} // namespace vramscope
