// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/timeline/coordinates.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <cmath>

namespace vramscope {

namespace {

constexpr double kMoveShare = 0.15; // of the visible stretch, for A and D

} // namespace

std::int64_t ProfileTimeline::timeAt(double x) const
{
    return m_document->origin + static_cast<std::int64_t>(std::floor(chart().timeAt(x)));
}

// Where keys zoom: at the mouse when it is over the plot, else in the middle.
double ProfileTimeline::anchor() const
{
    const Range &visible = m_state->visible();
    if (m_mouse && m_mouse->x() >= chart().plot().left())
        return chart().timeAt(m_mouse->x());
    return (visible.low + visible.high) / 2;
}

bool ProfileTimeline::event(QEvent *event)
{
    // Single letters are ours while the view has the focus, whatever shortcuts the window has.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool letter = key->key() >= Qt::Key_A && key->key() <= Qt::Key_Z;
        const bool sign = key->key() == Qt::Key_Slash || key->key() == Qt::Key_BracketLeft ||
                          key->key() == Qt::Key_BracketRight;
        if (key->modifiers() == Qt::NoModifier && (letter || sign)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool ProfileTimeline::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave) {
        m_mouse.reset();
        viewport()->update();
    } else if (event->type() == QEvent::NativeGesture) { // a touchpad's pinch
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            m_state->zoom(1 / std::max(0.1, 1 + gesture->value()),
                          chart().timeAt(gesture->position().x()));
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ProfileTimeline::wheelEvent(QWheelEvent *event)
{
    event->accept();
    const QPoint angle = event->angleDelta();
    const double ratio = chart().across().perPixel();
    const bool overNames = event->position().x() < chart().plot().left();
    if (std::abs(angle.x()) > std::abs(angle.y())) {
        const QPoint pixels = event->pixelDelta();
        m_state->move(-(pixels.isNull() ? angle.x() / 2.0 : pixels.x()) * ratio);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_state->move(-angle.y() * ratio / 2);
    } else if (overNames || event->modifiers() & Qt::ControlModifier) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - angle.y() / 2);
    } else {
        m_state->zoom(std::pow(kZoomStep, angle.y() / kNotch),
                      chart().timeAt(event->position().x()));
    }
}

void ProfileTimeline::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = m_moved = event->position();
    m_pressedScroll = verticalScrollBar()->value();
    const bool chooses = event->modifiers() & Qt::ShiftModifier;
    m_gesture =
        chooses && m_pressed.x() >= chart().plot().left() ? Gesture::Choose : Gesture::Press;
    viewport()->update();
}

void ProfileTimeline::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF position = event->position();
    m_mouse = position;
    if (m_gesture == Gesture::Press &&
        (position - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_gesture = Gesture::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (m_gesture == Gesture::Pan) {
        m_state->move(-(position.x() - m_moved.x()) * chart().across().perPixel());
        verticalScrollBar()->setValue(
            static_cast<int>(m_pressedScroll - (position.y() - m_pressed.y())));
    }
    m_moved = position;
    viewport()->update();
}

void ProfileTimeline::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_gesture == Gesture::None)
        return;
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    viewport()->unsetCursor();
    if (gesture == Gesture::Press) {
        click(event->position());
    } else if (gesture == Gesture::Choose) {
        const auto [from, to] = std::minmax({timeAt(m_pressed.x()), timeAt(event->position().x())});
        const bool far =
            std::abs(event->position().x() - m_pressed.x()) >= QApplication::startDragDistance();
        m_state->choose(far && to > from ? std::optional(TimeSpan{from, to}) : std::nullopt);
    }
    viewport()->update();
}

void ProfileTimeline::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && event->position().x() >= chart().plot().left())
        zoomToSelected();
}

void ProfileTimeline::click(QPointF point)
{
    const auto place = chart().at(point);
    const bool overNames = point.x() < chart().plot().left();
    if (place && (overNames || m_lines.lines()[place->line].kind == TimelineLine::Kind::Heading)) {
        toggleFold(place->line);
        return;
    }
    if (place && place->mark) {
        const EventKind kind = m_document->rows->rows[m_lines.lines()[place->line].at].kind();
        m_state->setMoment({});
        m_state->select({kind, place->mark->event});
        return;
    }
    m_state->select({});
    m_state->setMoment(overNames ? std::nullopt : std::optional(timeAt(point.x())));
}

bool ProfileTimeline::toggleFold(std::size_t line)
{
    const TimelineLine &of = m_lines.lines()[line];
    const auto toggle = [](std::set<std::size_t> &folded, std::size_t what) {
        if (!folded.erase(what))
            folded.insert(what);
    };
    if (of.kind == TimelineLine::Kind::Heading)
        toggle(m_folds.sections, of.section);
    else if (of.kind == TimelineLine::Kind::Row && m_document->rows->groups[of.group].rowCount > 1)
        toggle(m_folds.groups, of.group);
    else
        return false;
    arrange();
    return true;
}

void ProfileTimeline::zoomToSelected()
{
    const ProfileEventId selected = m_state->selected();
    std::pair<std::int64_t, std::int64_t> times;
    if (selected.valid())
        times = eventTimes(*m_document->profile, selected);
    else if (m_state->chosen())
        times = {m_state->chosen()->from, m_state->chosen()->to};
    else
        return;
    const auto low = static_cast<double>(times.first - m_document->origin);
    const auto high = static_cast<double>(times.second - m_document->origin);
    const double margin = std::max((high - low) * 0.25, ProfileState::kShortest);
    m_state->show({low - margin, high + margin});
}

void ProfileTimeline::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyWanted();
        return;
    }
    if (!handleKey(event->key(), event->modifiers()))
        QAbstractScrollArea::keyPressEvent(event);
}

bool ProfileTimeline::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (modifiers & (Qt::ControlModifier | Qt::MetaModifier))
        return false;
    const double length = m_state->visible().length();
    switch (key) {
    case Qt::Key_W:
        m_state->zoom(kZoomStep, anchor());
        return true;
    case Qt::Key_S:
        m_state->zoom(1 / kZoomStep, anchor());
        return true;
    case Qt::Key_A:
        m_state->move(-length * kMoveShare);
        return true;
    case Qt::Key_D:
        m_state->move(length * kMoveShare);
        return true;
    case Qt::Key_F:
        m_state->fit();
        return true;
    case Qt::Key_P:
        goToPeak();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        zoomToSelected();
        return true;
    case Qt::Key_Slash:
        Q_EMIT searchWanted();
        return true;
    case Qt::Key_Escape:
        m_state->select({});
        m_state->setMoment({});
        m_state->choose({});
        return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        step(key == Qt::Key_BracketRight);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (modifiers & Qt::AltModifier)
            key == Qt::Key_Left ? m_state->back() : m_state->forward();
        else
            step(key == Qt::Key_Right);
        return true;
    default:
        return false;
    }
}

} // namespace vramscope
