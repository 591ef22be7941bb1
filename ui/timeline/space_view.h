// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/support/in_unit.h"
#include "ui/support/kept_picture.h"
#include "ui/timeline/space_geometry.h"
#include "ui/timeline/space_painter.h"
#include "ui/timeline/timeline_data.h"
#include "ui/timeline/view_state.h"

#include <QRegion>
#include <QWidget>

#include <memory>
#include <optional>

class QScrollBar;

namespace vramscope {

class ScrubStrip;

/// The address space of one device after the cursor's event: its segments as strips on rows of
/// equal bytes a pixel, blocks in the colours of the timelines, free memory between them. Drag in
/// the strip at the top to scrub; wheel scrolls, with Ctrl or pinched it zooms at the mouse; click
/// selects; W S zoom, F fits, arrows move the cursor and scroll. The peak fits completely at first,
/// so that the scale stays while scrubbing. The map is painted once a moment and place and cached.
class SpaceView : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit SpaceView(TimelineState *state, QWidget *parent = nullptr);
    ~SpaceView() override;

    void setData(const TimelineData &timeline);

    /// The map's place in the widget.
    [[nodiscard]] QRect map() const { return m_map; }
    /// The block painted at a point of the widget.
    [[nodiscard]] AllocationIndex allocationAt(QPointF position) const;
    /// The tip for a point of the widget; empty if nothing is there.
    [[nodiscard]] QStringList textAt(QPointF position) const;
    /// Why there is nothing to show, in one sentence; empty where there is something.
    [[nodiscard]] QString emptyText() const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    /// The state at the cursor's moment.
    struct Moment
    {
        SpaceState state;
        SpaceGroups groups;
    };

    /// The parts that do not follow the mouse: the map with its captions, and the legend.
    struct Picture
    {
        const SpaceView *view;
        void paint(QPainter &painter) const { view->paintPicture(painter); }
    };

    void takeUnit() override { layOut(); }
    [[nodiscard]] bool valid() const { return m_data.valid() && m_data.space; }
    [[nodiscard]] Moment momentAfter(EventIndex event) const;
    [[nodiscard]] EventIndex shownEvent() const;
    void layOut();
    void discardMoment();
    void discardFit();
    void discardPicture();
    void refresh();
    [[nodiscard]] SpaceMetrics fitted() const;
    [[nodiscard]] int hairline() const;
    [[nodiscard]] std::int64_t top() const;
    [[nodiscard]] QSize mapPixels() const;
    /// In device pixels of the map.
    [[nodiscard]] QPoint inMap(QPointF position) const;
    [[nodiscard]] std::optional<SpaceGeometry::Hit> hitAt(QPointF position) const;
    void zoom(double factor);
    bool handleKey(int key);
    // space_overlay.cpp
    void paintPicture(QPainter &painter) const;
    void paintCaptions(QPainter &painter) const;
    /// The part of each row of the map that shows an allocation.
    [[nodiscard]] std::vector<QRectF> rowsOf(AllocationIndex allocation) const;
    void paintAllocation(QPainter &painter, AllocationIndex allocation, bool selected) const;
    [[nodiscard]] QRectF tipBounds() const;
    // Repaints what lies over the picture, at its previous place and its current one.
    void updateOverlay();
    [[nodiscard]] QRegion overlayRegion() const;
    void paintLegend(QPainter &painter) const;
    [[nodiscard]] QStringList legendTextAt(QPointF position) const;
    void layOutLegend();
    [[nodiscard]] SpaceLook look() const;

    TimelineState *m_state;
    TimelineData m_data;
    ScrubStrip *m_scrub;
    QScrollBar *m_scroll; // in device pixels
    // Made by refresh() if missing.
    std::optional<SpaceMetrics> m_fit; // the whole peak fits
    std::unique_ptr<const Moment> m_moment;
    std::optional<SpaceGeometry> m_geometry;
    KeptPicture<Picture> m_picture;
    double m_zoom = 1;
    QRect m_map;
    std::vector<QRectF> m_legend;     // bands first, then the scale
    std::optional<QPointF> m_mouse;   // over the widget
    std::optional<QRegion> m_overlay; // none: all is to be painted
};

/// Names a group of segments: "Large segments", "Private pool (0, 1), stream 7". Includes the
/// stream if there are `several`.
[[nodiscard]] QString groupName(const SpaceGroup &group, const TimelineData &data, bool several);

/// The figures of a group after its name: "23 · 41.2 GiB · 1.3 GiB stranded".
[[nodiscard]] QString groupFigures(const SpaceGroup &group, ByteUnit unit);

/// Lines of text for a group under the mouse: its figures in full.
[[nodiscard]] QStringList groupText(const SpaceGroup &group, const QString &name, ByteUnit unit);

/// Lines of text for the block or hole under the mouse, the first one its heading: bytes requested
/// and allocated, what they belong to and since when; for a hole, the blocks that pin it on both
/// sides.
[[nodiscard]] QStringList regionText(const SpaceState &state, const SpaceGeometry::Hit &hit,
                                     const TimelineData &data, ByteUnit unit);

} // namespace vramscope
