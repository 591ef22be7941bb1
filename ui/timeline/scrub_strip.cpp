// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/scrub_strip.h"

#include "ui/support/pixel_ratio.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/overview.h"

#include <QMouseEvent>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHandle = 4; // half the width of the cursor's handle

} // namespace

ScrubStrip::ScrubStrip(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::SizeHorCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"Moment"_s);
    setAccessibleDescription(u"The whole recording; drag to move the cursor."_s);
    connect(state, &TimelineState::axisChanged, this, &ScrubStrip::discardCurve);
    connect(state, &TimelineState::cursorChanged, this, qOverload<>(&QWidget::update));
}

void ScrubStrip::setData(const TimelineData &timeline)
{
    m_data = timeline;
    discardCurve();
}

void ScrubStrip::discardCurve()
{
    m_curve = {};
    update();
}

QRectF ScrubStrip::area() const
{
    return QRectF(rect()).adjusted(kHandle, kHandle + 2, -kHandle, -2);
}

LinearScale ScrubStrip::across() const
{
    return {m_state->whole().x, area().width()};
}

void ScrubStrip::moveTo(double x)
{
    if (m_data.valid())
        m_state->setCursor(m_state->axis().eventAt(across().toValue(x - area().left())));
}

void ScrubStrip::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        discardCurve();
    QWidget::changeEvent(event);
}

void ScrubStrip::resizeEvent(QResizeEvent *event)
{
    discardCurve();
    QWidget::resizeEvent(event);
}

void ScrubStrip::paintCurve()
{
    const double ratio = pixelRatio(*this);
    m_curve = QImage(size() * ratio, QImage::Format_ARGB32_Premultiplied);
    m_curve.setDevicePixelRatio(ratio);
    m_curve.fill(Qt::transparent);
    QPainter painter(&m_curve);
    if (m_data.valid())
        paintUsage(painter, *m_data.curve, *m_state, area(), chartTheme(this));
}

void ScrubStrip::paintEvent(QPaintEvent *)
{
    const Theme &theme = chartTheme(this);
    const QRectF place = area();
    if (m_curve.isNull())
        paintCurve();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(place, theme.card);
    painter.drawImage(0, 0, m_curve);
    if (!m_data.valid())
        return;
    const double x =
        std::floor(place.left() + across().toPixel(m_state->axis().mark(m_state->cursor())));
    QColor halo = theme.window;
    halo.setAlpha(150);
    painter.fillRect(QRectF(x - 1, place.top(), 3, place.height()), halo);
    painter.fillRect(QRectF(x, place.top() - 2, 1, place.height() + 2), theme.text);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    const QPointF tip(x + 0.5, place.top() + 2);
    painter.drawPolygon(
        QPolygonF{tip, tip - QPointF(kHandle, kHandle + 3), tip - QPointF(-kHandle, kHandle + 3)});
}

void ScrubStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        moveTo(event->position().x());
}

void ScrubStrip::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        moveTo(event->position().x());
}

} // namespace vramscope
