// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/stop_slider.h"

#include "ui/support/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr int kHandle = 7; // radius

} // namespace

Stops linearStops(double low, double high, double step)
{
    Stops stops;
    const int count = static_cast<int>(std::floor((high - low) / step + 0.5));
    for (int index = 0; index <= count; ++index)
        stops.push_back(low + index * step);
    return stops;
}

Stops powerOfTwoStops(double low, double high)
{
    Stops stops;
    for (int doublings = 0; std::ldexp(low, doublings) <= high; ++doublings)
        stops.push_back(std::ldexp(low, doublings));
    return stops;
}

int nearestStop(const Stops &stops, double value)
{
    const auto after = std::lower_bound(stops.begin(), stops.end(), value);
    if (after == stops.begin())
        return 0;
    if (after == stops.end())
        return static_cast<int>(stops.size()) - 1;
    const double above = *after;
    const double below = *(after - 1);
    const int index = static_cast<int>(after - stops.begin());
    return value - below < above - value ? index - 1 : index;
}

StopSlider::StopSlider(Stops stops, QWidget *parent)
    : QAbstractSlider(parent)
    , m_stops(std::move(stops))
{
    const int last = static_cast<int>(m_stops.size()) - 1;
    setRange(0, last);
    setSingleStep(1);
    setPageStep(std::max(1, last / 8));
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void StopSlider::showValue(double value)
{
    const QSignalBlocker quiet(this);
    setValue(nearestStop(m_stops, value));
}

double StopSlider::stopValue() const
{
    return m_stops[static_cast<std::size_t>(value())];
}

int StopSlider::pixelOf(int stop) const
{
    const int length = width() - 2 * kHandle - 2;
    return kHandle + 1 + (maximum() > 0 ? stop * length / maximum() : 0);
}

QSize StopSlider::sizeHint() const
{
    return {80, 2 * kHandle + 6};
}

QSize StopSlider::minimumSizeHint() const
{
    return {32, 2 * kHandle + 6};
}

void StopSlider::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    const double handle = pixelOf(sliderPosition());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.line);
    painter.drawRoundedRect(QRectF(1, middle - 2, width() - 2, 4), 2, 2);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(QRectF(1, middle - 2, handle, 4), 2, 2);
    if (hasFocus()) {
        QColor halo = theme.accent;
        halo.setAlphaF(0.25F);
        painter.setBrush(halo);
        painter.drawEllipse(QPointF(handle, middle), kHandle + 2, kHandle + 2);
    }
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(underMouse() ? theme.selection : theme.card);
    painter.drawEllipse(QPointF(handle, middle), kHandle - 1, kHandle - 1);
}

void StopSlider::jumpTo(double x)
{
    const double length = std::max(width() - 2 * kHandle - 2, 1);
    const double share = (x - kHandle - 1) / length;
    setValue(static_cast<int>(std::lround(share * maximum())));
}

void StopSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    setSliderDown(true);
    jumpTo(event->position().x());
}

void StopSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown())
        jumpTo(event->position().x());
}

void StopSlider::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        setSliderDown(false); // sliderReleased ends the gesture
}

void StopSlider::wheelEvent(QWheelEvent *event)
{
    if (hasFocus())
        QAbstractSlider::wheelEvent(event);
    else
        event->ignore();
}

} // namespace vramscope
