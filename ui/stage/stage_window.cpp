// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_window.h"

#include "ui/stage/large_picture.h"
#include "ui/support/verdict_color.h"

#include <QEvent>
#include <QPainter>
#include <QScreen>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Lengths of a stage of this size; a screen shows it as large as it has room for.
constexpr QSizeF kStage(640, 360);
constexpr double kMargin = 22;
constexpr double kGap = 12;
constexpr double kHeadline = 22; ///< heights of type
constexpr double kLeastHeadline = 13;
constexpr double kNote = 13;
constexpr double kLeastNote = 8;
constexpr double kFooter = 10;
constexpr double kHeadlineShare = 0.2; ///< of the height, at most
constexpr double kNoteShare = 0.25;
constexpr int kMouseSeen = 2000; ///< milliseconds after it moved

/// The font at the largest height with which a text keeps to a place.
QFont fitting(QFont font, const QString &text, const QRectF &place, double least)
{
    const auto fits = [&] {
        const QRectF bounds =
            QFontMetricsF(font).boundingRect(place, Qt::TextWordWrap | Qt::AlignLeft, text);
        return bounds.height() <= place.height() && bounds.width() <= place.width();
    };
    while (font.pixelSize() - 1 >= least && !fits())
        font.setPixelSize(font.pixelSize() - 1);
    return font;
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
    setGeometry(screen->geometry()); // where there is no window manager to do it
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
    setAccessibleName(m_scene.headline);
    setAccessibleDescription(u"%1 %2"_s.arg(footer(), note()).trimmed());
    discardPicture();
}

QString StageWindow::footer() const
{
    if (m_items.empty())
        return m_title;
    const QString place =
        u"%1 · %2 of %3"_s.arg(m_title, QString::number(m_current + 1), QString::number(count()));
    return m_number > 0 ? u"%1 → %2"_s.arg(place, QString::number(m_number)) : place;
}

QString StageWindow::note() const
{
    return m_items.empty() ? QString() : m_items[static_cast<std::size_t>(m_current)].note;
}

QFont StageWindow::fontOf(double height, double scale, bool bold) const
{
    QFont made = font();
    made.setPixelSize(std::max(1, qRound(height * scale)));
    made.setBold(bold);
    return made;
}

StageWindow::Parts StageWindow::parts() const
{
    Parts parts;
    parts.scale = std::min(width() / kStage.width(), height() / kStage.height());
    const double scale = parts.scale;
    QRectF rest = QRectF(rect()).adjusted(kMargin * scale, kMargin * scale * 0.75, -kMargin * scale,
                                          -kMargin * scale * 0.5);
    const auto heightOf = [&](const QString &text, double size, double least, double share,
                              bool bold) {
        const QRectF most(rest.topLeft(), QSizeF(rest.width(), height() * share));
        const QFont font = fitting(fontOf(size, scale, bold), text, most, least * scale);
        return std::min(most.height(),
                        QFontMetricsF(font).boundingRect(most, Qt::TextWordWrap, text).height());
    };
    parts.headline = rest;
    parts.headline.setHeight(
        heightOf(m_scene.headline, kHeadline, kLeastHeadline, kHeadlineShare, true));
    rest.setTop(parts.headline.bottom() + kGap * scale);
    parts.footer = rest;
    parts.footer.setTop(rest.bottom() - kFooter * 1.5 * scale);
    rest.setBottom(parts.footer.top() - kGap / 2 * scale);
    if (m_notes && !note().isEmpty()) {
        parts.note = rest;
        parts.note.setTop(rest.bottom() - heightOf(note(), kNote, kLeastNote, kNoteShare, false));
        rest.setBottom(parts.note.top() - kGap * scale);
    }
    parts.picture = rest;
    return parts;
}

void StageWindow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    // That of the view: charts are made for cards, timelines for the window.
    const QWidget *view = m_scene.view ? m_scene.view.get() : this;
    const QColor ground = view->palette().color(view->backgroundRole());
    painter.fillRect(rect(), m_black ? QColor(Qt::black) : ground);
    if (m_black)
        return;
    const Parts at = parts();
    painter.setPen(verdictColor(m_scene.verdict, theme, theme.text));
    painter.setFont(fitting(fontOf(kHeadline, at.scale, true), m_scene.headline, at.headline,
                            kLeastHeadline * at.scale));
    painter.drawText(at.headline, Qt::TextWordWrap, m_scene.headline);
    if (m_scene.view) {
        const double ratio = devicePixelRatioF();
        if (m_picture.isNull())
            m_picture =
                largePicture(*m_scene.view, (at.picture.size() * ratio).toSize(), at.scale * ratio);
        painter.drawImage(QRectF(at.picture.topLeft().toPoint(), QSizeF(m_picture.size()) / ratio),
                          m_picture);
    }
    if (!at.note.isNull()) {
        painter.setFont(fitting(fontOf(kNote, at.scale), note(), at.note, kLeastNote * at.scale));
        painter.fillRect(
            QRectF(at.note.left() - kGap * at.scale, at.note.top(), 3 * at.scale, at.note.height()),
            theme.accent);
        painter.drawText(at.note, Qt::TextWordWrap, note());
    }
    painter.setPen(theme.dim);
    painter.setFont(fontOf(kFooter, at.scale));
    painter.drawText(at.footer, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(footer(), Qt::ElideLeft,
                                                      static_cast<int>(at.footer.width())));
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
