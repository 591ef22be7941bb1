// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_chart.h"
#include "ui/timeline/kept_picture.h"
#include "ui/timeline/timeline_widget.h"

namespace vramscope {

/// The curves of a scene over time, explored like every other timeline.
class SeriesView : public TimelineWidget
{
    Q_OBJECT

public:
    explicit SeriesView(TimelineState *state, QWidget *parent = nullptr);

    /// The series and the scene outlive the view, or are replaced first.
    void setScene(const Series *series, const SeriesScene *scene);
    void setUnit(ByteUnit unit);

    /// The lines that tell of a point of the widget; none where nothing was recorded.
    [[nodiscard]] QStringList textAt(QPointF position) const override;

protected:
    [[nodiscard]] bool hasData() const override { return m_scene && m_scene->valid(); }
    [[nodiscard]] const ChartArea &area() const override { return chart().area(); }
    [[nodiscard]] EventIndex eventAt(QPointF position) const override;
    [[nodiscard]] EventIndex peakEvent() const override;
    void paintPicture(QPainter &painter) const override;
    void discardChart() override { m_picture.discard(); }

private:
    /// Of the current viewport and size.
    [[nodiscard]] const SeriesChart &chart() const;

    const Series *m_series = nullptr;
    const SeriesScene *m_scene = nullptr;
    ByteUnit m_unit = ByteUnit::Binary;
    KeptPicture<SeriesChart> m_picture;
};

} // namespace vramscope
