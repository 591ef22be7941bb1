// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_chart.h"

#include "ui/charts/bar_geometry.h"
#include "ui/support/text.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPhasePadding = 12;
constexpr double kLeastWide = 14;
/// A limit this much higher than the stack would leave nothing to see of it.
constexpr double kFarLimit = 5;

/// Pixels that a column needs for the name of its phase, if it is the only one in it.
template<class Width>
std::vector<double> leastWidths(const StepCurve &curve, const Width &widthOf)
{
    std::vector<double> least(curve.columns.size(), kLeastWide);
    for (const StepCurvePhase &phase : curve.phases) {
        if (phase.count == 1)
            least[static_cast<std::size_t>(phase.first)] = widthOf(phase.title) + kPhasePadding;
    }
    return least;
}

} // namespace

StepChart::StepChart(QWidget *parent)
    : Chart(parent)
{
    setAccessibleName(u"Memory over the step"_s);
}

void StepChart::setCurve(const StepCurve &curve)
{
    if (curve == m_curve)
        return;
    m_curve = curve;
    if (m_cursor && *m_cursor >= static_cast<int>(m_curve.columns.size()))
        m_cursor.reset();
    relayout();
}

void StepChart::setSelectedPart(std::optional<std::size_t> part)
{
    m_part = part;
    update();
}

void StepChart::setFolding(bool folding)
{
    m_folding = folding;
    relayout();
}

void StepChart::setLegendShown(bool shown)
{
    m_legendShown = shown;
    relayout();
}

void StepChart::setSelectedMoment(const QString &moment)
{
    if (moment == m_moment)
        return;
    m_moment = moment;
    relayout();
}

std::optional<std::size_t> StepChart::legendPartAt(QPointF point) const
{
    for (const PartEntry &item : m_legend) {
        if (item.rect.contains(point))
            return item.part;
    }
    return std::nullopt;
}

StepColumn StepChart::wholeColumn(int column) const
{
    StepColumn whole = m_curve.columns[static_cast<std::size_t>(column)];
    if (m_curve.device)
        whole.parts[kOutsidePart] = std::max<Bytes>(*m_curve.device - whole.total(), 0);
    return whole;
}

QString StepChart::columnText(int column) const
{
    const StepColumn shown = wholeColumn(column);
    QString text = u"<b>%1</b><table>"_s.arg(shown.name.toHtmlEscaped());
    for (std::size_t part = kPartCount; part-- > 0;) { // in stacking order
        if (shown.parts[part] > 0)
            text += u"<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>"_s.arg(
                partName(part), exactBytesText(shown.parts[part], unit()));
    }
    const QString row = u"<tr><td><b>%1&nbsp;&nbsp;</b></td><td>%2</td></tr>"_s;
    if (m_curve.device)
        text += row.arg(u"allocated"_s,
                        exactBytesText(shown.total() - shown.parts[kOutsidePart], unit()));
    return text +
           row.arg(m_curve.device ? u"on the device"_s : u"together"_s,
                   exactBytesText(shown.total(), unit())) +
           u"</table>"_s;
}

QString StepChart::hoverText(QPointF point) const
{
    const std::optional<int> column = point.y() <= m_geometry.plot.bottom()
                                          ? m_geometry.columnAt(m_curve, point.x())
                                          : std::nullopt;
    return column ? columnText(*column) : QString();
}

void StepChart::stepPart(int direction)
{
    std::vector<std::size_t> parts;
    for (const PartEntry &item : m_parts)
        parts.push_back(item.part);
    if (m_curve.device)
        parts.push_back(kOutsidePart);
    if (parts.empty())
        return;
    const auto count = static_cast<int>(parts.size());
    const auto found = std::ranges::find(parts, m_part);
    const int at = found == parts.end() ? (direction > 0 ? -1 : count)
                                        : static_cast<int>(found - parts.begin());
    Q_EMIT partClicked(parts[static_cast<std::size_t>(std::clamp(at + direction, 0, count - 1))]);
}

void StepChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = event->position();
    if (m_foldPlace.contains(point)) {
        setFolding(!m_folding);
        return;
    }
    if (const std::optional<std::size_t> part = legendPartAt(point)) {
        Q_EMIT partClicked(*part);
        return;
    }
    const std::optional<int> column = m_geometry.columnAt(m_curve, point.x());
    if (!column || point.y() > m_geometry.plot.bottom())
        return;
    const std::optional<std::size_t> part = m_geometry.partAt(wholeColumn(*column), point.y());
    // What is outside the tensors is known of the peak. The curve may be another after the signal.
    const int of = part == kOutsidePart ? m_curve.marked.value_or(*column) : *column;
    const QString moment = m_curve.columns[static_cast<std::size_t>(of)].moment;
    if (!moment.isEmpty())
        Q_EMIT momentClicked(moment);
    if (part)
        Q_EMIT partClicked(*part);
}

void StepChart::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    const bool inside = point.y() <= m_geometry.plot.bottom();
    const std::optional<int> column =
        inside ? m_geometry.columnAt(m_curve, point.x()) : std::nullopt;
    if (column != m_cursor) {
        m_cursor = column;
        update();
    }
    setCursor(column || legendPartAt(point) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Chart::mouseMoveEvent(event);
}

void StepChart::leaveEvent(QEvent *event)
{
    m_cursor.reset();
    update();
    QWidget::leaveEvent(event);
}

void StepChart::keyPressEvent(QKeyEvent *event)
{
    const auto last = static_cast<int>(m_curve.columns.size()) - 1;
    const int key = event->key();
    if (last < 0)
        return QWidget::keyPressEvent(event);
    if (key == Qt::Key_F && m_foldable) {
        setFolding(!m_folding);
        return;
    }
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        stepPart(key == Qt::Key_Up ? 1 : -1); // in stacking order
        return;
    }
    if (isEnter(key) || key == Qt::Key_Space) {
        const QString moment =
            m_cursor ? m_curve.columns[static_cast<std::size_t>(*m_cursor)].moment : QString();
        if (!moment.isEmpty())
            Q_EMIT momentClicked(moment);
        return;
    }
    const int now = m_cursor.value_or(m_curve.marked.value_or(0));
    const std::optional<int> to = steppedTo(key, now, last + 1);
    if (!to)
        return QWidget::keyPressEvent(event);
    m_cursor = to;
    update();
    const QPoint place(static_cast<int>(m_geometry.middle(*m_cursor)),
                       static_cast<int>(m_geometry.plot.top()));
    setAccessibleDescription(m_curve.columns[static_cast<std::size_t>(*m_cursor)].name);
    QToolTip::showText(mapToGlobal(place), columnText(*m_cursor), this);
}

QString StepChart::limitLabel() const
{
    if (!m_curve.limit)
        return {};
    const QString text = m_curve.limitName + u' ' + bytesText(*m_curve.limit, unit());
    return static_cast<double>(*m_curve.limit) > m_geometry.range ? text + u" ↑"_s : text;
}

QString StepChart::markLabel() const
{
    if (!m_curve.marked)
        return {};
    const StepColumn &column = m_curve.columns[static_cast<std::size_t>(*m_curve.marked)];
    QString peak = m_curve.markText.arg(bytesText(column.total(), unit()));
    if (!m_curve.device)
        return peak;
    const QString both = peak + u"; "_s + bytesText(*m_curve.device, unit()) + u" on the device"_s;
    const double width = textWidth(both) + 4;
    return width <= m_geometry.plot.width() ? both : peak;
}

QString StepChart::foldText() const
{
    if (!m_foldable)
        return {};
    const auto base = static_cast<Bytes>(foldableParts(m_curve).back());
    return m_folding ? u"%1 constant, folded"_s.arg(bytesText(base, unit()))
                     : u"Fold what is constant"_s;
}

/// The highest column, or the limit where that leaves something to see of what changes.
double StepChart::topOfRange() const
{
    double highest = static_cast<double>(m_curve.device.value_or(0));
    for (const StepColumn &column : m_curve.columns)
        highest = std::max(highest, static_cast<double>(column.total()));
    const double base = m_geometry.base();
    const double limit = static_cast<double>(m_curve.limit.value_or(0));
    const double top = std::max(limit - base > kFarLimit * (highest - base) ? 0 : limit, highest);
    return top > 0 ? top : 1;
}

QSizeF StepChart::nameSize(std::size_t part) const
{
    return {textWidth(partName(part)) + 16, lineHeight()};
}

/// The column whose parts a breakdown next to the chart names.
std::optional<std::size_t> StepChart::shownColumn() const
{
    for (std::size_t at = 0; at < m_curve.columns.size(); ++at)
        if (m_curve.columns[at].own && m_curve.columns[at].moment == m_moment)
            return at;
    return m_curve.marked ? std::optional(static_cast<std::size_t>(*m_curve.marked)) : std::nullopt;
}

/// Whether a part is at least two pixels high in a column.
bool StepChart::isSeen(std::size_t part) const
{
    constexpr double kSeen = 2;
    return std::ranges::any_of(m_curve.columns, [&](const StepColumn &column) {
        const auto to = column.parts.begin() + static_cast<std::ptrdiff_t>(part);
        const auto below = static_cast<double>(std::accumulate(column.parts.begin(), to, Bytes(0)));
        return m_geometry.y(below) - m_geometry.y(below + static_cast<double>(*to)) >= kSeen;
    });
}

/// The parts that neither a name inside them tells nor, without the legend, the breakdown.
std::vector<bool> StepChart::unnamedParts() const
{
    std::vector<bool> unnamed(kPartCount);
    const std::optional<std::size_t> shown = shownColumn();
    const auto isInBreakdown = [&](std::size_t part) {
        return !m_legendShown && shown && m_curve.columns[*shown].parts[part] > 0;
    };
    for (std::size_t at = 0; at < m_parts.size(); ++at) {
        const std::size_t part = m_parts[at].part;
        const bool isNamed = at < m_geometry.folded.size() ||
                             !placeInside(part, nameSize(part)).isEmpty() || isInBreakdown(part);
        unnamed[part] = isSeen(part) && !isNamed;
    }
    const bool isPeakShown = shown && m_curve.marked && static_cast<int>(*shown) == *m_curve.marked;
    if (m_curve.device)
        unnamed[kOutsidePart] = devicePlace().isEmpty() && (m_legendShown || !isPeakShown);
    return unnamed;
}

void StepChart::relayout()
{
    std::vector<bool> isShown(kPartCount);
    for (std::size_t part = 0; part < kPartCount; ++part)
        isShown[part] = std::ranges::any_of(
            m_curve.columns, [&](const StepColumn &column) { return column.parts[part] > 0; });
    m_parts = partLegend(isShown, smallFont(), width());
    // The highest legend first: what has room for its name over it has room over a lower one. But a
    // lower one may fold the curve, which takes room from a part.
    layOut(m_legendShown ? isShown : std::vector<bool>(kPartCount));
    std::vector<bool> listed = unnamedParts();
    layOut(listed);
    const std::vector<bool> more = unnamedParts();
    bool isComplete = true;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        isComplete = isComplete && (listed[part] || !more[part]);
        listed[part] = listed[part] || more[part];
    }
    if (!isComplete)
        layOut(listed);
}

void StepChart::layOut(const std::vector<bool> &isListed)
{
    const double line = lineHeight();
    const auto widthOf = [this](const QString &text) { return textWidth(text); };
    m_legend = partLegend(isListed, smallFont(), width());
    const double legendHeight = m_legend.empty() ? 0 : m_legend.back().rect.bottom() + 4;
    for (PartEntry &item : m_legend)
        item.rect.translate(0, height() - legendHeight);
    const std::vector<double> parts = foldableParts(m_curve);
    m_foldable = !parts.empty();
    m_geometry.folded = m_folding ? parts : std::vector<double>();
    m_geometry.range = topOfRange();
    const QString highestTick = tickText(m_geometry.range / gigaBytes(unit()), 1);
    const double left = std::max(textWidth(u"0000"_s), textWidth(highestTick)) + 14;
    const double top = 2 * line + 8; // the names of limit and mark
    const double bottom = height() - legendHeight - line - 18;
    m_geometry.plot =
        QRectF(left, top, std::max(width() - left - 8, 40.0), std::max(bottom - top, 30.0));
    if (constexpr double kLeastScale = 40; m_geometry.floor() - top < kLeastScale) {
        m_geometry.folded.clear(); // the bands would leave no room for what changes
        m_geometry.range = topOfRange();
        m_foldable = false;
    }
    m_geometry.edges =
        columnEdges(m_curve, left, m_geometry.plot.width(), leastWidths(m_curve, widthOf));
    m_slots = m_geometry.painted(m_curve);
    m_stretches.clear();
    m_stretches.reserve(m_slots.size());
    for (const StepSlot &slot : m_slots)
        m_stretches.push_back(m_geometry.stretches(wholeColumn(slot.column)));
    const auto sizeOf = [&](const QString &text) { return QSizeF(textWidth(text) + 4, line); };
    m_labels = m_curve.columns.empty()
                   ? StepLabels{}
                   : placeLabels(m_curve, m_geometry, sizeOf(limitLabel()), sizeOf(markLabel()));
    const QSizeF fold = sizeOf(foldText()) + QSizeF(12, 4);
    m_foldPlace =
        m_foldable
            ? QRectF(QPointF(m_geometry.plot.right() - fold.width(),
                             (m_folding ? m_geometry.floor() + 10 : m_geometry.plot.bottom() - 24)),
                     fold)
            : QRectF();
    update();
}

} // namespace vramscope
