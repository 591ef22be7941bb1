// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_window.h"

#include "ui/stage/large_picture.h"
#include "ui/stage/stage_views.h"
#include "ui/support/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScreen>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMouseSeen = 2000; ///< milliseconds after it moved

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
        QStringList{m_scene.problem, m_scene.question, footer(), note()}.join(u' ').trimmed());
    discardPicture();
}

QString StageWindow::footer() const
{
    if (m_items.empty())
        return m_title;
    const QString place = slideFooter(m_title, m_current + 1, count());
    return m_number > 0 ? u"%1 → %2"_s.arg(place, QString::number(m_number)) : place;
}

QString StageWindow::note() const
{
    return m_items.empty() ? QString() : m_items[static_cast<std::size_t>(m_current)].note;
}

SlideText StageWindow::text() const
{
    return {m_scene.problem,
            m_scene.question,
            m_scene.headline,
            m_scene.verdict,
            m_notes ? note() : QString(),
            footer()};
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
    const SlidePlaces at = slidePlaces(written, size(), font());
    if (m_view) {
        const double ratio = devicePixelRatioF();
        if (m_picture.isNull())
            m_picture =
                largePicture(*m_view, (at.picture.size() * ratio).toSize(), at.scale * ratio);
        painter.drawImage(QRectF(at.picture.topLeft().toPoint(), QSizeF(m_picture.size()) / ratio),
                          m_picture);
    }
    paintSlideText(painter, written, at, font(), themeOf(this));
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

} // namespace vramscope
