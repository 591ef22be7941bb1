// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/pixel_ratio.h"
#include "ui/support/theme.h"

#include <QImage>
#include <QPainter>
#include <QWidget>

#include <optional>

namespace vramscope {

/// A chart of a widget's size with its picture: made and painted when first needed, then kept until
/// it is discarded. What follows the mouse is painted over the picture.
template<class Chart>
class KeptPicture
{
public:
    /// The chart; `make` gives it where there is none.
    template<class Make>
    const Chart &chart(const QWidget &widget, const Make &make) const
    {
        const double ratio = pixelRatio(widget);
        if (!m_chart || m_image.devicePixelRatio() != ratio) {
            m_chart.emplace(make());
            m_image = QImage(widget.size() * ratio, QImage::Format_ARGB32_Premultiplied);
            m_image.setDevicePixelRatio(ratio);
            m_image.fill(themeOf(&widget).window);
            QPainter painter(&m_image);
            m_chart->paint(painter);
        }
        return *m_chart;
    }
    /// The picture of the chart that was asked for last; the chart itself where it stays vectors.
    void paint(QPainter &painter, const QWidget &widget) const
    {
        if (!keepsVectors(painter))
            return painter.drawImage(0, 0, m_image);
        painter.fillRect(widget.rect(), themeOf(&widget).window);
        painter.save();
        m_chart->paint(painter);
        painter.restore();
    }
    void discard() { m_chart.reset(); }

private:
    mutable std::optional<Chart> m_chart;
    mutable QImage m_image;
};

} // namespace vramscope
