// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/profile_colors.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/timeline_lines.h"
#include "ui/timeline/chart_area.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace vramscope {

/// What a timeline of a profile draws: constant while it is drawn, and longer-lived.
struct ProfileScene
{
    const ProfileDocument *document = nullptr;
    const std::vector<TimelineSection> *sections = nullptr;
    const TimelineLines *lines = nullptr;
    const Folds *folds = nullptr;
    const FoundRows *found = nullptr; ///< null: everything is drawn alike
    const EventColors *colors = nullptr;
};

/// What stands at a point of the timeline.
struct ProfilePlace
{
    std::size_t line = 0;
    std::optional<RowMark> mark; ///< of a row
};

/// The timeline of a profile without anything that follows the mouse: the axis with the steps, and
/// below it the lines as far as they are scrolled into view, their names at the left. Coordinates
/// are device-independent pixels.
class ProfileChart
{
public:
    /// `visible`: ns since the document's origin; `scroll`: of the lines.
    ProfileChart(const ProfileScene &scene, const Range &visible, double scroll,
                 const QRectF &place, const ChartStyle &style);

    void paint(QPainter &painter) const;

    /// Where events stand: right of the names and below the axis.
    [[nodiscard]] const QRectF &plot() const { return m_plot; }
    [[nodiscard]] LinearScale across() const { return {m_visible, m_plot.width()}; }
    [[nodiscard]] double x(std::int64_t time) const;
    /// As the file counts.
    [[nodiscard]] double timeAt(double x) const;
    /// What rows are divided into: device pixels.
    [[nodiscard]] TimeWindow window() const;
    /// The place of a line in the widget; it may lie outside of the plot.
    [[nodiscard]] QRectF lineRect(std::size_t line) const;
    /// The place of pixels of a line, no narrower than a pixel.
    [[nodiscard]] QRectF markRect(std::size_t line, const RowMark &mark) const;
    [[nodiscard]] std::optional<std::size_t> lineAt(QPointF point) const;
    /// None outside of all lines. The inverse of paint().
    [[nodiscard]] std::optional<ProfilePlace> at(QPointF point) const;

    /// What the names need at the left.
    [[nodiscard]] static double namesWidth(const QFont &font);
    /// The height of a row of text.
    [[nodiscard]] static double rowHeight(const QFont &font);

private:
    struct Label
    {
        QRectF place;
        std::uint32_t event;
        QRgb ground;
    };

    void paintAxis(QPainter &painter) const;
    void paintSteps(QPainter &painter, const QRectF &place) const;
    void paintName(QPainter &painter, std::size_t line) const;
    void paintHeading(QPainter &painter, std::size_t line) const;
    void paintCover(QPainter &painter, std::size_t line) const;
    void paintRow(QPainter &painter, std::size_t line) const;
    void paintCurve(QPainter &painter, std::size_t line, const TimeCurve &curve, double most,
                    const QColor &color, const QColor &tint) const;
    void paintQueue(QPainter &painter, std::size_t line) const;
    void paintMemory(QPainter &painter, std::size_t line) const;
    void paintBase(QPainter &painter, std::size_t line) const;
    void paintScale(QPainter &painter, std::size_t line, const QString &most) const;
    void spreadMarks(const TimelineRow &row, const TimeWindow &window, bool faint,
                     std::vector<QRgb> &pixels, std::vector<Label> *labels,
                     const QRectF &place) const;
    void blit(QPainter &painter, const QRectF &place, const std::vector<QRgb> &pixels) const;
    void paintLabels(QPainter &painter, EventKind kind, const std::vector<Label> &labels) const;

    ProfileScene m_scene;
    Range m_visible;
    double m_scroll;
    QRectF m_place;
    QRectF m_plot;
    ChartStyle m_style;
    QFont m_small;
};

} // namespace vramscope
