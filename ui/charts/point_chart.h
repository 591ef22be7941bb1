// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

namespace vramscope {

/// A chart of points, one of which may be selected: a click selects one, Right and Up walk to the
/// next along x, Left and Down back, Enter or a double click takes it. What is selected is its
/// accessible description.
class PointChart : public QWidget
{
    Q_OBJECT

public:
    explicit PointChart(QWidget *parent = nullptr);

    void setSelected(std::optional<std::size_t> point);
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }
    [[nodiscard]] virtual std::size_t pointCount() const = 0;
    /// Where a point is painted.
    [[nodiscard]] virtual QPointF positionOf(std::size_t point) const = 0;
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF position) const;

Q_SIGNALS:
    void pointSelected(std::size_t point);
    void pointTaken(std::size_t point);

protected:
    /// Of its tooltip, rich.
    [[nodiscard]] virtual QString textOf(std::size_t point) const = 0;
    /// The same for who does not see it, plain.
    [[nodiscard]] virtual QString sentenceOf(std::size_t point) const = 0;

    /// To be called when the points are others.
    void pointsChanged(std::optional<std::size_t> selected);
    [[nodiscard]] QFont smallFont() const;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void step(bool onward);

    std::optional<std::size_t> m_selected;
};

} // namespace vramscope
