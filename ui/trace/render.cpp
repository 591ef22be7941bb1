// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/render.h"

#include "ui/support/text.h"
#include "ui/timeline/timeline_chart.h"
#include "ui/trace/timeline_source.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = 16;

QString tr(const char *text)
{
    return QCoreApplication::translate("Render", text);
}

QString titleText(const TraceDocument &document, const DeviceDocument &device, ByteUnit unit)
{
    const DeviceSummary &summary = device.summary;
    QStringList parts = {tr("Device %1").arg(summary.device), toQString(document.trace->producer()),
                         tr("%1 events").arg(countText(summary.events))};
    if (summary.timeSpan)
        parts << toQString(formatMicroseconds(*summary.timeSpan));
    parts << tr("peak active %1").arg(bytesText(summary.peakActive, unit))
          << tr("peak reserved %1").arg(bytesText(summary.peakReserved, unit));
    parts.removeAll(QString());
    return parts.join(u"  ·  "_s);
}

} // namespace

QImage renderTimeline(TimelineKind kind, ColorBy colorBy, const TraceDocument &document,
                      std::size_t device, QSize size, const Theme &theme, ByteUnit unit)
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    image.fill(theme.window);
    QPainter painter(&image);
    const QRectF area = QRectF(image.rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QFont font = QGuiApplication::font();
    painter.setFont(font);
    painter.setPen(theme.text);
    if (device >= document.devices.size()) {
        painter.drawText(area, Qt::AlignCenter, tr("No device: the snapshot holds no memory."));
        return image;
    }
    const QFontMetricsF metrics(font);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop,
                     metrics.elidedText(titleText(document, *document.devices[device], unit),
                                        Qt::ElideRight, area.width()));
    const bool needsStudy = kind != TimelineKind::Active || colorBy == ColorBy::Category;
    const auto studied = needsStudy ? study(document, device) : nullptr;
    const DeviceDocument &of = *document.devices[device];
    const Coloring coloring =
        colorGroups(colorKeys(colorBy, *document.trace, of.recorded, of.allocations,
                              studied ? &studied->categories : nullptr),
                    of.allocations, of.curve.peakActiveEvent());
    TimelineData data = timelineData(document, device, studied.get(), unit);
    data.colors = &coloring.colors;
    std::vector<BandColors> lanes;
    if (studied) {
        lanes = laneColors(*studied, *data.colors);
        data.lanes = timelineLanes(*studied, lanes);
    }
    // The chart numbers its axis from the left edge of what it is painted on.
    painter.translate(area.left(), area.top() + metrics.height() + kMargin / 2);
    const QRectF rest(0, 0, area.width(), area.height() - metrics.height() - kMargin / 2);
    const Viewport whole{data.axis().whole(), data.wholeBytes()};
    TimelineChart(kind, data, data.axis(), whole, rest, {theme, unit, font, 1}).paint(painter);
    return image;
}

} // namespace vramscope
