// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_view.h"

#include "ui/series/series_text.h"
#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Places the pixels of a plot, column by column.
class Columns
{
public:
    Columns(const SeriesScene &scene, const ChartArea &area)
        : m_area(area)
        , m_across{{area.viewport.x.low + static_cast<double>(scene.start()),
                    area.viewport.x.high + static_cast<double>(scene.start())},
                   static_cast<double>(area.columns())}
        , m_pixel(1 / area.style.pixelRatio)
    {
    }

    [[nodiscard]] int count() const { return m_area.columns(); }
    /// The samples inside a column.
    [[nodiscard]] std::optional<SampleSpan> samples(const DeviceSamples &device, int column) const
    {
        return device.times.within(m_across.toValue(column), m_across.toValue(column + 1));
    }
    /// The upper edge of the pixel for these bytes.
    [[nodiscard]] double top(Bytes bytes) const
    {
        return std::floor((m_area.y(bytes) - m_area.plot.top()) * m_area.style.pixelRatio) *
                   m_pixel +
               m_area.plot.top();
    }
    /// Fills [top, bottom) of a column.
    void fill(QPainter &painter, int column, double top, double bottom, const QColor &color) const
    {
        if (bottom > top)
            painter.fillRect(
                QRectF(m_area.plot.left() + column * m_pixel, top, m_pixel, bottom - top), color);
    }

private:
    const ChartArea &m_area;
    LinearScale m_across; // since the document's origin
    double m_pixel;
};

void paintLine(QPainter &painter, const SceneCurve &curve, const Columns &columns,
               const ChartArea &area)
{
    const QColor color = curve.color ? QColor(curve.color) : area.style.theme.text;
    QColor tint = color;
    tint.setAlpha(area.style.theme.dark ? 70 : 55);
    const double width = curve.color ? 2 : 1;
    for (int column = 0; column < columns.count(); ++column) {
        const auto samples = columns.samples(*curve.device, column);
        const auto highest =
            samples ? curve.samples->highest(samples->first, samples->last) : std::nullopt;
        if (!highest)
            continue;
        const auto lowest = curve.samples->lowest(samples->first, samples->last);
        const double top = columns.top(curve.samples->at(*highest));
        const double bottom = columns.top(curve.samples->at(*lowest)) + width;
        columns.fill(painter, column, top, std::min(bottom, area.plot.bottom()), color);
        if (curve.look == SceneCurve::Look::Filled)
            columns.fill(painter, column, bottom, area.plot.bottom(), tint);
    }
}

bool hasBands(const SeriesScene &scene)
{
    return std::ranges::any_of(scene.curves(), [](const SceneCurve &curve) {
        return curve.look == SceneCurve::Look::Band;
    });
}

void paintBands(QPainter &painter, const SeriesScene &scene, const Columns &columns,
                const ChartArea &area)
{
    const SceneCurve &sum = scene.main();
    for (int column = 0; column < columns.count(); ++column) {
        const auto samples = columns.samples(*sum.device, column);
        const auto highest =
            samples ? sum.samples->highest(samples->first, samples->last) : std::nullopt;
        if (!highest)
            continue;
        Bytes below = 0;
        for (const SceneCurve &curve : scene.curves()) {
            const Bytes bytes = curve.samples->at(*highest);
            if (!curve.shown || curve.look != SceneCurve::Look::Band || bytes == kNoBytes)
                continue;
            const Bytes above = wrappingSum(below, bytes);
            const double bottom = below == 0 ? area.plot.bottom() : columns.top(below);
            columns.fill(painter, column, columns.top(above), bottom, QColor(curve.color));
            below = above;
        }
    }
}

} // namespace

void paintCurves(QPainter &painter, const SeriesScene &scene, const ChartArea &area)
{
    const Columns columns(scene, area);
    if (hasBands(scene))
        paintBands(painter, scene, columns, area);
    // The first curve is painted last, over the others.
    for (auto curve = scene.curves().rbegin(); curve != scene.curves().rend(); ++curve) {
        if (curve->shown && curve->look != SceneCurve::Look::Band)
            paintLine(painter, *curve, columns, area);
    }
}

SeriesChart::SeriesChart(const SeriesScene &scene, const Viewport &viewport, const QRectF &area,
                         const ChartStyle &style)
    : m_scene(scene)
    , m_place(area)
    , m_area{{}, scene.axis(), viewport, style}
    , m_small(smallFont(style.font))
{
    m_area.plot = plotBetweenLines(area, style.font);
}

void SeriesChart::paint(QPainter &painter) const
{
    painter.fillRect(m_place, m_area.style.theme.window);
    if (m_area.plot.width() < 1 || m_area.plot.height() < 1)
        return;
    painter.setFont(m_small);
    paintByteAxis(painter, m_area);
    paintTimeAxis(painter, m_area);
    painter.save();
    painter.setClipRect(m_area.plot);
    paintCurves(painter, m_scene, m_area);
    paintLimit(painter);
    paintPeak(painter);
    paintFailures(painter);
    painter.restore();
}

std::optional<SceneSample> SeriesChart::sampleAt(QPointF point) const
{
    if (!m_area.plot.contains(point))
        return std::nullopt;
    const Columns columns(m_scene, m_area);
    const int column = std::clamp(m_area.columnAt(point.x()), 0, columns.count() - 1);
    std::optional<SceneSample> nearest;
    double distance = 0;
    for (const SceneCurve &curve : m_scene.curves()) {
        const auto samples = columns.samples(*curve.device, column);
        // Curves of one device share their samples: the main one chooses.
        const bool asked = m_scene.device() ? &curve == &m_scene.main() : curve.shown;
        if (!asked || !samples)
            continue;
        const auto highest = curve.samples->highest(samples->first, samples->last);
        const double away =
            highest ? std::abs(m_area.y(curve.samples->at(*highest)) - point.y()) : 0;
        if (!highest || (nearest && away >= distance))
            continue;
        nearest = SceneSample{curve.device, *highest};
        distance = away;
    }
    return nearest;
}

void SeriesChart::paintLimit(QPainter &painter) const
{
    if (m_scene.limit() <= 0)
        return;
    const Theme &theme = m_area.style.theme;
    const QString text =
        u"size of the device: %1"_s.arg(bytesText(m_scene.limit(), m_area.style.unit));
    const QFontMetricsF metrics(m_small);
    if (!m_scene.showsLimit()) {
        paintChartLabel(painter, m_area,
                        {m_area.plot.right() - kChartGap - metrics.horizontalAdvance(text),
                         m_area.plot.top() + metrics.ascent() + 1},
                        text, theme.dim);
        return;
    }
    const double at = crisp(m_area.y(m_scene.limit()));
    QPen dashed(theme.text, 1);
    dashed.setDashPattern({5, 4});
    painter.setPen(dashed);
    painter.drawLine(QPointF(m_area.plot.left(), at), QPointF(m_area.plot.right(), at));
    paintChartLabel(painter, m_area,
                    {m_area.plot.left() + kChartGap, at + metrics.ascent() + kChartGap}, text,
                    theme.text);
}

void SeriesChart::paintPeak(QPainter &painter) const
{
    const SceneCurve &curve = m_scene.main();
    const auto peak = curve.samples->highest(0, curve.samples->count() - 1);
    if (!peak || (!curve.shown && !hasBands(m_scene)))
        return;
    const Bytes bytes = curve.samples->at(*peak);
    const auto time =
        static_cast<double>(curve.device->times.microseconds()[*peak] - m_scene.start());
    const QPointF tip(m_area.x(time), m_area.y(bytes));
    if (bytes == 0 || !m_area.plot.contains(tip))
        return;
    const Theme &theme = m_area.style.theme;
    paintPeakMark(painter, tip, theme.text);
    const QString text = u"peak %1"_s.arg(bytesText(bytes, m_area.style.unit));
    const QFontMetricsF metrics(m_small);
    const double width = metrics.horizontalAdvance(text);
    const bool fits = tip.x() + 10 + width < m_area.plot.right();
    const double y = tip.y() - metrics.descent() - 2; // clear of a level curve
    paintChartLabel(painter, m_area, {fits ? tip.x() + 9 : tip.x() - 9 - width, y}, text,
                    theme.text);
}

void SeriesChart::paintFailures(QPainter &painter) const
{
    if (!m_scene.device())
        return;
    const SeriesDevice &device = *m_scene.device()->recorded;
    const QFontMetricsF metrics(m_small);
    double free = m_area.plot.left(); // where the next label may begin
    for (const FailedAllocation &failed : device.failed) {
        const double time =
            static_cast<double>(wrappingDifference(failed.time, device.time.front())) / 1000;
        if (!m_area.viewport.x.contains(time))
            continue;
        const double at = std::min(std::floor(m_area.x(time)), m_area.plot.right() - 2);
        painter.fillRect(QRectF(at, m_area.plot.top(), 2, m_area.plot.height()),
                         m_area.style.theme.bad);
        const QString text =
            u"out of memory: asked for %1"_s.arg(bytesText(failed.requested, m_area.style.unit));
        const double width = metrics.horizontalAdvance(text);
        const bool left = at - kChartGap - width >= free;
        const double begin = left ? at - kChartGap - width : at + kChartGap;
        if (begin < free || begin + width > m_area.plot.right())
            continue;
        paintChartLabel(painter, m_area, {begin, m_area.plot.top() + metrics.height()}, text,
                        m_area.style.theme.bad);
        free = begin + width + kChartGap;
    }
}

SeriesView::SeriesView(TimelineState *state, QWidget *parent)
    : ChartWidget(state, parent)
{
    setAccessibleName(u"Memory over time"_s);
    setAccessibleDescription(keysText());
}

void SeriesView::setScene(const Series *series, const SeriesScene *scene)
{
    m_series = series;
    m_scene = scene;
    stopGesture();
    discardPicture();
}

SeriesChart SeriesView::makeChart(const ChartStyle &style) const
{
    return {*m_scene, state()->visible(), rect(), style};
}

QStringList SeriesView::textAt(QPointF position) const
{
    const auto sample = hasData() ? chart().sampleAt(position) : std::nullopt;
    return sample ? sampleText(*m_series, *m_scene, *sample->device, sample->sample, unit())
                  : QStringList();
}

EventIndex SeriesView::eventAt(QPointF position) const
{
    if (const auto sample = chart().sampleAt(position))
        return m_scene->eventOf(*sample->device, sample->sample);
    return axisEventAt(position);
}

EventIndex SeriesView::peakEvent() const
{
    const SceneCurve &curve = m_scene->main();
    const auto peak = curve.samples->highest(0, curve.samples->count() - 1);
    return m_scene->eventOf(*curve.device, peak.value_or(0));
}

} // namespace vramscope
