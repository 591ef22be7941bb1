// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_widget.h"

#include "ui/timeline/coordinates.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/tip.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMoveStep = 0.15; // of the visible range, for A and D

} // namespace

TimelineWidget::TimelineWidget(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(state, &TimelineState::visibleChanged, this, [this] {
        discardPicture();
        update();
    });
    connect(state, &TimelineState::settled, this, [this] {
        if (hasData() && area().columnsTogether() > 1)
            discardPicture();
    });
    connect(state, &TimelineState::cursorChanged, this, [this] {
        m_cursorShown = true;
        updateOverlay();
    });
    connect(state, &TimelineState::selectedChanged, this, &TimelineWidget::updateOverlay);
    connect(state, &TimelineState::hoveredChanged, this, &TimelineWidget::updateOverlay);
}

double TimelineWidget::valueAt(double x) const
{
    return area().across().toValue(x - plot().left());
}

// Where keys zoom: at the mouse when it is over the plot, else in the middle.
double TimelineWidget::anchor() const
{
    const Range &x = m_state->visible().x;
    if (m_mouse && plot().contains(*m_mouse))
        return valueAt(m_mouse->x());
    return (x.low + x.high) / 2;
}

QString TimelineWidget::keysText()
{
    return u"W and S zoom, A and D move, F shows everything, P goes to the peak, the arrow keys "
           u"move "
           "the cursor."_s;
}

EventIndex TimelineWidget::axisEventAt(QPointF position) const
{
    return m_state->axis().eventAt(valueAt(position.x()));
}

void TimelineWidget::goToPeak()
{
    if (!hasData())
        return;
    const EventIndex peak = peakEvent();
    m_state->setCursor(peak);
    m_cursorShown = true;
    m_state->reveal(peak);
    update();
}

bool TimelineWidget::event(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture && hasData()) { // a touchpad's pinch
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            m_state->zoomX(1 / std::max(0.1, 1 + gesture->value()),
                           valueAt(gesture->position().x()));
            return true;
        }
    }
    // Single letters are ours while the view has the focus, whatever shortcuts the window has.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->modifiers() == Qt::NoModifier && key->key() >= Qt::Key_A &&
            key->key() <= Qt::Key_Z) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineWidget::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        discardPicture();
    QWidget::changeEvent(event);
}

void TimelineWidget::resizeEvent(QResizeEvent *event)
{
    discardPicture();
    QWidget::resizeEvent(event);
}

void TimelineWidget::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (!hasData())
        return;
    const QPoint angle = event->angleDelta();
    const double ratio = plot().width() > 0 ? area().across().perPixel() : 0;
    if (std::abs(angle.x()) > std::abs(angle.y())) {
        const QPoint pixels = event->pixelDelta();
        m_state->moveX(-(pixels.isNull() ? angle.x() / 2.0 : pixels.x()) * ratio);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_state->moveX(-angle.y() * ratio / 2);
    } else {
        const double factor = std::pow(kZoomStep, angle.y() / kNotch);
        if (event->modifiers() & Qt::ControlModifier)
            m_state->zoomBytes(factor,
                               area().up().toValue(plot().bottom() - event->position().y()));
        else
            m_state->zoomX(factor, valueAt(event->position().x()));
    }
}

void TimelineWidget::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !hasData())
        return;
    m_pressed = m_moved = event->position();
    m_gesture = event->modifiers() & Qt::ShiftModifier ? Gesture::Range : Gesture::Press;
    m_mouse.reset();
    m_state->hover(kNoAllocation);
    updateOverlay();
}

void TimelineWidget::mouseMoveEvent(QMouseEvent *event)
{
    if (!hasData())
        return;
    const QPointF position = event->position();
    if (m_gesture == Gesture::None) {
        m_mouse = position;
        m_state->hover(allocationAt(position));
        updateOverlay();
        return;
    }
    if (m_gesture == Gesture::Press &&
        (position - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_gesture == Gesture::Pan) {
        const QPointF by = position - m_moved;
        const ChartArea before = area(); // a move discards the picture
        m_state->moveX(-by.x() * before.across().perPixel());
        m_state->moveBytes(by.y() * before.up().perPixel());
    }
    m_moved = position;
    updateOverlay();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_gesture == Gesture::None)
        return;
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    unsetCursor();
    if (gesture == Gesture::Press) {
        m_cursorShown = true;
        m_state->setCursor(eventAt(event->position()));
        m_state->select(allocationAt(event->position()));
    } else if (gesture == Gesture::Range) {
        const auto [low, high] =
            std::minmax({valueAt(m_pressed.x()), valueAt(event->position().x())});
        if (std::abs(event->position().x() - m_pressed.x()) >= QApplication::startDragDistance())
            m_state->showX({low, high});
    }
    updateOverlay();
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !hasData())
        return;
    doubleClicked(event->position());
}

void TimelineWidget::keyPressEvent(QKeyEvent *event)
{
    if (!hasData() || !handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

bool TimelineWidget::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const bool alt = modifiers & Qt::AltModifier;
    if (modifiers & (Qt::ControlModifier | Qt::MetaModifier))
        return false;
    const double length = m_state->visible().x.length();
    switch (key) {
    case Qt::Key_W:
        m_state->zoomX(kZoomStep, anchor());
        return true;
    case Qt::Key_S:
        m_state->zoomX(1 / kZoomStep, anchor());
        return true;
    case Qt::Key_A:
        m_state->moveX(-length * kMoveStep);
        return true;
    case Qt::Key_D:
        m_state->moveX(length * kMoveStep);
        return true;
    case Qt::Key_F:
        m_state->fit();
        return true;
    case Qt::Key_P:
        goToPeak();
        return true;
    case Qt::Key_Escape:
        m_state->select(kNoAllocation);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool left = key == Qt::Key_Left;
        if (alt) {
            left ? m_state->back() : m_state->forward();
        } else {
            m_state->setCursor(m_state->cursor() + (left ? -1 : 1));
            m_state->reveal(m_state->cursor());
        }
        return true;
    }
    default:
        return false;
    }
}

void TimelineWidget::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    m_state->hover(kNoAllocation);
    updateOverlay();
    QWidget::leaveEvent(event);
}

void TimelineWidget::discardPicture()
{
    discardChart();
    m_overlay.reset();
    update();
}

void TimelineWidget::updateOverlay()
{
    if (!m_overlay)
        return update();
    update(*m_overlay);
    m_overlay = overlayRegion();
    update(*m_overlay);
}

QRegion TimelineWidget::overlayRegion() const
{
    if (!hasData())
        return {};
    const auto around =
        [this](const QRectF &place) { // coordinates far outside overflow whole numbers
            return (place & QRectF(rect())).toAlignedRect().adjusted(-1, -1, 1, 1);
        };
    QRegion region = highlightRegion();
    if (m_cursorShown)
        region += around(cursorPlace());
    if (m_gesture == Gesture::Range)
        region += around(rangePlace());
    region &= plot().toAlignedRect();
    if (const QStringList lines = m_mouse ? textAt(*m_mouse) : QStringList(); !lines.isEmpty())
        region += around(tipBox(font(), lines, *m_mouse, rect()));
    return region;
}

void TimelineWidget::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    if (!hasData()) {
        painter.fillRect(rect(), chartTheme(this).window);
        return;
    }
    if (!m_overlay || event->region() == QRegion(rect()))
        m_overlay = overlayRegion();
    paintPicture(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(plot());
    paintHighlights(painter);
    paintCursor(painter);
    paintRange(painter);
    painter.restore();
    if (const QStringList lines = m_mouse ? textAt(*m_mouse) : QStringList(); !lines.isEmpty())
        paintTip(painter, lines, *m_mouse, rect(), chartTheme(this));
    paintFocus(painter);
}

void TimelineWidget::paintCursor(QPainter &painter) const
{
    if (!m_cursorShown)
        return;
    QColor halo = chartTheme(this).window;
    halo.setAlpha(150);
    const QRectF place = cursorPlace();
    fillNarrow(painter, place, halo);
    painter.fillRect(place.adjusted(1, 0, -1, 0), chartTheme(this).text);
}

// Its line with a halo.
QRectF TimelineWidget::cursorPlace() const
{
    const double x = std::floor(area().x(m_state->axis().mark(m_state->cursor())));
    return {x - 1, plot().top(), 3, plot().height()};
}

QRectF TimelineWidget::rangePlace() const
{
    const auto [left, right] = std::minmax({m_pressed.x(), m_moved.x()});
    return {left, plot().top(), right - left, plot().height()};
}

void TimelineWidget::paintRange(QPainter &painter) const
{
    if (m_gesture != Gesture::Range)
        return;
    QColor tint = chartTheme(this).accent;
    painter.setPen(tint);
    tint.setAlpha(45);
    painter.setBrush(tint);
    painter.drawRect(rangePlace());
}

void TimelineWidget::paintFocus(QPainter &painter) const
{
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(chartTheme(this).accent);
    painter.drawLine(QPointF(plot().left(), plot().bottom() + 0.5),
                     QPointF(plot().right(), plot().bottom() + 0.5));
}

} // namespace vramscope
