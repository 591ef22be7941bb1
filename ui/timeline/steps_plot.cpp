// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/steps_plot.h"

#include "ui/support/pixel_ratio.h"
#include "ui/timeline/tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

StepsPlot::StepsPlot(QWidget *parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Steps over each other"_s);
    setAccessibleDescription(u"Active memory of every training step since its start. Left and "
                             "right choose the step before and after."_s);
}

void StepsPlot::setSteps(const StepsData &steps)
{
    m_data = steps;
    m_chosen.reset();
    discard();
}

void StepsPlot::setUnit(ByteUnit unit)
{
    m_unit = unit;
    discard();
}

void StepsPlot::setChosen(std::optional<std::size_t> step)
{
    if (step == m_chosen)
        return;
    m_chosen = step;
    update();
}

const StepsChart &StepsPlot::chart() const
{
    return m_picture.chart(*this, [this] {
        return StepsChart(m_data, rect(), {themeOf(this), m_unit, font(), pixelRatio(*this)});
    });
}

void StepsPlot::discard()
{
    m_picture.discard();
    update();
}

std::optional<std::size_t> StepsPlot::stepAt(QPointF position) const
{
    return m_data.isEmpty() ? std::nullopt : chart().stepAt(position);
}

QStringList StepsPlot::textAt(QPointF position) const
{
    if (m_data.isEmpty())
        return {};
    const auto step = stepAt(position);
    return step ? stepLines(m_data, *step, m_unit) : chart().textAt(position);
}

QPolygonF StepsPlot::line(std::size_t step) const
{
    return m_data.isEmpty() ? QPolygonF() : chart().line(step);
}

void StepsPlot::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        discard();
    QWidget::changeEvent(event);
}

void StepsPlot::resizeEvent(QResizeEvent *event)
{
    discard();
    QWidget::resizeEvent(event);
}

void StepsPlot::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    if (m_data.isEmpty()) {
        painter.fillRect(rect(), theme.window);
        return;
    }
    const QRectF &plot = chart().plot();
    m_picture.paint(painter, *this);
    painter.setClipRect(plot);
    if (m_chosen)
        chart().markStep(painter, *m_chosen, theme.accent);
    const auto under = m_mouse ? stepAt(*m_mouse) : std::nullopt;
    if (under && under != m_chosen)
        chart().paintStep(painter, *under, theme.text, 2);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawLine(QPointF(plot.left(), plot.bottom() + 0.5),
                         QPointF(plot.right(), plot.bottom() + 0.5));
    }
    if (const QStringList lines = m_mouse ? textAt(*m_mouse) : QStringList(); !lines.isEmpty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintTip(painter, lines, *m_mouse, rect(), theme);
    }
}

void StepsPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto step = stepAt(event->position()))
        Q_EMIT stepChosen(*step);
}

void StepsPlot::mouseMoveEvent(QMouseEvent *event)
{
    m_mouse = event->position();
    update();
}

void StepsPlot::keyPressEvent(QKeyEvent *event)
{
    const bool back = event->key() == Qt::Key_Left;
    const bool ours = event->modifiers() == Qt::NoModifier && !m_data.isEmpty();
    if (!ours || (!back && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_data.count() - 1;
    if (!m_chosen)
        Q_EMIT stepChosen(back ? last : 0);
    else if (*m_chosen != (back ? 0 : last))
        Q_EMIT stepChosen(back ? *m_chosen - 1 : *m_chosen + 1);
}

void StepsPlot::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    update();
    QWidget::leaveEvent(event);
}

} // namespace vramscope
