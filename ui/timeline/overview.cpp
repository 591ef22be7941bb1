// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overview.h"

#include "core/analysis/replayed/usage_curve.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/timeline_chart.h"
#include "ui/timeline/view_state.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QTransform>

#include <cmath>

// The overview's flags: a pole from top to bottom and a cloth that the mouse finds.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kGripWidth = 6;      // how near the mouse takes an edge
constexpr double kNarrowestBrush = 3; // pixels: it stays visible however deep the zoom

} // namespace

Overview::Overview(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"Overview"_s);
    setAccessibleDescription(u"The whole recording; the brush is what the timeline shows."_s);
    setToolTip(u"Drag the brush or its edges, or draw a new one. Double click shows everything."_s);
    connect(state, &TimelineState::axisChanged, this, [this] { m_curve = {}; });
    connect(state, &TimelineState::visibleChanged, this, qOverload<>(&QWidget::update));
}

void Overview::setData(const TimelineData &timeline)
{
    if (!timeline.valid())
        return setCurve({});
    setCurve([this, usage = timeline.curve](QPainter &painter, const QRectF &place) {
        paintUsage(painter, *usage, *m_state, place, chartTheme(this));
    });
}

void Overview::setCurve(CurvePainter curve)
{
    m_painter = std::move(curve);
    m_curve = {};
    update();
}

QRectF Overview::brush() const
{
    const LinearScale scale = across();
    const Range &x = m_state->visible().x;
    const QRectF place = area();
    const double left = place.left() + scale.toPixel(x.low);
    const double width = std::max(kNarrowestBrush, scale.toPixel(x.high) + place.left() - left);
    return {std::min(left, place.right() - width), place.top(), width, place.height()};
}

void Overview::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_curve = {};
    QWidget::changeEvent(event);
}

void Overview::resizeEvent(QResizeEvent *event)
{
    m_curve = {};
    QWidget::resizeEvent(event);
}

QRectF Overview::area() const
{
    return QRectF(rect()).adjusted(TimelineChart::leftMargin(font()), 6,
                                   -TimelineChart::rightMargin(), -6);
}

LinearScale Overview::across() const
{
    return {m_state->whole().x, area().width()};
}

double Overview::valueAt(double x) const
{
    return across().toValue(x - area().left());
}

void Overview::paintCurve()
{
    const double ratio = pixelRatio(*this);
    const Theme &theme = chartTheme(this);
    m_curve = QImage(size() * ratio, QImage::Format_RGB32);
    m_curve.setDevicePixelRatio(ratio);
    m_curve.fill(theme.window);
    QPainter painter(&m_curve);
    painter.fillRect(area(), theme.card);
    if (m_painter)
        m_painter(painter, area());
    painter.end();
    m_veiled = m_curve;
    QColor veil = theme.window;
    veil.setAlpha(170);
    QPainter(&m_veiled).fillRect(area(), veil);
}

void Overview::paintEvent(QPaintEvent *)
{
    if (m_curve.isNull())
        paintCurve();
    QPainter painter(this);
    painter.drawImage(0, 0, m_veiled);
    const QRectF chosen = brush();
    const double ratio = m_curve.devicePixelRatio();
    const int left = qRound(chosen.left() * ratio);
    const int right = qRound(chosen.right() * ratio);
    painter.drawImage(QPointF(left / ratio, 0), m_curve,
                      QRectF(left, 0, right - left, m_curve.height()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(chartTheme(this).accent, 2));
    painter.drawRect(chosen);
    paintFlags(painter);
}

Overview::Grip Overview::gripAt(double x) const
{
    const QRectF chosen = brush();
    const double toLeft = std::abs(x - chosen.left());
    const double toRight = std::abs(x - chosen.right());
    if (std::min(toLeft, toRight) <= kGripWidth)
        return toLeft < toRight || (toLeft == toRight && x < chosen.center().x()) ? Grip::Left
                                                                                  : Grip::Right;
    const bool everything = m_state->visible().x == m_state->whole().x;
    return chosen.left() < x && x < chosen.right() && !everything ? Grip::Body : Grip::New;
}

void Overview::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_painter)
        return;
    if (const auto flag = flagAt(event->position()))
        return Q_EMIT flagChosen(*flag);
    m_grip = gripAt(event->position().x());
    m_pressed = valueAt(event->position().x());
    m_before = m_state->visible().x;
}

void Overview::mouseMoveEvent(QMouseEvent *event)
{
    const double x = event->position().x();
    if (m_grip == Grip::None) {
        const Grip grip = m_painter ? gripAt(x) : Grip::None;
        const bool edge = grip == Grip::Left || grip == Grip::Right;
        setCursor(flagAt(event->position()) ? Qt::PointingHandCursor
                  : edge                    ? Qt::SizeHorCursor
                  : grip == Grip::Body      ? Qt::OpenHandCursor
                                            : Qt::CrossCursor);
        return;
    }
    const Range &whole = m_state->whole().x;
    const double at = std::clamp(valueAt(x), whole.low, whole.high);
    if (m_grip == Grip::Left)
        m_state->setX({std::min(at, m_before.high - EventAxis::shortest()), m_before.high});
    else if (m_grip == Grip::Right)
        m_state->setX({m_before.low, std::max(at, m_before.low + EventAxis::shortest())});
    else if (m_grip == Grip::Body)
        m_state->setX(moved(m_before, valueAt(x) - m_pressed));
    else if (std::abs(x - (area().left() + across().toPixel(m_pressed))) >=
             QApplication::startDragDistance())
        m_state->setX({std::min(m_pressed, at), std::max(m_pressed, at)});
}

void Overview::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const Grip grip = std::exchange(m_grip, Grip::None);
    const bool clicked = m_state->visible().x == m_before;
    if (grip == Grip::New && clicked) {
        const double half = m_before.length() / 2;
        m_state->setX({m_pressed - half, m_pressed + half});
    }
}

void Overview::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        m_state->fit();
}

namespace {

constexpr QSizeF kCloth(9, 7);
constexpr double kReach = 2; // margin around the cloth in which the mouse still finds it

} // namespace

void Overview::setFlags(std::vector<TimelineMark> flags)
{
    m_flags = std::move(flags);
    update();
}

// The cloth is right of its pole, or left of it at the right end.
QRectF Overview::flag(std::size_t at) const
{
    const double pole = area().left() + across().toPixel(m_state->axis().mark(m_flags[at].event));
    const bool turned = pole + kCloth.width() > width();
    return {{turned ? pole - kCloth.width() : pole, 0}, kCloth};
}

std::optional<std::size_t> Overview::flagAt(QPointF position) const
{
    // The last one painted lies on top.
    for (std::size_t at = m_flags.size(); at-- > 0;) {
        if (flag(at).adjusted(-kReach, 0, kReach, kReach).contains(position))
            return at;
    }
    return std::nullopt;
}

void Overview::paintFlags(QPainter &painter) const
{
    const Theme &theme = chartTheme(this);
    const double bottom = area().bottom();
    for (std::size_t at = 0; at < m_flags.size(); ++at) {
        const QRectF cloth = flag(at);
        const double pole =
            area().left() + across().toPixel(m_state->axis().mark(m_flags[at].event));
        const double tip = pole > cloth.left() ? cloth.left() : cloth.right();
        QPainterPath pennant(QPointF(pole, cloth.top()));
        pennant.lineTo(tip, cloth.center().y());
        pennant.lineTo(pole, cloth.bottom());
        pennant.closeSubpath();
        painter.setPen(QPen(theme.text, 1));
        painter.drawLine(QPointF(pole, cloth.top()), QPointF(pole, bottom));
        painter.fillPath(pennant, theme.text);
    }
}

bool Overview::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto flag = flagAt(help->pos())) {
            QToolTip::showText(help->globalPos(), tipHtml(m_flags[*flag].text), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void paintUsage(QPainter &painter, const UsageCurve &curve, const TimelineState &state,
                const QRectF &place, const Theme &theme)
{
    if (place.width() < 1 || place.height() < 1)
        return;
    const LinearScale up{state.whole().bytes, place.height()};
    const auto y = [&](Bytes bytes) {
        return place.bottom() - up.toPixel(static_cast<double>(bytes));
    };
    const QColor solid = QColor(seriesColors()[0]);
    QColor faint = solid;
    faint.setAlphaF(0.55F);
    // Columns are whole pixels of the device: between others it would show through.
    const QTransform toDevice = painter.deviceTransform();
    const double first = std::round(toDevice.map(place.topLeft()).x());
    const double end = std::round(toDevice.map(place.topRight()).x());
    const auto columns = static_cast<int>(end - first);
    const LinearScale byColumn{state.whole().x, static_cast<double>(columns)};
    const auto leftOf = [&](int column) {
        return toDevice.inverted().map(QPointF(first + column, 0)).x();
    };
    QPolygonF reserved;
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = state.axis().column(byColumn, column);
        const double x = leftOf(column);
        const double width = leftOf(column + 1) - x;
        const double low = y(curve.active(curve.lowestActive(events.first, events.last)));
        const double high = y(curve.active(curve.highestActive(events.first, events.last)));
        painter.fillRect(QRectF(x, low, width, place.bottom() - low), solid);
        painter.fillRect(QRectF(x, high, width, low - high), faint);
        reserved << QPointF(x, y(curve.reserved(curve.highestReserved(events.first, events.last))));
    }
    painter.setPen(QPen(theme.dim, 1));
    painter.drawPolyline(reserved);
}

} // namespace vramscope
