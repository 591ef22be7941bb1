// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/steps_plot.h"

#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QKeyEvent>

#include <algorithm>
#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kNear = 12; // pixels from a line
constexpr std::size_t kMostOutliers = 12;

} // namespace

StepsChart::StepsChart(const StepsData &data, const QRectF &area, const ChartStyle &style)
    : m_data(data)
    , m_counted(std::ranges::count(data.fold->counts, true))
    , m_place(area)
    , m_area{{}, {}, {}, style}
{
    m_area.style.font = smallFont(style.font);
    m_area.plot = plotBetweenLines(area, style.font);
    const StepFold &fold = *data.fold;
    const Bytes highest = std::max(data.step(fold.highest).peakActive, kKiB);
    m_area.viewport = {{0, fold.width * static_cast<double>(fold.places.size())},
                       {0, static_cast<double>(highest) * 1.06}};
    choose();
    for (const std::size_t step : m_steps)
        m_lines.push_back(bytesByPlace(data.step(step), *data.active, data.times, fold.width,
                                       fold.places.size()));
}

// All steps if there are few; otherwise the outliers and others at equal distances.
void StepsChart::choose()
{
    const StepFold &fold = *m_data.fold;
    std::set<std::size_t> chosen{0, fold.highest, m_data.count() - 1};
    for (std::size_t at = 0; at < std::min(fold.outliers.size(), kMostOutliers); ++at)
        chosen.insert(fold.outliers[at]);
    const std::size_t others = std::min(m_data.count(), kMostLines - kMostOutliers - 3);
    for (std::size_t at = 0; at < others; ++at)
        chosen.insert(at * m_data.count() / others);
    for (std::size_t at = 0; m_data.count() <= kMostLines && at < m_data.count(); ++at)
        chosen.insert(at);
    m_steps.assign(chosen.begin(), chosen.end());
}

double StepsChart::left(std::size_t place) const
{
    return m_area.x(static_cast<double>(place) * m_data.fold->width);
}

// Sums that a damaged file makes up stay near the plot.
double StepsChart::y(Bytes bytes) const
{
    return std::clamp(m_area.y(bytes), plot().top() - 8, plot().bottom() + 8);
}

std::size_t StepsChart::placeAt(double x) const
{
    const double place = m_area.across().toValue(x - plot().left()) / m_data.fold->width;
    const auto last = static_cast<double>(m_data.fold->places.size() - 1);
    return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, last));
}

Qt::PenStyle StepsChart::styleOf(std::size_t step) const
{
    const Step &of = m_data.step(step);
    if (!of.complete || !of.startKnown)
        return Qt::DotLine;
    return step == 0 && m_data.count() > 1 ? Qt::DashLine : Qt::SolidLine;
}

bool StepsChart::isHighest(std::size_t step) const
{
    return step == m_data.fold->highest && m_data.step(step).peakActive > m_data.fold->medianPeak;
}

std::optional<std::size_t> StepsChart::stepAt(QPointF point) const
{
    std::optional<std::size_t> nearest;
    if (!plot().contains(point))
        return nearest;
    const std::size_t place = placeAt(point.x());
    double distance = kNear;
    for (std::size_t at = 0; at < m_steps.size(); ++at) {
        if (place >= m_lines[at].size())
            continue;
        const double away = std::abs(y(m_lines[at][place]) - point.y());
        if (away < distance) {
            distance = away;
            nearest = m_steps[at];
        }
    }
    return nearest;
}

QStringList StepsChart::textAt(QPointF point) const
{
    if (!plot().contains(point) || m_counted < 2)
        return {};
    const std::size_t at = placeAt(point.x());
    const StepFold::Place &place = m_data.fold->places[at];
    const auto offset = static_cast<std::int64_t>(static_cast<double>(at) * m_data.fold->width);
    const QString where = m_data.times.empty()
                              ? u"%1 into the step"_s.arg(countedText(offset, "event"))
                              : u"%1 into the step"_s.arg(toQString(formatMicroseconds(offset)));
    if (place.steps == 0)
        return {where, u"no whole step lasts as long"_s};
    const ByteUnit unit = m_area.style.unit;
    return {
        where,
        u"median of %1: %2"_s.arg(countedText(place.steps, "step"), bytesText(place.median, unit)),
        u"lowest %1, highest %2"_s.arg(bytesText(place.lowest, unit),
                                       bytesText(place.highest, unit))};
}

QPolygonF StepsChart::line(std::size_t step) const
{
    const auto known = std::ranges::lower_bound(m_steps, step);
    const std::vector<Bytes> bytes =
        known != m_steps.end() && *known == step
            ? m_lines[static_cast<std::size_t>(known - m_steps.begin())]
            : bytesByPlace(m_data.step(step), *m_data.active, m_data.times, m_data.fold->width,
                           m_data.fold->places.size());
    QPolygonF line;
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        const double at = crisp(y(bytes[place]));
        if (line.empty() || line.back().y() != at)
            line << QPointF(left(place), at);
        if (line.size() > 1 && line.at(line.size() - 2).y() == at) // extend a horizontal line
            line.back().setX(left(place + 1));
        else
            line << QPointF(left(place + 1), at);
    }
    return line;
}

StepsPlot::StepsPlot(QWidget *parent)
    : HoverPlot(u"Steps over each other"_s,
                u"Active memory of every training step since its start. Left and right choose the "
                "step before and after."_s,
                parent)
{
}

void StepsPlot::setSteps(const StepsData &steps)
{
    m_data = steps;
    m_chosen.reset();
    discard();
}

void StepsPlot::setChosen(std::optional<std::size_t> step)
{
    if (step == m_chosen)
        return;
    m_chosen = step;
    update();
}

StepsChart StepsPlot::makeChart(const ChartStyle &style) const
{
    return {m_data, rect(), style};
}

std::optional<std::size_t> StepsPlot::stepAt(QPointF position) const
{
    return m_data.isEmpty() ? std::nullopt : chart().stepAt(position);
}

QStringList StepsPlot::textAt(QPointF position) const
{
    if (m_data.isEmpty())
        return {};
    const auto step = stepAt(position);
    return step ? stepLines(m_data, *step, unit()) : chart().textAt(position);
}

QPolygonF StepsPlot::line(std::size_t step) const
{
    return m_data.isEmpty() ? QPolygonF() : chart().line(step);
}

void StepsPlot::paintOver(QPainter &painter) const
{
    const Theme &theme = chartTheme(this);
    painter.setClipRect(chart().plot());
    if (m_chosen)
        chart().markStep(painter, *m_chosen, theme.accent);
    const auto under = mouse() ? stepAt(*mouse()) : std::nullopt;
    if (under && under != m_chosen)
        chart().paintStep(painter, *under, theme.text, 2);
}

void StepsPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto step = stepAt(event->position()))
        Q_EMIT stepChosen(*step);
}

void StepsPlot::keyPressEvent(QKeyEvent *event)
{
    const bool back = event->key() == Qt::Key_Left;
    const bool ours = event->modifiers() == Qt::NoModifier && !m_data.isEmpty();
    if (!ours || (!back && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_data.count() - 1;
    if (!m_chosen)
        Q_EMIT stepChosen(back ? last : 0);
    else if (*m_chosen != (back ? 0 : last))
        Q_EMIT stepChosen(back ? *m_chosen - 1 : *m_chosen + 1);
}

} // namespace vramscope
