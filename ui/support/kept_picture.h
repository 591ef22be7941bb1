// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/pixel_ratio.h"

#include <QImage>
#include <QPainter>
#include <QWidget>

#include <optional>

namespace vramscope {

/// A chart of a widget's size, made when first needed and kept until it is discarded. It paints
/// every pixel of the widget, which may have Qt::WA_OpaquePaintEvent. The first frame of a chart is
/// painted directly: while a view moves there is no second one. For the next frames, which differ
/// only in what follows the mouse, its picture is cached.
template<class Chart>
class KeptPicture
{
public:
    /// The chart; calls `make` if it does not exist.
    template<class Make>
    const Chart &chart(const QWidget &widget, const Make &make) const
    {
        if (const double ratio = pixelRatio(widget); !m_chart || m_ratio != ratio) {
            m_chart.emplace(make());
            m_ratio = ratio;
            m_frames = 0;
        }
        return *m_chart;
    }

    /// Paints the last chart requested.
    void paint(QPainter &painter, const QWidget &widget) const
    {
        if (m_frames == 0 || keepsVectors(painter)) {
            paintChart(painter);
            m_frames = 1;
            return;
        }
        if (m_frames == 1)
            takePicture(widget);
        m_frames = 2;
        painter.drawImage(0, 0, m_image);
    }

    void discard() { m_chart.reset(); }

private:
    void paintChart(QPainter &painter) const
    {
        painter.save();
        m_chart->paint(painter);
        painter.restore();
    }

    // Opaque, so that it is copied and not blended; reuses the last picture's memory, which is slow
    // to allocate.
    void takePicture(const QWidget &widget) const
    {
        const QSize size = (QSizeF(widget.size()) * m_ratio).toSize();
        if (m_image.size() != size)
            m_image = QImage(size, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(m_ratio);
        QPainter painter(&m_image);
        paintChart(painter);
    }

    mutable std::optional<Chart> m_chart;
    mutable double m_ratio = 0;
    mutable int m_frames =
        0; // that the chart was painted for; from the second on there is a picture
    mutable QImage m_image;
};

} // namespace vramscope
