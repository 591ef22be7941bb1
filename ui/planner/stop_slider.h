// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>

#include <cstdint>
#include <vector>

namespace vramscope {

/// Values that a slider offers, rising: powers of two, equal steps, or a list.
using Stops = std::vector<double>;

[[nodiscard]] Stops linearStops(double low, double high, double step);
[[nodiscard]] Stops powerOfTwoStops(double low, double high);
/// The stop nearest to a value, by ratio where the stops are powers.
[[nodiscard]] int nearestStop(const Stops &stops, double value);

/// A slim slider over stops. A press anywhere jumps there; the wheel scrolls what lies around it
/// unless the slider has the focus.
class StopSlider : public QAbstractSlider
{
    Q_OBJECT

public:
    explicit StopSlider(Stops stops, QWidget *parent = nullptr);

    /// Moves the handle to the nearest stop, without a signal.
    void showValue(double value);
    [[nodiscard]] double stopValue() const;
    /// The pixel of a stop along the slider.
    [[nodiscard]] int pixelOf(int stop) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void jumpTo(double x);

    Stops m_stops;
};

} // namespace vramscope
