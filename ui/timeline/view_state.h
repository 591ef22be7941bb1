// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "ui/support/visited.h"
#include "ui/timeline/event_axis.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace vramscope {

/// More than any sum of sizes that means something, and exact in both number types.
inline constexpr double kMostBytes = 1LL << 62;

/// What a timeline shows of its axes: x in the unit of its EventAxis, y in bytes.
struct Viewport
{
    Range x{-1, 0};
    Range bytes{0, 1};
    bool operator==(const Viewport &) const = default;
};

/// The state that all views of one device share: the visible part, the cursor, the selected and the
/// hovered allocation, and which allocations a filter keeps. Views read it, change it through its
/// functions and follow its signals; it does not depend on any widget. The visible part always lies
/// inside the whole. For back() and forward(), each jump (show, fit) is one entry, and a run of
/// small steps (zoom, move) is one.
class TimelineState : public QObject
{
    Q_OBJECT

public:
    /// Zooming in ends here: single kibibytes.
    static constexpr double kFewestBytes = 1024;

    explicit TimelineState(QObject *parent = nullptr);

    /// Starts again with another device or trace: everything visible, nothing selected, no history.
    void reset(const EventAxis &axis, const Range &bytes);
    /// Switches the x axis: the same events stay visible, as nearly as possible; no history.
    void setAxisKind(EventAxis::Kind kind);

    [[nodiscard]] const EventAxis &axis() const { return m_axis; }
    [[nodiscard]] const Viewport &whole() const { return m_whole; }
    [[nodiscard]] const Viewport &visible() const { return m_visited.current(); }

    // Small steps.
    void zoomX(double factor, double anchor);
    void moveX(double by);
    void zoomBytes(double factor, double anchor);
    void moveBytes(double by);
    void setX(const Range &x);

    // Jumps.
    void show(const Viewport &viewport);
    void showX(const Range &x) { show({x, visible().bytes}); }
    /// Shows the events [first, last].
    void showEvents(EventIndex first, EventIndex last);
    void fit() { show(m_whole); }

    /// Whether small steps follow one another: a view may then draw coarser. settled() ends it.
    [[nodiscard]] bool isMoving() const { return m_settling.isActive(); }

    [[nodiscard]] bool canGoBack() const { return m_visited.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_visited.canGoForward(); }
    void back();
    void forward();

    /// The event whose state is inspected; -1: before the first.
    [[nodiscard]] EventIndex cursor() const { return m_cursor; }
    void setCursor(EventIndex event);
    /// Makes the event visible without changing the zoom.
    void reveal(EventIndex event);

    [[nodiscard]] AllocationIndex selected() const { return m_selected; }
    void select(AllocationIndex allocation);
    [[nodiscard]] AllocationIndex hovered() const { return m_hovered; }
    void hover(AllocationIndex allocation);

    /// What the filter keeps, one entry an allocation, 1 or 0; null: no filter.
    using Kept = std::shared_ptr<const std::vector<std::uint8_t>>;
    [[nodiscard]] const Kept &kept() const { return m_kept; }
    void setKept(Kept kept);

Q_SIGNALS:
    void keptChanged();
    void axisChanged(); ///< another axis; visibleChanged follows
    void visibleChanged();
    void settled(); ///< no small step for a moment
    void cursorChanged();
    void selectedChanged();
    void hoveredChanged();

private:
    [[nodiscard]] Viewport inside(const Viewport &viewport) const;
    void step(const Viewport &viewport);
    void start(const Viewport &visible);

    QTimer m_settling;
    EventAxis m_axis;
    Viewport m_whole;
    Visited<Viewport> m_visited;
    EventIndex m_cursor = -1;
    AllocationIndex m_selected = kNoAllocation;
    AllocationIndex m_hovered = kNoAllocation;
    Kept m_kept;
};

} // namespace vramscope
