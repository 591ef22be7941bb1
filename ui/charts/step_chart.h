// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/charts/step_curve.h"

#include <QWidget>

class QPainter;

namespace vramscope {

struct Theme;

/// The memory of a step as stacked columns against the limit, with the phases named below and a
/// legend. Painted here, pixel column by pixel column, so that hundreds of blocks cost as much as
/// one. Hovering shows the bytes and a click selects; so do the keys: left and right go through the
/// columns, up and down through the parts, Enter selects the column's moment.
class StepChart : public QWidget
{
    Q_OBJECT

public:
    explicit StepChart(QWidget *parent = nullptr);

    void setCurve(const StepCurve &curve);
    [[nodiscard]] const StepCurve &curve() const { return m_curve; }
    void setUnit(ByteUnit unit);
    void setSelectedPart(std::optional<std::size_t> part);
    [[nodiscard]] std::optional<std::size_t> selectedPart() const { return m_part; }
    /// The moment that the page shows; its own column is marked.
    void setSelectedMoment(const QString &moment);

    [[nodiscard]] const StepGeometry &geometryOfCurve() const { return m_geometry; }
    [[nodiscard]] const StepLabels &labels() const { return m_labels; }
    /// The hover text of a point, in rich text; empty if nothing is there.
    [[nodiscard]] QString hoverText(QPointF point) const;

    [[nodiscard]] QSize sizeHint() const override { return {560, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 190}; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(const QString &moment);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct LegendItem
    {
        std::size_t part = 0;
        QRectF rect;
    };

    // step_chart.cpp
    [[nodiscard]] std::optional<std::size_t> legendPartAt(QPointF point) const;
    [[nodiscard]] QString columnText(int column) const;
    void moveCursor(int column);
    void stepPart(int direction);
    // step_layout.cpp
    void relayout();
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] double gigaBytes() const;
    [[nodiscard]] QString limitLabel() const;
    [[nodiscard]] QString markLabel() const;
    [[nodiscard]] std::vector<LegendItem> legendItems(double width) const;
    // step_paint.cpp
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintStack(QPainter &painter, const Theme &theme) const;
    void paintSelection(QPainter &painter, const Theme &theme) const;
    void paintMarks(QPainter &painter, const Theme &theme) const;
    void paintPhases(QPainter &painter, const Theme &theme) const;
    void paintLegend(QPainter &painter, const Theme &theme) const;

    StepCurve m_curve;
    StepGeometry m_geometry;
    StepLabels m_labels;
    std::vector<StepSlot> m_slots;
    std::vector<LegendItem> m_legend;
    ByteUnit m_unit = ByteUnit::Binary;
    std::optional<std::size_t> m_part;
    QString m_moment;
    std::optional<int> m_cursor; ///< the column under the mouse, or where the keys are
};

} // namespace vramscope
