// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/reserved_plot.h"

#include "ui/support/pixel_ratio.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

ReservedPlot::ReservedPlot(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Reserved memory under the drawn settings"_s);
    setAccessibleDescription(u"A click moves the cursor; left and right move it to the change "
                             "before and after."_s);
    connect(state, &TimelineState::axisChanged, this, &ReservedPlot::discard);
    connect(state, &TimelineState::visibleChanged, this, &ReservedPlot::discard);
    connect(state, &TimelineState::cursorChanged, this, qOverload<>(&QWidget::update));
}

void ReservedPlot::setLines(const std::vector<ReservedLine> &lines, std::optional<Bytes> capacity)
{
    m_lines = lines;
    m_capacity = capacity;
    discard();
}

void ReservedPlot::setUnit(ByteUnit unit)
{
    m_unit = unit;
    discard();
}

const ReservedChart &ReservedPlot::chart() const
{
    return m_kept.chart(*this, [this] {
        return ReservedChart(m_lines, m_capacity, m_state->axis(), m_state->visible().x, rect(),
                             {themeOf(this), m_unit, font(), pixelRatio(*this)});
    });
}

void ReservedPlot::discard()
{
    m_kept.discard();
    update();
}

std::optional<EventIndex> ReservedPlot::change(bool before) const
{
    std::optional<EventIndex> nearest;
    const EventIndex cursor = m_state->cursor();
    for (const ReservedLine &line : m_lines) {
        const std::vector<ReservedFrom> &all = line.result->reserved;
        if (before) {
            const auto at = std::ranges::lower_bound(all, cursor, {}, &ReservedFrom::event);
            if (at != all.begin())
                nearest = std::max(nearest.value_or(-1), std::prev(at)->event);
        } else {
            const auto at = std::ranges::upper_bound(all, cursor, {}, &ReservedFrom::event);
            if (at != all.end())
                nearest = std::min(nearest.value_or(at->event), at->event);
        }
    }
    return nearest;
}

void ReservedPlot::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        discard();
    QWidget::changeEvent(event);
}

void ReservedPlot::resizeEvent(QResizeEvent *event)
{
    discard();
    QWidget::resizeEvent(event);
}

void ReservedPlot::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    const QRectF plot = chart().plot();
    QPainter painter(this);
    m_kept.paint(painter, *this);
    painter.setClipRect(plot.adjusted(0, 0, 1, 1));
    painter.setPen(theme.accent);
    const double cursor = crisp(chart().xOf(m_state->cursor()));
    painter.drawLine(QPointF(cursor, plot.top()), QPointF(cursor, plot.bottom()));
    painter.setClipping(false);
    if (hasFocus())
        painter.drawLine(QPointF(plot.left(), plot.bottom() + 0.5),
                         QPointF(plot.right(), plot.bottom() + 0.5));
    if (const QStringList lines = m_mouse ? chart().textAt(*m_mouse) : QStringList();
        !lines.isEmpty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintTip(painter, lines, *m_mouse, rect(), theme);
    }
}

void ReservedPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && chart().plot().contains(event->position()))
        m_state->setCursor(chart().eventAt(event->position().x()));
}

void ReservedPlot::mouseMoveEvent(QMouseEvent *event)
{
    m_mouse = event->position();
    update();
}

void ReservedPlot::keyPressEvent(QKeyEvent *event)
{
    const bool before = event->key() == Qt::Key_Left;
    if (event->modifiers() != Qt::NoModifier || (!before && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto wanted = change(before)) {
        m_state->setCursor(*wanted);
        m_state->reveal(*wanted);
    }
}

void ReservedPlot::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    update();
    QWidget::leaveEvent(event);
}

} // namespace vramscope
