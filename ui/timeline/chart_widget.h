// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/in_unit.h"
#include "ui/support/kept_picture.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/theme.h"
#include "ui/timeline/timeline_widget.h"

namespace vramscope {

/// A TimelineWidget with one chart: made for the current viewport and size when first needed, and
/// kept with its picture until something changes.
template<class Chart>
class ChartWidget : public TimelineWidget, public InUnit
{
public:
    using TimelineWidget::TimelineWidget;

protected:
    /// Needs data.
    [[nodiscard]] virtual Chart makeChart(const ChartStyle &style) const = 0;

    [[nodiscard]] const Chart &chart() const
    {
        return m_picture.chart(*this, [this] {
            return makeChart(
                {chartTheme(this), m_unit, font(), pixelRatio(*this), state()->isMoving()});
        });
    }
    [[nodiscard]] const ChartArea &area() const override { return chart().area(); }
    void paintPicture(QPainter &painter) const override
    {
        (void)chart();
        m_picture.paint(painter, *this);
    }
    void discardChart() override { m_picture.discard(); }

private:
    void takeUnit() override { discardPicture(); }

    KeptPicture<Chart> m_picture;
};

} // namespace vramscope
