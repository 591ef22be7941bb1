// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_view.h"

#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/coordinates.h"
#include "ui/timeline/scrub_strip.h"
#include "ui/timeline/stacked_body.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMostZoom = 1 << 20;
// Rows are as high as possible while a segment of the small pool, 2 MiB, has eight pixels.
constexpr std::array kRowHeights = {22, 18, 14, 11, 8};
constexpr Bytes kFineEnough = 2 * kMiB / 8;

} // namespace

SpaceView::SpaceView(TimelineState *state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_scrub(new ScrubStrip(state, this))
    , m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Allocator state"_s);
    setAccessibleDescription(
        u"The address space after the cursor's event: segments, blocks and what is free between "
        "them. W and S zoom, F shows everything, the arrow keys left and right move the cursor, "
        "up and down scroll."_s);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setCursor(Qt::ArrowCursor);
    connect(m_scroll, &QScrollBar::valueChanged, this, &SpaceView::discardPicture);
    connect(state, &TimelineState::cursorChanged, this, &SpaceView::discardMoment);
    connect(state, &TimelineState::selectedChanged, this, &SpaceView::updateOverlay);
    connect(state, &TimelineState::hoveredChanged, this, &SpaceView::updateOverlay);
}

SpaceView::~SpaceView() = default;

void SpaceView::setData(const TimelineData &timeline)
{
    m_data = timeline;
    m_scrub->setData(timeline);
    m_scrub->setVisible(m_data.valid() && m_data.curve->count() > 1);
    m_zoom = 1;
    m_moment.reset();
    layOut();
}

// Lays out the parts again and drops all their pictures.
void SpaceView::layOut()
{
    const int bar = m_scroll->sizeHint().width();
    const int strip = m_scrub->isHidden() ? 0 : m_scrub->sizeHint().height();
    const int above = strip > 0 ? strip + 2 : 0;
    layOutLegend();
    const int bottom = static_cast<int>(m_legend.front().top()) - 6;
    m_map = {0, above, std::max(0, width() - bar - 4), std::max(0, bottom - above)};
    m_scrub->setGeometry(0, 0, m_map.width(), strip);
    m_scroll->setGeometry(width() - bar, m_map.top(), bar, m_map.height());
    discardFit();
}

SpaceView::Moment SpaceView::momentAfter(EventIndex event) const
{
    Moment moment;
    moment.state = m_data.space->stateAfter(event);
    moment.groups = groupsOf(moment.state, *m_data.allocations);
    return moment;
}

EventIndex SpaceView::shownEvent() const
{
    return std::min(m_state->cursor(), m_data.space->eventCount() - 1);
}

int SpaceView::hairline() const
{
    return std::max(1, static_cast<int>(std::lround(pixelRatio(*this))));
}

SpaceMetrics SpaceView::fitted() const
{
    const double ratio = pixelRatio(*this);
    const auto pixels = [ratio](double length) { return static_cast<int>(length * ratio); };
    const QRect place = map();
    const EventIndex peak =
        std::min(m_data.curve->peakReservedEvent(), m_data.space->eventCount() - 1);
    const Moment fullest = momentAfter(peak);
    SpaceMetrics metrics;
    metrics.columns = std::max(1, pixels(place.width()) - 2 * hairline());
    metrics.gap = 3 * hairline();
    metrics.caption = pixels(fontMetrics().height() * 1.6);
    for (const int rowHeight : kRowHeights) {
        metrics.rowHeight = pixels(rowHeight);
        metrics.perPixel = fittingScale(fullest.state, fullest.groups, *m_data.allocations, metrics,
                                        pixels(place.height()));
        if (metrics.perPixel <= kFineEnough)
            break;
    }
    return metrics;
}

void SpaceView::discardPicture()
{
    m_picture.discard();
    m_overlay.reset();
    update();
}

void SpaceView::discardFit()
{
    m_fit.reset();
    m_geometry.reset();
    discardPicture();
}

void SpaceView::discardMoment()
{
    m_geometry.reset();
    m_moment.reset();
    discardPicture();
}

// Prepares the next picture or query.
void SpaceView::refresh()
{
    if (!m_moment) {
        m_geometry.reset();
        m_moment = std::make_unique<const Moment>(momentAfter(shownEvent()));
    }
    if (!m_fit)
        m_fit = fitted();
    if (m_geometry)
        return;
    SpaceMetrics metrics = *m_fit;
    metrics.perPixel =
        static_cast<Bytes>(std::llround(static_cast<double>(metrics.perPixel) / m_zoom));
    m_geometry.emplace(m_moment->state, m_moment->groups, *m_data.allocations, metrics);
    const auto page = static_cast<int>(map().height() * pixelRatio(*this));
    constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 2;
    m_scroll->setPageStep(page);
    m_scroll->setSingleStep(metrics.pitch());
    m_scroll->setRange(
        0, static_cast<int>(std::clamp(m_geometry->height() - page, std::int64_t(0), kMost)));
    m_scroll->setVisible(m_scroll->maximum() > 0);
}

std::int64_t SpaceView::top() const
{
    return m_scroll->value();
}

QSize SpaceView::mapPixels() const
{
    return map().size() * pixelRatio(*this);
}

QPoint SpaceView::inMap(QPointF position) const
{
    const QPointF at = (position - map().topLeft()) * pixelRatio(*this);
    return {static_cast<int>(std::floor(at.x())) - hairline(),
            static_cast<int>(std::floor(at.y()))};
}

std::optional<SpaceGeometry::Hit> SpaceView::hitAt(QPointF position) const
{
    if (!m_geometry || !QRectF(map()).contains(position))
        return {};
    const QPoint at = inMap(position);
    return m_geometry->at(at.x(), at.y() + top());
}

AllocationIndex SpaceView::allocationAt(QPointF position) const
{
    const auto hit = hitAt(position);
    return hit ? m_moment->state.regions[hit->region].allocation : kNoAllocation;
}

QStringList SpaceView::textAt(QPointF position) const
{
    if (!m_geometry)
        return {};
    if (!QRectF(map()).contains(position))
        return legendTextAt(position);
    if (const auto hit = hitAt(position))
        return regionText(m_moment->state, *hit, m_data, m_unit);
    const auto caption = m_geometry->captionAt(inMap(position).y() + top());
    if (!caption)
        return {};
    const SpaceGroup &group = m_moment->groups.groups[*caption];
    return groupText(group, groupName(group, m_data, true), m_unit);
}

// The byte under the mouse, or else the first one in view, keeps its height in the widget.
void SpaceView::zoom(double factor)
{
    refresh();
    const QPoint mouse = m_mouse ? inMap(*m_mouse) : QPoint(0, 0);
    const auto hit = hitAt(m_mouse.value_or(QPointF(-1, -1)));
    const double share = static_cast<double>(top() + mouse.y()) /
                         static_cast<double>(std::max<std::int64_t>(1, m_geometry->height()));
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
    m_geometry.reset();
    refresh();
    auto y = static_cast<std::int64_t>(share * static_cast<double>(m_geometry->height()));
    if (hit) {
        const std::size_t place = m_geometry->placeOf(hit->region);
        const SpaceGeometry::Pixels pixels = m_geometry->pixelsOf(place, hit->region);
        const SpaceGeometry::Place &at = m_geometry->places()[place];
        y = at.y +
            (at.x + pixels.from) / m_geometry->metrics().columns * m_geometry->metrics().pitch();
    }
    m_scroll->setValue(static_cast<int>(
        std::clamp<std::int64_t>(y - mouse.y(), 0, std::numeric_limits<int>::max())));
    discardPicture();
}

bool SpaceView::event(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture && valid()) { // a touchpad's pinch
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            m_mouse = gesture->position();
            zoom(std::max(0.1, 1 + gesture->value()));
            return true;
        }
    }
    // Single letters are ours while the view has the focus, whatever shortcuts the window has.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool letter = key->key() >= Qt::Key_A && key->key() <= Qt::Key_Z;
        if (key->modifiers() == Qt::NoModifier && letter) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void SpaceView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
    QWidget::changeEvent(event);
}

void SpaceView::resizeEvent(QResizeEvent *event)
{
    layOut();
    QWidget::resizeEvent(event);
}

void SpaceView::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (!valid())
        return;
    m_mouse = event->position();
    const int angle = event->angleDelta().y();
    if (event->modifiers() & Qt::ControlModifier) {
        zoom(std::pow(kZoomStep, -angle / kNotch));
    } else {
        const int pixels = event->pixelDelta().y();
        m_scroll->setValue(m_scroll->value() - static_cast<int>((pixels != 0 ? pixels : angle / 2) *
                                                                pixelRatio(*this)));
    }
    m_state->hover(allocationAt(*m_mouse));
}

void SpaceView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && valid() && map().contains(event->pos())) {
        refresh();
        m_state->select(allocationAt(event->position()));
    }
}

void SpaceView::mouseMoveEvent(QMouseEvent *event)
{
    if (!valid())
        return;
    refresh();
    m_mouse = event->position();
    m_state->hover(allocationAt(*m_mouse));
    updateOverlay();
}

void SpaceView::keyPressEvent(QKeyEvent *event)
{
    const bool ours =
        !(event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier | Qt::AltModifier));
    if (!ours || !valid() || !handleKey(event->key()))
        QWidget::keyPressEvent(event);
}

bool SpaceView::handleKey(int key)
{
    switch (key) {
    case Qt::Key_W:
        zoom(1 / kZoomStep);
        return true;
    case Qt::Key_S:
        zoom(kZoomStep);
        return true;
    case Qt::Key_F:
        zoom(1 / m_zoom);
        return true;
    case Qt::Key_Escape:
        m_state->select(kNoAllocation);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_state->setCursor(m_state->cursor() + (key == Qt::Key_Left ? -1 : 1));
        m_state->reveal(m_state->cursor());
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_scroll->triggerAction(key == Qt::Key_Up ? QScrollBar::SliderSingleStepSub
                                                  : QScrollBar::SliderSingleStepAdd);
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        m_scroll->triggerAction(key == Qt::Key_PageUp ? QScrollBar::SliderPageStepSub
                                                      : QScrollBar::SliderPageStepAdd);
        return true;
    default:
        return false;
    }
}

void SpaceView::leaveEvent(QEvent *event)
{
    m_mouse.reset();
    m_state->hover(kNoAllocation);
    updateOverlay();
    QWidget::leaveEvent(event);
}

namespace {

QString addressText(std::uint64_t address)
{
    return u"0x%1"_s.arg(address, 0, 16);
}

QStringList described(const TimelineData &data, AllocationIndex allocation)
{
    return data.describe ? data.describe(allocation) : QStringList();
}

QStringList blockText(const Region &block, const TimelineData &data, ByteUnit unit)
{
    const Bytes requested = data.allocations->requested[block.allocation];
    QStringList lines = described(data, block.allocation);
    if (lines.isEmpty())
        lines << exactBytesText(requested, unit);
    lines.insert(1, u"block of %1 at %2"_s.arg(exactBytesText(block.size, unit),
                                               addressText(block.address)));
    if (block.pendingFree)
        lines.insert(2, u"freed, but waits until another stream is done with it"_s);
    else if (block.size > requested)
        lines.insert(2, u"rounding %1"_s.arg(exactBytesText(block.size - requested, unit)));
    return lines;
}

// One line for a neighbour of a hole: the bytes and the site of its allocation.
QString neighbourText(const Region &block, const TimelineData &data, ByteUnit unit)
{
    const QStringList lines = described(data, block.allocation);
    const QString size = bytesText(block.size, unit);
    return lines.size() > 1 && !lines[1].isEmpty() ? u"%1, %2"_s.arg(size, lines[1]) : size;
}

QStringList holeText(const SpaceState &state, const SpaceState::Segment &segment,
                     std::uint32_t index, const TimelineData &data, ByteUnit unit)
{
    const Region &hole = state.regions[index];
    QStringList lines{u"Free: %1"_s.arg(exactBytesText(hole.size, unit)),
                      u"at %1"_s.arg(addressText(hole.address))};
    if (hole.releasable == hole.size) {
        lines << u"releasable: nothing in use holds it"_s;
    } else if (hole.releasable > 0) {
        lines << u"releasable as whole pages: %1; the rest is stranded"_s.arg(
            bytesText(hole.releasable, unit));
    } else {
        lines << u"stranded: other blocks of the same %1 are in use"_s.arg(
            segment.life.expandable ? u"page"_s : u"segment"_s);
    }
    const bool first = index == segment.firstRegion;
    const bool last = index + 1 == segment.firstRegion + segment.regionCount;
    if (first && last)
        return lines;
    lines << u"before it: %1"_s.arg(first ? u"the start of the segment"_s
                                          : neighbourText(state.regions[index - 1], data, unit))
          << u"behind it: %1"_s.arg(last ? u"the end of the segment"_s
                                         : neighbourText(state.regions[index + 1], data, unit));
    return lines;
}

} // namespace

QString groupName(const SpaceGroup &group, const TimelineData &data, bool several)
{
    QString name = group.kind == SpaceKind::Large        ? u"Large segments"_s
                   : group.kind == SpaceKind::Small      ? u"Small segments"_s
                   : group.kind == SpaceKind::Expandable ? u"Expandable segments"_s
                   : data.poolName                       ? data.poolName(group.pool)
                                                         : u"Private pool"_s;
    if (several && data.streamName)
        name += u", "_s + data.streamName(group.stream);
    return capitalized(std::move(name));
}

QString groupFigures(const SpaceGroup &group, ByteUnit unit)
{
    QStringList parts{countText(group.count), bytesText(group.bands.reserved(), unit)};
    if (group.bands.stranded > 0)
        parts << u"%1 stranded"_s.arg(bytesText(group.bands.stranded, unit));
    if (group.bands.releasable > 0)
        parts << u"%1 releasable"_s.arg(bytesText(group.bands.releasable, unit));
    return parts.join(u" · "_s);
}

QStringList groupText(const SpaceGroup &group, const QString &name, ByteUnit unit)
{
    QStringList lines{name, u"%1, reserved %2"_s.arg(countedText(group.count, "segment"),
                                                     exactBytesText(group.bands.reserved(), unit))};
    for (const BandLook &look : bandLooks())
        lines << u"%1  %2"_s.arg(look.name, exactBytesText(group.bands.*look.bytes, unit));
    return lines;
}

QStringList regionText(const SpaceState &state, const SpaceGeometry::Hit &hit,
                       const TimelineData &data, ByteUnit unit)
{
    const SpaceState::Segment &segment = state.segments[hit.segment];
    const Region &region = state.regions[hit.region];
    QStringList lines = region.allocation == kNoAllocation
                            ? holeText(state, segment, hit.region, data, unit)
                            : blockText(region, data, unit);
    lines << u"in a segment of %1 at %2"_s.arg(bytesText(segment.life.size, unit),
                                               addressText(segment.life.address));
    return lines;
}

} // namespace vramscope
