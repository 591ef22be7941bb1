// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"
#include "ui/support/theme.h"

#include <QColor>
#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

/// A part of a bar; parts with the same name have the same colour in all bars.
struct BarSegment
{
    QString name;
    Bytes bytes = 0;
    QColor color; ///< invalid: unused bytes, in the colour of lines
};

struct SegmentBar
{
    QString name;
    std::vector<BarSegment> segments;
    std::optional<Bytes> capacity; ///< drawn as a frame around the bar
    QString note;                  ///< to the right of the bar
    bool isBad = false;            ///< the note is a warning

    [[nodiscard]] Bytes total() const;
};

/// Horizontal stacked bars of bytes on one scale, with names before and notes after them, sizes in
/// the parts that are wide enough, and the names of the parts below, with their sizes if there is
/// one bar. Hovering shows the bytes of a part.
class SegmentBars : public Chart
{
    Q_OBJECT

public:
    explicit SegmentBars(QWidget *parent = nullptr);

    void setBars(std::vector<SegmentBar> bars);
    [[nodiscard]] const std::vector<SegmentBar> &bars() const { return m_bars; }
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void relayout() override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct LegendItem
    {
        const BarSegment *segment;
        QString text;
        QRectF place;
    };
    [[nodiscard]] QFont textFont() const { return typeFont(this, Type::Small); }
    /// The room for texts at a side of the bars: the widest of them, and a space.
    [[nodiscard]] double widestOf(QString SegmentBar::*text) const;
    [[nodiscard]] double namesWidth() const;
    /// The rectangle of a bar as long as the longest one.
    [[nodiscard]] QRectF barRect(std::size_t bar) const;
    /// The x where the first `bytes` of a bar end.
    [[nodiscard]] double endOf(std::size_t bar, Bytes bytes) const;
    [[nodiscard]] Bytes longest() const;
    [[nodiscard]] std::vector<LegendItem> legend(double width) const;
    [[nodiscard]] QString tipText(const SegmentBar &bar, const BarSegment &segment) const;
    void paintBar(QPainter &painter, std::size_t bar) const;

    std::vector<SegmentBar> m_bars;
};

} // namespace vramscope
