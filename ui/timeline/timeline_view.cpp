// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kZoomStep = 0.85;  // of one notch of the wheel
constexpr double kMoveStep = 0.15;  // of the visible range, for A and D
constexpr double kNotch = 120;      // angle that Qt reports for one notch
constexpr double kSmallestBand = 3; // pixels; a thinner one is magnified by a double click

} // namespace

TimelineView::TimelineView(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setKind(m_kind);
    connect(state, &TimelineState::visibleChanged, this, &TimelineView::discardPicture);
    connect(state, &TimelineState::cursorChanged, this, [this] {
        m_cursorShown = true;
        update();
    });
    connect(state, &TimelineState::selectedChanged, this, qOverload<>(&QWidget::update));
    connect(state, &TimelineState::hoveredChanged, this, qOverload<>(&QWidget::update));
}

void TimelineView::setData(const TimelineData &timeline)
{
    m_data = timeline;
    m_gesture = Gesture::None;
    discardPicture();
}

void TimelineView::setKind(TimelineKind kind)
{
    m_kind = kind;
    const std::array<std::pair<QString, QString>, kTimelineKindCount> texts = {{
        {tr("Active memory"), tr("every allocation a band.")},
        {tr("Reserved memory"), tr("every segment a band.")},
        {tr("Bands"), tr("what the reserved memory is made of.")},
        {tr("Pools and streams"), tr("active memory of each, apart.")},
    }};
    const auto &[name, what] = texts[static_cast<std::size_t>(kind)];
    setAccessibleName(name);
    setAccessibleDescription(
        tr("Timeline: %1 W and S zoom, A and D move, F shows everything, P goes to the peak, the "
           "arrow keys move the cursor.")
            .arg(what));
    discardPicture();
}

void TimelineView::setColors(const BandColors *colors)
{
    m_data.colors = colors;
    discardPicture();
}

void TimelineView::setUnit(ByteUnit unit)
{
    m_unit = unit;
    discardPicture();
}

const TimelineView::Picture &TimelineView::picture() const
{
    if (!m_picture) {
        const double ratio = devicePixelRatioF();
        m_picture.emplace(Picture{TimelineChart(m_kind, m_data, m_state->axis(), m_state->visible(),
                                                rect(), {themeOf(this), m_unit, font(), ratio}),
                                  QImage(size() * ratio, QImage::Format_ARGB32_Premultiplied)});
        m_picture->image.setDevicePixelRatio(ratio);
        m_picture->image.fill(themeOf(this).window);
        QPainter painter(&m_picture->image);
        m_picture->chart.paint(painter);
    }
    return *m_picture;
}

void TimelineView::discardPicture()
{
    m_picture.reset();
    update();
}

QRectF TimelineView::plot() const
{
    return m_data.valid() ? picture().chart.plot() : QRectF();
}

AllocationIndex TimelineView::allocationAt(QPointF position) const
{
    return m_data.valid() ? body().allocationAt(position) : kNoAllocation;
}

EventIndex TimelineView::eventAt(QPointF position) const
{
    return body().eventAt(position.x());
}

double TimelineView::valueAt(double x) const
{
    return picture().chart.area().across().toValue(x - plot().left());
}

// Where keys zoom: at the mouse when it is over the plot, else in the middle.
double TimelineView::anchor() const
{
    const Range &x = m_state->visible().x;
    if (m_mouse && plot().contains(*m_mouse))
        return valueAt(m_mouse->x());
    return (x.low + x.high) / 2;
}

void TimelineView::goToPeak()
{
    const bool reserved = m_kind == TimelineKind::Reserved || m_kind == TimelineKind::Bands;
    const EventIndex peak =
        reserved ? m_data.curve->peakReservedEvent() : m_data.curve->peakActiveEvent();
    m_state->setCursor(peak);
    m_cursorShown = true;
    m_state->reveal(peak);
    update();
}

void TimelineView::zoomToLifetime(AllocationIndex allocation)
{
    const EventAxis &axis = m_state->axis();
    const double first = axis.start(m_data.allocations->birth[allocation]);
    const double last = axis.start(m_data.allocations->death[allocation]);
    const double margin = std::max(1.0, (last - first) * 0.1);
    Viewport wanted = m_state->visible();
    wanted.x = {first - margin, last + margin};
    const auto bytes = static_cast<double>(m_data.allocations->size[allocation]);
    const ChartArea &area = picture().chart.area();
    if (m_kind == TimelineKind::Active && area.up().perPixel() * kSmallestBand > bytes) {
        const QRectF place = body().outline(allocation).boundingRect();
        if (!place.isEmpty()) {
            const double middle = area.up().toValue(plot().bottom() - place.center().y());
            wanted.bytes = {middle - bytes * 8, middle + bytes * 8};
        }
    }
    m_state->show(wanted);
}

bool TimelineView::event(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture && m_data.valid()) { // a touchpad's pinch
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

void TimelineView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        discardPicture();
    QWidget::changeEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    discardPicture();
    QWidget::resizeEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (!m_data.valid())
        return;
    const QPoint angle = event->angleDelta();
    const double ratio = plot().width() > 0 ? picture().chart.area().across().perPixel() : 0;
    if (std::abs(angle.x()) > std::abs(angle.y())) {
        const QPoint pixels = event->pixelDelta();
        m_state->moveX(-(pixels.isNull() ? angle.x() / 2.0 : pixels.x()) * ratio);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_state->moveX(-angle.y() * ratio / 2);
    } else {
        const double factor = std::pow(kZoomStep, angle.y() / kNotch);
        if (event->modifiers() & Qt::ControlModifier)
            m_state->zoomBytes(factor, picture().chart.area().up().toValue(plot().bottom() -
                                                                           event->position().y()));
        else
            m_state->zoomX(factor, valueAt(event->position().x()));
    }
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_data.valid())
        return;
    m_pressed = m_moved = event->position();
    m_gesture = event->modifiers() & Qt::ShiftModifier ? Gesture::Range : Gesture::Press;
    m_mouse.reset();
    m_state->hover(kNoAllocation);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_data.valid())
        return;
    const QPointF position = event->position();
    if (m_gesture == Gesture::None) {
        m_mouse = position;
        m_state->hover(allocationAt(position));
        update();
        return;
    }
    if (m_gesture == Gesture::Press &&
        (position - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_gesture == Gesture::Pan) {
        const QPointF by = position - m_moved;
        const ChartArea area = picture().chart.area(); // a move discards the picture
        m_state->moveX(-by.x() * area.across().perPixel());
        m_state->moveBytes(by.y() * area.up().perPixel());
    }
    m_moved = position;
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
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
    update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_data.valid())
        return;
    const AllocationIndex allocation = allocationAt(event->position());
    if (allocation != kNoAllocation)
        zoomToLifetime(allocation);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (!m_data.valid() || !handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

bool TimelineView::handleKey(int key, Qt::KeyboardModifiers modifiers)
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

void TimelineView::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    m_state->hover(kNoAllocation);
    update();
    QWidget::leaveEvent(event);
}

} // namespace vramscope
