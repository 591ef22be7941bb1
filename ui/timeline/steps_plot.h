// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/kept_picture.h"
#include "ui/timeline/steps_chart.h"

#include <QWidget>

namespace vramscope {

/// The chart of overlaid steps: the mouse over a line names its step, a click chooses it, left and
/// right go to the step before and after.
class StepsPlot : public QWidget
{
    Q_OBJECT

public:
    explicit StepsPlot(QWidget *parent = nullptr);

    void setSteps(const StepsData &steps);
    void setUnit(ByteUnit unit);
    /// Sets the highlighted step.
    void setChosen(std::optional<std::size_t> step);
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }

    /// The step whose line is at a point of the widget.
    [[nodiscard]] std::optional<std::size_t> stepAt(QPointF position) const;
    /// The tip for a point of the widget; empty if nothing is there.
    [[nodiscard]] QStringList textAt(QPointF position) const;
    /// The path of a step's line.
    [[nodiscard]] QPolygonF line(std::size_t step) const;

    [[nodiscard]] QSize sizeHint() const override { return {700, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    void stepChosen(std::size_t step);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    [[nodiscard]] const StepsChart &chart() const;
    void discard();

    StepsData m_data;
    ByteUnit m_unit = ByteUnit::Binary;
    std::optional<std::size_t> m_chosen;
    std::optional<QPointF> m_mouse;
    KeptPicture<StepsChart> m_picture;
};

} // namespace vramscope
