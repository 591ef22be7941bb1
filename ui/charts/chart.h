// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QFont>
#include <QHash>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace vramscope {

struct Theme;

/// A chart that paints itself, in small type: it shows a hover text under the mouse, and lays
/// itself out again when its size, unit, font or colours change.
class Chart : public QWidget
{
    Q_OBJECT

public:
    void setUnit(ByteUnit unit);
    /// The hover text of a point, in rich text; empty if nothing is there.
    [[nodiscard]] virtual QString hoverText(QPointF point) const = 0;

protected:
    explicit Chart(QWidget *parent);

    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] double lineHeight() const;
    /// The width of a text in small type; each is measured once, as charts lay the same out again
    /// and again.
    [[nodiscard]] double textWidth(const QString &text) const;
    virtual void relayout() { update(); }
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    ByteUnit m_unit = ByteUnit::Binary;
    mutable QFont m_measured; ///< the font of these
    mutable double m_lineHeight = 0;
    mutable QHash<QString, double> m_widths;
    void measure() const;
};

/// Shows a hover text, or hides the previous one if it is empty.
void showHover(QWidget &chart, const QMouseEvent &event, const QString &text);
/// The item that an arrow key, Home or End leads to, of `count` from left to right; empty for any
/// other key.
[[nodiscard]] std::optional<int> steppedTo(int key, int from, int count);
[[nodiscard]] bool isEnter(int key);

/// Why a chart is empty, in the middle of a place.
void paintReason(QPainter &painter, const QRectF &place, const QString &text, const Theme &theme);
/// A level of the vertical axis: a hairline through the plot, and its text to the left.
void paintLevel(QPainter &painter, const QRectF &plot, double y, const QString &text,
                const Theme &theme);
/// A dashed line through the plot, at a limit.
void paintLimit(QPainter &painter, const QRectF &plot, double y, const Theme &theme);

/// Text over a patch of the card's colour, so that lines and bars below do not cut through it.
void drawOnPatch(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                 const QString &text, const QColor &patch);

/// The side of the square in a legend entry, and the distance between entries, in pixels.
inline constexpr double kSwatch = 10;
inline constexpr double kLegendGap = 16;

/// The places of legend entries with these widths, in lines no wider than `width`; each line begins
/// at `left`.
[[nodiscard]] std::vector<QRectF> legendPlaces(std::span<const double> widths, double width,
                                               double lineHeight, double left = 6,
                                               double gap = kLegendGap);
/// The square of an entry, at the left of its place.
[[nodiscard]] QRectF swatchIn(const QRectF &place);

/// The entry of a memory part in a legend.
struct PartEntry
{
    std::size_t part = 0;
    QRectF rect;
};
/// The legend of the parts that `isShown`, below `top`; `padding` pixels stay between a square and
/// the end of its name.
[[nodiscard]] std::vector<PartEntry> partLegend(const std::vector<bool> &isShown, const QFont &font,
                                                double width, double top = 0, double padding = 6);

/// Fills a place in the colour of a part; memory outside the tensors and unknown memory are
/// patterns.
void fillPart(QPainter &painter, const QList<QRectF> &places, std::size_t part, const Theme &theme);
/// A legend of parts, in which the selected one is outlined.
void paintLegend(QPainter &painter, const std::vector<PartEntry> &legend, const Theme &theme,
                 std::optional<std::size_t> selected = {});
/// The square of a part in it.
void paintSwatch(QPainter &painter, const QRectF &square, std::size_t part, const Theme &theme);

} // namespace vramscope
