// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/alignment.h"
#include "ui/compare/comparison.h"
#include "ui/timeline/event_axis.h"

#include <optional>
#include <vector>

namespace vramscope {

/// Which bytes of a recording are compared.
enum class Quantity { Active, Reserved };

/// How the recordings of a comparison are laid over each other.
struct SceneOptions
{
    Quantity quantity = Quantity::Active;
    EventAxis::Kind kind = EventAxis::Kind::Event;
    std::vector<EventIndex> anchors; ///< of each recording; missing ones: the first event
};

/// One curve of a scene.
struct SceneTrack
{
    std::size_t trace = 0; ///< index into ComparisonDocument::traces
    const EventCurve *curve = nullptr;
    EventAxis axis;         ///< the recording's own
    std::int64_t shift = 0; ///< from it to the axis of the scene
    bool shown = true;
};

/// What the chart of a comparison draws: the curves of all recordings that have one, on one axis.
/// The documents outlive it.
class CompareScene
{
public:
    CompareScene() = default;
    CompareScene(const ComparisonDocument &document, const SceneOptions &options);

    /// Whether a recording can be drawn: it has a history, and segments where those are asked for.
    [[nodiscard]] static bool hasCurve(const ComparedTrace &trace, Quantity quantity);
    /// Whether all that have a curve have times.
    [[nodiscard]] static bool hasTimes(const ComparisonDocument &document, Quantity quantity);

    [[nodiscard]] bool valid() const { return !m_tracks.empty(); }
    [[nodiscard]] const std::vector<SceneTrack> &tracks() const { return m_tracks; }
    /// Of a recording; null where it has no curve.
    [[nodiscard]] const SceneTrack *trackOf(std::size_t trace) const;
    void setShown(std::size_t trace, bool shown);

    /// By event, or of every moment at which one of the recordings has an event. Lives as long as
    /// the scene.
    [[nodiscard]] EventAxis axis() const;
    /// Where the anchors stand on it.
    [[nodiscard]] double anchor() const { return static_cast<double>(m_alignment.anchor); }
    /// From nothing up to a little above the highest curve, drawn or hidden.
    [[nodiscard]] Range wholeBytes() const;

    /// The event of a track that stands at an event of the axis; none where it is not recorded.
    [[nodiscard]] std::optional<EventIndex> eventOf(const SceneTrack &track,
                                                    EventIndex event) const;
    /// The event of the axis at which an event of a track stands.
    [[nodiscard]] EventIndex sharedEvent(const SceneTrack &track, EventIndex event) const;
    /// The events of a track whose states show in pixel column `column`; none beyond its ends.
    [[nodiscard]] std::optional<EventSpan> eventsIn(const SceneTrack &track,
                                                    const LinearScale &across, int column) const;
    /// Where the mark of an event of a track stands on the axis.
    [[nodiscard]] static double markOf(const SceneTrack &track, EventIndex event);

private:
    std::vector<SceneTrack> m_tracks;
    EventAxis::Kind m_kind = EventAxis::Kind::Event;
    Alignment m_alignment;
};

} // namespace vramscope
