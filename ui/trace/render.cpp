// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/render.h"

#include "core/analysis/replayed/summary.h"
#include "ui/stacks/cost_text.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/support/work_now.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/legend_bar.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/timeline_source.h"
#include "ui/trace/trace_view_widget.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 16;

QString eventText(const Study &device, EventIndex event)
{
    if (!device.hasHistory())
        return u"as recorded"_s;
    if (event < 0)
        return u"before the first event"_s;
    const QString text = u"after event %1"_s.arg(countText(event));
    return device.hasTimes() ? text + u", "_s + toQString(formatMicroseconds(device.timeOf(event)))
                             : text;
}

EventIndex cursorOf(const Study &device, const TraceShot &shot)
{
    return shot.event.value_or(device.hasHistory() ? device.curve().peakActiveEvent()
                                                   : device.curve().count() - 1);
}

// The part of the device that is shown, if not all of it.
QString shotText(const Study &device, const TraceShot &shot)
{
    if (shot.view == TraceView::State)
        return eventText(device, cursorOf(device, shot));
    if (shot.view == TraceView::Stacks && shot.cost == Cost::Live)
        return u"live %1"_s.arg(eventText(device, cursorOf(device, shot)));
    if (shot.view == TraceView::Stacks)
        return costTitle(shot.cost);
    if (rowOf(shot.view).timeline && shot.range)
        return u"events %1 to %2"_s.arg(countText(shot.range->first), countText(shot.range->last));
    return {};
}

QString titleText(const TraceDocument &document, const Study &device, const TraceShot &shot,
                  ByteUnit unit)
{
    const DeviceSummary &summary = device.summary();
    QStringList parts = {shotText(device, shot), u"Device %1"_s.arg(summary.device),
                         toQString(document.trace->producer())};
    if (device.hasHistory())
        parts << countedText(summary.events, "event");
    if (device.hasHistory() && summary.timeSpan)
        parts << toQString(formatMicroseconds(*summary.timeSpan));
    parts << u"peak active %1"_s.arg(bytesText(summary.peakActive, unit))
          << u"peak reserved %1"_s.arg(bytesText(summary.peakReserved, unit));
    parts.removeAll(QString());
    if (shot.view != TraceView::Active)
        parts.push_front(rowOf(shot.view).title);
    return parts.join(u"  ·  "_s);
}

// A view with all that it draws from.
struct Scene
{
    Scene(const std::shared_ptr<const TraceDocument> &whole, std::size_t index,
          const TraceShot &wanted, ByteUnit wantedUnit, std::shared_ptr<const Study> known)
        : document(whole)
        , device(index)
        , of(*whole->devices[index])
        , shot(wanted)
        , unit(wantedUnit)
        , studied(std::move(known))
    {
        const TraceViewRow &row = rowOf(shot.view);
        if (!shot.colorBy && row.timeline)
            shot.colorBy = usualColorBy(of);
        const bool byCategory = row.timeline && shot.colorBy == ColorBy::Category;
        if (!studied && (row.needsStudy || byCategory))
            studied = study(*document, device);
        coloring = colorGroups(colorKeys(shot.colorBy.value_or(ColorBy::Stack), of),
                               of.allocations(), of.curve().peakActiveEvent());
        data = timelineData(*document, device, studied.get(), unit);
        data.colors = &coloring.colors;
        data.colorNames = coloring.names;
        if (studied) {
            lanes = laneColors(*studied, *data.colors);
            data.lanes = timelineLanes(*studied, lanes);
        }
        state.reset(data.axis(), data.wholeBytes());
        if (shot.range) {
            shot.range->last = std::min(shot.range->last, of.curve().count() - 1);
            state.showEvents(shot.range->first, shot.range->last);
        }
    }

    [[nodiscard]] std::unique_ptr<QWidget> widget();
    /// Shown if there is nothing else to show; otherwise empty.
    [[nodiscard]] QString emptyText() const;
    /// What the colours mean, at the bottom of a place; the rest of the place is returned.
    [[nodiscard]] QRect withLegend(QPainter &painter, const QRect &place, const Theme &theme) const;

    std::shared_ptr<const TraceDocument> document;
    std::size_t device;
    const Study &of;
    TraceShot shot;
    ByteUnit unit;
    std::shared_ptr<const Study> studied;
    Coloring coloring;
    std::vector<BandColors> lanes;
    TimelineData data;
    TimelineState state;
    std::shared_ptr<const StackTree> tree;

private:
    [[nodiscard]] std::unique_ptr<QWidget> flame();
};

std::unique_ptr<QWidget> Scene::flame()
{
    StacksQuery query;
    query.device = device;
    query.live = cursorOf(of, shot);
    tree = stackTree(*document, query);
    auto view = std::make_unique<FlameView>();
    view->setFrameShape(QFrame::NoFrame);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a picture is not scrolled
    view->setTree(tree, {.cost = shot.cost, .unit = unit, .isTimed = tree->isTimed});
    return view;
}

std::unique_ptr<QWidget> Scene::widget()
{
    if (shot.view == TraceView::Stacks)
        return flame();
    const TraceViewRow &row = rowOf(shot.view);
    TraceViewWidget *view = row.make(document, &state);
    view->setUnit(unit);
    view->setView(shot.view);
    view->setDevice(device);
    view->setStudy(device, studied);
    view->setTimeline(data);
    if (!row.timeline || shot.event) // a timeline shows no cursor until it is moved
        state.setCursor(cursorOf(of, shot));
    return std::unique_ptr<QWidget>(view->widget());
}

QString Scene::emptyText() const
{
    const TraceViewRow &row = rowOf(shot.view);
    if (row.needsHistory && !of.hasHistory())
        return u"The final state only: no history was recorded."_s;
    if (const QString reason = whyNot(row, of, studied.get()); !reason.isEmpty())
        return reason + u'.';
    if (tree && tree->tree.total(CallTree::kRoot).amount(shot.cost) == 0)
        return document->trace->stackCount() == 0 ? u"No stacks were recorded."_s
                                                  : nothingText(shot.cost);
    return {};
}

QRect Scene::withLegend(QPainter &painter, const QRect &place, const Theme &theme) const
{
    const auto kind = rowOf(shot.view).timeline;
    if (!kind && shot.view != TraceView::State)
        return place;
    const int height = painter.fontMetrics().height() + 4;
    const QRectF line(place.left(), place.bottom() - height, place.width(), height);
    const std::vector<LegendEntry> own =
        kind && studied ? ownLegend(*kind, *studied) : std::vector<LegendEntry>();
    if (own.empty())
        paintLegend(painter, line, coloring.entries, coloring.unlisted, theme.text);
    else
        paintLegend(painter, line, own, 0, theme.text);
    return place.adjusted(0, 0, 0, -(height + kMargin / 2));
}

} // namespace

QString unfitText(const Study &device, const TraceShot &shot)
{
    const EventIndex count = device.curve().count();
    const EventIndex wanted =
        std::max(shot.event.value_or(-1), shot.range ? shot.range->first : EventIndex(-1));
    if (wanted < count)
        return {};
    return count == 0 ? u"It recorded no events."_s
                      : u"There is no event %1; the last one is %2."_s.arg(wanted).arg(count - 1);
}

Painting paintingOf(const std::shared_ptr<const TraceDocument> &document, std::size_t device,
                    const TraceShot &shot, QSize size, const Theme &theme, ByteUnit unit)
{
    return [=](QPainter &painter, double pixelRatio) {
        paintView(painter, QRect(QPoint(), size), document, device, shot, theme, unit, nullptr,
                  pixelRatio);
    };
}

void paintView(QPainter &painter, const QRect &area,
               const std::shared_ptr<const TraceDocument> &document, std::size_t device,
               const TraceShot &shot, const Theme &theme, ByteUnit unit,
               std::shared_ptr<const Study> studied, double pixelRatio)
{
    painter.fillRect(area, theme.window);
    const QRect inner = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QFont font = QGuiApplication::font();
    painter.setFont(font);
    painter.setPen(theme.text);
    if (device >= document->devices.size()) {
        painter.drawText(inner, Qt::AlignCenter, u"No device: the snapshot holds no memory."_s);
        return;
    }
    Scene scene(document, device, shot, unit, std::move(studied));
    const QFontMetrics metrics(font);
    QRect rest = inner;
    if (shot.titled) {
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                         metrics.elidedText(titleText(*document, scene.of, scene.shot, unit),
                                            Qt::ElideRight, inner.width()));
        rest.setTop(inner.top() + metrics.height() + kMargin / 2);
    }
    const std::unique_ptr<QWidget> view = scene.widget();
    if (const QString empty = scene.emptyText(); !empty.isEmpty()) {
        painter.setPen(theme.dim);
        painter.drawText(rest, Qt::AlignCenter | Qt::TextWordWrap, empty);
        return;
    }
    rest = scene.withLegend(painter, rest, theme);
    view->setAttribute(Qt::WA_DontShowOnScreen);
    view->setAttribute(Qt::WA_ShowWithoutActivating);
    view->setPalette(themePalette(theme));
    // Style sheets block the inheritance of palettes: set it on every widget.
    for (QWidget *child : view->findChildren<QWidget *>())
        child->setPalette(themePalette(theme));
    view->setMinimumSize(1, 1); // a picture has the requested size
    view->resize(rest.size());
    if (pixelRatio > 0)
        setPixelRatio(*view, pixelRatio);
    view->show();
    workNow(*view);
    view->render(&painter, rest.topLeft());
}

} // namespace vramscope
