// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_window.h"

#include "ui/stage/large_picture.h"
#include "ui/stage/stage_views.h"
#include "ui/support/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMouseSeen = 2000; ///< milliseconds after it moved

constexpr int kWheelStep = 120;

/// How many items a key goes on, below 0 back; 0: it is no such key.
int stepOf(int key)
{
    switch (key) {
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_PageDown:
        return 1;
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp:
        return -1;
    default:
        return 0;
    }
}

} // namespace

StageWindow::StageWindow(const std::vector<StageItem> &items, const QString &title, QWidget *parent)
    : QWidget(parent, Qt::Window)
    , m_title(title)
{
    std::ranges::copy_if(items, std::back_inserter(m_items), &StageItem::shown);
    setWindowTitle(u"%1 – presentation"_s.arg(title));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::BlankCursor);
    setMouseTracking(true);
    m_still.setSingleShot(true);
    m_still.setInterval(kMouseSeen);
    connect(&m_still, &QTimer::timeout, this, [this] { setCursor(Qt::BlankCursor); });
    goTo(0);
}

void StageWindow::present(QScreen *screen)
{
    setGeometry(screen->geometry()); // for sessions without a window manager
    showFullScreen();
    raise();
    activateWindow();
}

void StageWindow::goTo(int item)
{
    const int wanted = std::clamp(item, 0, std::max(0, count() - 1));
    if (wanted == m_current)
        return;
    m_current = wanted;
    m_scene = m_items.empty() ? StageScene{u"Nothing is to be shown: the running order (Shift+F5) "
                                           "has nothing ticked."_s,
                                           nullptr}
                              : m_items[static_cast<std::size_t>(wanted)].scene();
    m_view = sceneView(m_scene);
    setAccessibleName(m_scene.headline);
    setAccessibleDescription(
        QStringList{m_scene.problem, m_scene.kicker, footer(), note()}.join(u' ').trimmed());
    discardPicture();
}

QString StageWindow::footer() const
{
    if (m_items.empty())
        return m_title;
    const SlideText written = text();
    return u"%1 · %2"_s.arg(written.foot, written.page);
}

QString StageWindow::note() const
{
    return m_items.empty() ? QString() : m_items[static_cast<std::size_t>(m_current)].note;
}

SlideText StageWindow::text() const
{
    SlideText text =
        slideText(m_scene, m_notes ? note() : QString(), m_title, m_current + 1, count());
    if (m_number > 0)
        text.page += u" → %1"_s.arg(m_number);
    return text;
}

void StageWindow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    // That of the view: charts are made for cards, timelines for the window.
    const QWidget *view = m_view ? m_view.get() : this;
    const QColor ground = view->palette().color(view->backgroundRole());
    painter.fillRect(rect(), m_black ? QColor(Qt::black) : ground);
    if (m_black)
        return;
    const SlideText written = text();
    const SlidePlaces at = slidePlaces(written, size());
    if (m_view) {
        const double ratio = devicePixelRatioF();
        if (m_picture.isNull())
            m_picture = largePicture(*m_view, (at.picture.size() * ratio).toSize(),
                                     at.scale / kViewPoint * ratio);
        painter.drawImage(QRectF(at.picture.topLeft().toPoint(), QSizeF(m_picture.size()) / ratio),
                          m_picture);
    }
    paintSlideText(painter, written, at, themeOf(this));
}

void StageWindow::discardPicture()
{
    m_picture = {};
    update();
}

void StageWindow::setBlack(bool black)
{
    m_black = black;
    update();
}

void StageWindow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    discardPicture();
}

void StageWindow::closeEvent(QCloseEvent *event)
{
    QWidget::closeEvent(event);
    Q_EMIT ended();
}

void StageWindow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        discardPicture();
}

// While the screen is black a key that would go on lights it again.
void StageWindow::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const int step = stepOf(key);
    setCursor(Qt::BlankCursor);
    if (takeNumber(key)) {
        update();
    } else if (key == Qt::Key_Escape) {
        close();
    } else if (key == Qt::Key_B || key == Qt::Key_Period) {
        setBlack(!m_black);
    } else if (m_black && step != 0) {
        setBlack(false);
    } else if (step != 0) {
        goTo(m_current + step);
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        goTo(key == Qt::Key_Home ? 0 : count() - 1);
    } else if (key == Qt::Key_T) {
        Q_EMIT otherColorsWanted();
    } else if (key == Qt::Key_N) {
        m_notes = !m_notes;
        discardPicture();
    } else {
        QWidget::keyPressEvent(event);
    }
}

// What is no digit and not Enter forgets the number.
bool StageWindow::takeNumber(int key)
{
    constexpr int kMost = 999;
    const int number = std::exchange(m_number, 0);
    if (Qt::Key_0 <= key && key <= Qt::Key_9) {
        m_number = std::min(number * 10 + (key - Qt::Key_0), kMost);
        return true;
    }
    const bool goes = number > 0 && (key == Qt::Key_Return || key == Qt::Key_Enter);
    if (goes) {
        setBlack(false);
        goTo(number - 1);
    } else if (number > 0) {
        update(); // where it stood
    }
    return goes;
}

void StageWindow::mouseMoveEvent(QMouseEvent *)
{
    setCursor(Qt::ArrowCursor);
    m_still.start();
}

void StageWindow::mousePressEvent(QMouseEvent *event)
{
    if (m_black)
        return setBlack(false);
    if (event->button() == Qt::LeftButton || event->button() == Qt::RightButton)
        goTo(m_current + (event->button() == Qt::LeftButton ? 1 : -1));
}

// A touchpad turns in small steps, which add up.
void StageWindow::wheelEvent(QWheelEvent *event)
{
    m_wheel += event->angleDelta().y();
    const int steps = m_wheel / kWheelStep;
    m_wheel -= steps * kWheelStep;
    if (steps != 0)
        goTo(m_current - steps);
    event->accept();
}

} // namespace vramscope
