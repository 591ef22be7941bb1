// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/in_unit.h"
#include "ui/support/kept_picture.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/tip.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QWidget>

#include <optional>

namespace vramscope {

/// A widget that shows one chart, made when first needed and kept with its picture until something
/// changes. A tip follows the mouse; the focus underlines the plot.
template<class Chart>
class HoverPlot : public QWidget, public InUnit
{
public:
    [[nodiscard]] const Chart &chart() const
    {
        return m_picture.chart(*this, [this] {
            return makeChart({chartTheme(this), m_unit, font(), pixelRatio(*this)});
        });
    }
    /// The tip for a point of the widget; empty if nothing is there.
    [[nodiscard]] virtual QStringList textAt(QPointF position) const = 0;

protected:
    HoverPlot(const QString &name, const QString &description, QWidget *parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_OpaquePaintEvent);
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(name);
        setAccessibleDescription(description);
    }

    /// This and what follows need data.
    [[nodiscard]] virtual bool hasData() const { return true; }
    [[nodiscard]] virtual Chart makeChart(const ChartStyle &style) const = 0;
    /// What changes without the chart, inside a clip of its own.
    virtual void paintOver(QPainter &painter) const = 0;

    /// While the mouse is over the widget.
    [[nodiscard]] const std::optional<QPointF> &mouse() const { return m_mouse; }
    void discard()
    {
        m_picture.discard();
        update();
    }

    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
            discard();
        QWidget::changeEvent(event);
    }
    void resizeEvent(QResizeEvent *event) override
    {
        discard();
        QWidget::resizeEvent(event);
    }
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = chartTheme(this);
        QPainter painter(this);
        if (!hasData()) {
            painter.fillRect(rect(), theme.window);
            return;
        }
        const QRectF plot = chart().plot();
        m_picture.paint(painter, *this);
        paintOver(painter);
        painter.setClipping(false);
        painter.setPen(theme.accent);
        if (hasFocus())
            painter.drawLine(QPointF(plot.left(), plot.bottom() + 0.5),
                             QPointF(plot.right(), plot.bottom() + 0.5));
        if (const QStringList lines = m_mouse ? textAt(*m_mouse) : QStringList();
            !lines.isEmpty()) {
            painter.setRenderHint(QPainter::Antialiasing);
            paintTip(painter, lines, *m_mouse, rect(), theme);
        }
    }
    void mouseMoveEvent(QMouseEvent *event) override
    {
        m_mouse = event->position();
        update();
    }
    void leaveEvent(QEvent *event) override
    {
        m_mouse.reset();
        update();
        QWidget::leaveEvent(event);
    }

private:
    void takeUnit() override { discard(); }

    std::optional<QPointF> m_mouse;
    KeptPicture<Chart> m_picture;
};

} // namespace vramscope
