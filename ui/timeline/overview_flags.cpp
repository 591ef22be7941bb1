// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"
#include "ui/support/tip_html.h"
#include "ui/timeline/overview.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

// The overview's flags: a pole from top to bottom and a cloth that the mouse finds.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QSizeF kCloth(9, 7);
constexpr double kReach = 2; // margin around the cloth in which the mouse still finds it

} // namespace

void Overview::setFlags(std::vector<TimelineMark> flags)
{
    m_flags = std::move(flags);
    update();
}

// The cloth is right of its pole, or left of it at the right end.
QRectF Overview::flag(std::size_t at) const
{
    const double pole = area().left() + across().toPixel(m_state->axis().mark(m_flags[at].event));
    const bool turned = pole + kCloth.width() > width();
    return {{turned ? pole - kCloth.width() : pole, 0}, kCloth};
}

std::optional<std::size_t> Overview::flagAt(QPointF position) const
{
    // The last one painted lies on top.
    for (std::size_t at = m_flags.size(); at-- > 0;) {
        if (flag(at).adjusted(-kReach, 0, kReach, kReach).contains(position))
            return at;
    }
    return std::nullopt;
}

void Overview::paintFlags(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const double bottom = area().bottom();
    for (std::size_t at = 0; at < m_flags.size(); ++at) {
        const QRectF cloth = flag(at);
        const double pole =
            area().left() + across().toPixel(m_state->axis().mark(m_flags[at].event));
        const double tip = pole > cloth.left() ? cloth.left() : cloth.right();
        QPainterPath pennant(QPointF(pole, cloth.top()));
        pennant.lineTo(tip, cloth.center().y());
        pennant.lineTo(pole, cloth.bottom());
        pennant.closeSubpath();
        painter.setPen(QPen(theme.text, 1));
        painter.drawLine(QPointF(pole, cloth.top()), QPointF(pole, bottom));
        painter.fillPath(pennant, theme.text);
    }
}

bool Overview::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto flag = flagAt(help->pos())) {
            QToolTip::showText(help->globalPos(), tipHtml(m_flags[*flag].text), this);
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace vramscope
