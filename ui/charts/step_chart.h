// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"
#include "ui/charts/step_curve.h"

namespace vramscope {

/// The memory of a step as stacked columns against the limit, with the phases named below. Parts
/// that do not change are folded to bands until a click or the key F unfolds them. Painted here,
/// pixel column by pixel column, so that hundreds of blocks cost as much as one. Hovering shows the
/// bytes and a click selects; so do the keys: left and right go through the columns, up and down
/// through the parts, Enter selects the column's moment.
class StepChart : public Chart
{
    Q_OBJECT

public:
    explicit StepChart(QWidget *parent = nullptr);

    void setCurve(const StepCurve &curve);
    [[nodiscard]] const StepCurve &curve() const { return m_curve; }
    void setSelectedPart(std::optional<std::size_t> part);
    /// Whether parts that do not change are bands, where they are most of the curve.
    void setFolding(bool folding);
    /// Whether the legend lists every part that has no room for its name, or only those that the
    /// breakdown of the shown moment, in another view, lacks too.
    void setLegendShown(bool shown);
    [[nodiscard]] std::optional<std::size_t> selectedPart() const { return m_part; }
    /// The moment that the page shows; its own column is marked.
    void setSelectedMoment(const QString &moment);

    [[nodiscard]] const StepGeometry &geometryOfCurve() const { return m_geometry; }
    [[nodiscard]] const StepLabels &labels() const { return m_labels; }
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {560, 280}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 190}; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(const QString &moment);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] std::optional<std::size_t> legendPartAt(QPointF point) const;
    /// A column with what is outside the tensors: up to the level of the device.
    [[nodiscard]] StepColumn wholeColumn(int column) const;
    [[nodiscard]] QString columnText(int column) const;
    void stepPart(int direction);
    [[nodiscard]] std::optional<std::size_t> shownColumn() const;
    [[nodiscard]] bool isSeen(std::size_t part) const;
    [[nodiscard]] std::vector<bool> unnamedParts() const;
    /// Lays the plot out over a legend of these parts.
    void layOut(const std::vector<bool> &isListed);
    [[nodiscard]] QSizeF nameSize(std::size_t part) const;
    [[nodiscard]] double topOfRange() const;
    [[nodiscard]] QString foldText() const;
    /// Where the name of a part has room inside it; null otherwise.
    [[nodiscard]] QRectF placeInside(std::size_t part, QSizeF size) const;
    /// Where the hatch above the stack has room for its name; null otherwise.
    [[nodiscard]] QRectF devicePlace() const;
    void relayout() override;
    [[nodiscard]] QString limitLabel() const;
    [[nodiscard]] QString markLabel() const;
    // step_paint.cpp
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintStack(QPainter &painter, const Theme &theme) const;
    void paintNames(QPainter &painter) const;
    void paintFold(QPainter &painter, const Theme &theme) const;
    void paintSelection(QPainter &painter, const Theme &theme) const;
    void paintMarks(QPainter &painter, const Theme &theme) const;
    void paintPhases(QPainter &painter, const Theme &theme) const;

    StepCurve m_curve;
    StepGeometry m_geometry;
    StepLabels m_labels;
    std::vector<StepSlot> m_slots;
    std::vector<PartStretches> m_stretches; ///< of each slot, with what is outside the tensors
    std::vector<PartEntry> m_parts;         ///< in stacking order
    std::vector<PartEntry> m_legend;        ///< of the parts that are not named inside
    std::optional<std::size_t> m_part;
    QString m_moment;
    bool m_folding = true;
    bool m_legendShown = true;
    bool m_foldable = false;
    QRectF m_foldPlace;          ///< where a click folds or unfolds
    std::optional<int> m_cursor; ///< the column under the mouse, or where the keys are
};

} // namespace vramscope
