// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/active_memory_view.h"

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

ActiveMemoryView::ActiveMemoryView(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Active memory"));
    setAccessibleDescription(tr(
        "Timeline of active memory, every allocation a band. W and S zoom, A and D move, F shows "
        "everything, P goes to the peak, the arrow keys move the cursor."));
    connect(state, &TimelineState::visibleChanged, this, &ActiveMemoryView::discardPicture);
    connect(state, &TimelineState::cursorChanged, this, [this] {
        m_cursorShown = true;
        update();
    });
    connect(state, &TimelineState::selectedChanged, this, qOverload<>(&QWidget::update));
    connect(state, &TimelineState::hoveredChanged, this, qOverload<>(&QWidget::update));
}

void ActiveMemoryView::setData(const TimelineData &timeline)
{
    m_data = timeline;
    m_gesture = Gesture::None;
    discardPicture();
}

void ActiveMemoryView::setUnit(ByteUnit unit)
{
    m_unit = unit;
    discardPicture();
}

const ActiveMemoryView::Picture &ActiveMemoryView::picture() const
{
    if (!m_picture) {
        const double ratio = devicePixelRatioF();
        const TimelineChart chart(m_data, m_state->visible(), rect(),
                                  {themeOf(this), m_unit, font(), ratio});
        m_picture.emplace(Picture{chart, chart.geometry(), {}});
        m_picture->image = QImage(size() * ratio, QImage::Format_ARGB32_Premultiplied);
        m_picture->image.setDevicePixelRatio(ratio);
        m_picture->image.fill(themeOf(this).window);
        QPainter painter(&m_picture->image);
        m_picture->chart.paint(painter, m_picture->geometry);
    }
    return *m_picture;
}

void ActiveMemoryView::discardPicture()
{
    m_picture.reset();
    update();
}

QRectF ActiveMemoryView::plot() const
{
    return m_data.valid() ? picture().chart.plot() : QRectF();
}

AllocationIndex ActiveMemoryView::allocationAt(QPointF position) const
{
    if (!m_data.valid() || !plot().contains(position))
        return kNoAllocation;
    const double ratio = devicePixelRatioF();
    const QRectF area = plot();
    const StackGeometry &geometry = picture().geometry;
    const auto column = static_cast<int>(std::floor((position.x() - area.left()) * ratio));
    const auto line = static_cast<int>(std::floor((position.y() - area.top()) * ratio));
    return geometry.allocationAt(column, geometry.rows() - 1 - line);
}

EventIndex ActiveMemoryView::eventAt(QPointF position) const
{
    const StackGeometry &geometry = picture().geometry;
    const auto column = static_cast<int>((position.x() - plot().left()) * devicePixelRatioF());
    return geometry.columns() == 0 ? -1
                                   : geometry.event(std::clamp(column, 0, geometry.columns() - 1));
}

double ActiveMemoryView::eventValue(double x) const
{
    return picture().chart.across().toValue(x - plot().left());
}

// Where keys zoom: at the mouse when it is over the plot, else in the middle.
double ActiveMemoryView::anchor() const
{
    const Range &events = m_state->visible().events;
    if (m_mouse && plot().contains(*m_mouse))
        return eventValue(m_mouse->x());
    return (events.low + events.high) / 2;
}

void ActiveMemoryView::goToPeak()
{
    const EventIndex peak = m_data.curve->peakActiveEvent();
    m_state->setCursor(peak);
    m_cursorShown = true;
    m_state->reveal(peak);
    update();
}

void ActiveMemoryView::zoomToLifetime(AllocationIndex allocation)
{
    const double first = m_data.allocations->birth[allocation];
    const double last = m_data.allocations->death[allocation];
    const double margin = std::max(1.0, (last - first) * 0.1);
    Viewport wanted = m_state->visible();
    wanted.events = {first - margin, last + margin};
    const auto bytes = static_cast<double>(m_data.allocations->size[allocation]);
    if (picture().chart.up().perPixel() * kSmallestBand > bytes) {
        const auto slices = picture().geometry.slices(allocation);
        if (!slices.empty()) {
            const double middle = static_cast<double>(slices.front().bottom) + bytes / 2;
            wanted.bytes = {middle - bytes * 8, middle + bytes * 8};
        }
    }
    m_state->show(wanted);
}

bool ActiveMemoryView::event(QEvent *event)
{
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

void ActiveMemoryView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        discardPicture();
    QWidget::changeEvent(event);
}

void ActiveMemoryView::resizeEvent(QResizeEvent *event)
{
    discardPicture();
    QWidget::resizeEvent(event);
}

void ActiveMemoryView::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (!m_data.valid())
        return;
    const QPoint angle = event->angleDelta();
    const double ratio = plot().width() > 0 ? picture().chart.across().perPixel() : 0;
    if (std::abs(angle.x()) > std::abs(angle.y())) {
        const QPoint pixels = event->pixelDelta();
        m_state->moveEvents(-(pixels.isNull() ? angle.x() / 2.0 : pixels.x()) * ratio);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_state->moveEvents(-angle.y() * ratio / 2);
    } else {
        const double factor = std::pow(kZoomStep, angle.y() / kNotch);
        if (event->modifiers() & Qt::ControlModifier)
            m_state->zoomBytes(
                factor, picture().chart.up().toValue(plot().bottom() - event->position().y()));
        else
            m_state->zoomEvents(factor, eventValue(event->position().x()));
    }
}

void ActiveMemoryView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_data.valid())
        return;
    m_pressed = m_moved = event->position();
    m_gesture = event->modifiers() & Qt::ShiftModifier ? Gesture::Range : Gesture::Press;
    m_mouse.reset();
    m_state->hover(kNoAllocation);
}

void ActiveMemoryView::mouseMoveEvent(QMouseEvent *event)
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
        const TimelineChart chart = picture().chart;
        m_state->moveEvents(-by.x() * chart.across().perPixel());
        m_state->moveBytes(by.y() * chart.up().perPixel());
    }
    m_moved = position;
    update();
}

void ActiveMemoryView::mouseReleaseEvent(QMouseEvent *event)
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
            std::minmax({eventValue(m_pressed.x()), eventValue(event->position().x())});
        if (std::abs(event->position().x() - m_pressed.x()) >= QApplication::startDragDistance())
            m_state->showEvents({low, high});
    }
    update();
}

void ActiveMemoryView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_data.valid())
        return;
    const AllocationIndex allocation = allocationAt(event->position());
    if (allocation != kNoAllocation)
        zoomToLifetime(allocation);
}

void ActiveMemoryView::keyPressEvent(QKeyEvent *event)
{
    if (!m_data.valid() || !handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

bool ActiveMemoryView::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const bool alt = modifiers & Qt::AltModifier;
    if (modifiers & (Qt::ControlModifier | Qt::MetaModifier))
        return false;
    const double length = m_state->visible().events.length();
    switch (key) {
    case Qt::Key_W:
        m_state->zoomEvents(kZoomStep, anchor());
        return true;
    case Qt::Key_S:
        m_state->zoomEvents(1 / kZoomStep, anchor());
        return true;
    case Qt::Key_A:
        m_state->moveEvents(-length * kMoveStep);
        return true;
    case Qt::Key_D:
        m_state->moveEvents(length * kMoveStep);
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

void ActiveMemoryView::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    m_state->hover(kNoAllocation);
    update();
    QWidget::leaveEvent(event);
}

} // namespace vramscope
