// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/breakdown_bar.h"

#include "ui/profile/profile_colors.h"
#include "ui/profile/profile_text.h"
#include "ui/timeline/chart_axes.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBarHeight = 22;
constexpr double kHiddenHeight = 5;
constexpr double kGapBelow = 5;
constexpr double kSwatch = 10;
constexpr BarPart kParts[] = {BarPart::Compute, BarPart::Communication, BarPart::Copies,
                              BarPart::Idle, BarPart::Hidden};

/// The name, the figure and the colour of a part of the bar.
struct BarPartRow
{
    QStringView name;
    std::int64_t BarTimes::*time;
    CoverKind cover;
};

const BarPartRow &rowOf(BarPart part)
{
    static constexpr std::array<BarPartRow, kBarPartCount> kRows{{
        {u"Compute", &BarTimes::compute, CoverKind::Compute},
        {u"Exposed communication", &BarTimes::exposedCommunication, CoverKind::Communication},
        {u"Exposed copies", &BarTimes::exposedCopies, CoverKind::Copies},
        {u"Idle", &BarTimes::idle, CoverKind::Idle},
        {u"Hidden communication", &BarTimes::hidden, CoverKind::Both},
    }};
    return kRows[static_cast<std::size_t>(part)];
}

} // namespace

BarTimes barTimes(const QString &name, const TimeBreakdown &times)
{
    return {name,
            times.compute,
            times.exposedCommunication,
            times.exposedCopy,
            times.idle,
            times.overlappedCommunication};
}

BarTimes barTimes(const QString &name, const CoverTimes &times)
{
    return {name,
            timeOf(times, CoverKind::Compute) + timeOf(times, CoverKind::Both),
            timeOf(times, CoverKind::Communication),
            timeOf(times, CoverKind::Copies),
            timeOf(times, CoverKind::Idle),
            timeOf(times, CoverKind::Both)};
}

std::vector<BarTimes> barTimes(const std::vector<DeviceBreakdown> &devices)
{
    std::vector<BarTimes> times;
    times.reserve(devices.size());
    for (const DeviceBreakdown &device : devices)
        times.push_back(barTimes(u"GPU %1"_s.arg(device.device), device.times));
    return times;
}

std::int64_t timeOf(const BarTimes &times, BarPart part)
{
    return times.*rowOf(part).time;
}

bool belongsTo(WorkClass workClass, BarPart part)
{
    if (workClass == WorkClass::Communication)
        return part == BarPart::Communication || part == BarPart::Hidden;
    return part == (workClass == WorkClass::Compute ? BarPart::Compute : BarPart::Copies);
}

QString barPartName(BarPart part)
{
    return rowOf(part).name.toString();
}

BreakdownBar::BreakdownBar(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"Where the time went"_s);
}

void BreakdownBar::setTimes(std::vector<BarTimes> times)
{
    m_times = std::move(times);
    measure();
    QStringList texts;
    for (std::size_t device = 0; device < m_times.size(); ++device) {
        for (const BarPart part : kParts)
            texts << tipText(device, part);
    }
    setAccessibleDescription(texts.join(u'\n'));
    updateGeometry(); // names with figures may take another line
    update();
}

void BreakdownBar::setCommonScale(bool common)
{
    m_hasCommonScale = common;
    measure();
    update();
}

std::int64_t BreakdownBar::fullSpan(std::size_t device) const
{
    return m_hasCommonScale ? m_longestSpan : m_times[device].span();
}

void BreakdownBar::setChosen(std::optional<BarPart> part)
{
    m_chosen = part;
    update();
}

QSize BreakdownBar::sizeHint() const
{
    return {600, heightForWidth(600)};
}

QSize BreakdownBar::minimumSizeHint() const
{
    return {200, heightForWidth(QWIDGETSIZE_MAX)};
}

int BreakdownBar::heightForWidth(int width) const
{
    return static_cast<int>(std::ceil(legendRects(width).back().bottom())) + 2;
}

void BreakdownBar::measure()
{
    const QFontMetricsF metrics(smallFont(font()));
    double widest = 0;
    m_longestSpan = 0;
    for (const BarTimes &times : m_times) {
        if (showsNames())
            widest = std::max(widest, metrics.horizontalAdvance(times.name) + 10);
        m_longestSpan = std::max(m_longestSpan, times.span());
    }
    m_namesWidth = std::ceil(widest);
}

void BreakdownBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        measure();
    QWidget::changeEvent(event);
}

QRectF BreakdownBar::barRect(std::size_t device) const
{
    const double each = kBarHeight + kHiddenHeight + kGapBelow;
    return {m_namesWidth, static_cast<double>(device) * each, width() - m_namesWidth, kBarHeight};
}

QRectF BreakdownBar::partRect(std::size_t device, BarPart part) const
{
    const BarTimes &times = m_times[device];
    const QRectF bar = barRect(device);
    const std::int64_t full = fullSpan(device);
    const auto x = [&](std::int64_t time) {
        return full > 0 ? bar.left() + std::round(bar.width() * static_cast<double>(time) /
                                                  static_cast<double>(full))
                        : bar.left();
    };
    if (part == BarPart::Hidden)
        return {bar.left(), bar.bottom(), x(times.hidden) - bar.left(), kHiddenHeight};
    std::int64_t before = 0;
    for (const BarPart of : kParts) {
        if (of == part)
            break;
        before += timeOf(times, of);
    }
    return QRectF(QPointF(x(before), bar.top()),
                  QPointF(x(before + timeOf(times, part)), bar.bottom()));
}

QString BreakdownBar::legendText(BarPart part) const
{
    if (m_times.size() != 1)
        return barPartName(part);
    const BarTimes &times = m_times.front();
    const std::int64_t time = timeOf(times, part);
    if (part != BarPart::Hidden)
        return u"%1  %2 · %3"_s.arg(barPartName(part), durationText(time),
                                    timeShareText(time, times.span()));
    if (times.hidden + times.exposedCommunication == 0)
        return u"%1  none"_s.arg(barPartName(part));
    return u"%1  %2 · %3 of all communication"_s.arg(
        barPartName(part), durationText(time),
        timeShareText(time, times.hidden + times.exposedCommunication));
}

std::array<QRectF, kBarPartCount> BreakdownBar::legendRects(double width) const
{
    const QFontMetricsF metrics(smallFont(font()));
    const double each = kBarHeight + kHiddenHeight + kGapBelow;
    const double line = std::ceil(metrics.height()) + 4;
    double top = each * static_cast<double>(m_times.size());
    std::array<QRectF, kBarPartCount> rects;
    double left = m_namesWidth;
    for (std::size_t at = 0; at < kBarPartCount; ++at) {
        const double name =
            kSwatch + 5 + std::ceil(metrics.horizontalAdvance(legendText(kParts[at])));
        if (left > m_namesWidth && left + name > width) {
            left = m_namesWidth;
            top += line;
        }
        rects[at] = QRectF(left, top, name, line);
        left += name + 18;
    }
    return rects;
}

std::optional<BarPart> BreakdownBar::partAt(QPointF point) const
{
    for (std::size_t device = 0; device < m_times.size(); ++device) {
        for (const BarPart part : kParts) {
            if (partRect(device, part).contains(point))
                return part;
        }
    }
    const auto legend = legendRects(width());
    for (std::size_t at = 0; at < kBarPartCount; ++at) {
        if (legend[at].contains(point))
            return kParts[at];
    }
    return std::nullopt;
}

QString BreakdownBar::tipText(std::size_t device, BarPart part) const
{
    const BarTimes &times = m_times[device];
    const std::int64_t time = timeOf(times, part);
    if (part == BarPart::Hidden)
        return u"%1, %2: communication while something computed: %3, %4 of all communication"_s.arg(
            times.name, barPartName(part), exactDurationText(time),
            timeShareText(time, times.hidden + times.exposedCommunication));
    return u"%1, %2: %3, %4 of %5"_s.arg(times.name, barPartName(part), exactDurationText(time),
                                         timeShareText(time, times.span()),
                                         durationText(times.span()));
}

bool BreakdownBar::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto part = partAt(help->pos());
        std::size_t device = 0;
        while (device + 1 < m_times.size() && help->pos().y() >= barRect(device + 1).top())
            ++device;
        if (part && device < m_times.size())
            QToolTip::showText(help->globalPos(), tipText(device, *part), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void BreakdownBar::mouseReleaseEvent(QMouseEvent *event)
{
    const auto part = partAt(event->position());
    if (event->button() == Qt::LeftButton && part && *part != BarPart::Idle)
        Q_EMIT partClicked(*part);
}

void BreakdownBar::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    painter.setFont(smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    const auto colorOf = [&](BarPart part) {
        QColor color = coverColor(rowOf(part).cover, theme);
        if (m_chosen && *m_chosen != part)
            color.setAlpha(70);
        return color;
    };
    for (std::size_t device = 0; device < m_times.size(); ++device) {
        const QRectF bar = barRect(device);
        if (bar.bottom() + kHiddenHeight < event->rect().top() ||
            bar.top() > event->rect().bottom() + 1)
            continue;
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, bar.top(), m_namesWidth, bar.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         showsNames() ? m_times[device].name : QString());
        for (const BarPart part : kParts) {
            const QRectF rect = partRect(device, part);
            const QColor color = colorOf(part);
            painter.fillRect(rect, color);
            const std::int64_t time = timeOf(m_times[device], part);
            const QString text =
                u"%1 · %2"_s.arg(durationText(time), timeShareText(time, m_times[device].span()));
            if (part == BarPart::Hidden || metrics.horizontalAdvance(text) + 10 > rect.width())
                continue;
            painter.setPen(part == BarPart::Idle ? theme.text : textOn(color));
            painter.drawText(rect, Qt::AlignCenter, text);
        }
    }
    const auto legend = legendRects(width());
    for (std::size_t at = 0; at < kBarPartCount; ++at) {
        const QRectF &rect = legend[at];
        painter.fillRect(
            QRectF(rect.left(), std::round(rect.center().y() - kSwatch / 2), kSwatch, kSwatch),
            colorOf(kParts[at]));
        painter.setPen(m_chosen == kParts[at] ? theme.text : theme.dim);
        painter.drawText(rect.adjusted(kSwatch + 5, 0, 2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         legendText(kParts[at]));
    }
}

} // namespace vramscope
