// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/profile/coverage.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_document.h"
#include "ui/support/visited.h"
#include "ui/timeline/coordinates.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace vramscope {

/// A part of the rows, in rows of their own: what a search found, or a filter keeps. One entry a
/// row of TimelineRows, and how many events that is.
struct FoundRows
{
    std::vector<TimelineRow> rows;
    std::size_t events = 0;
};

/// A stretch of time [from, to) as the file counts.
struct TimeSpan
{
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool operator==(const TimeSpan &) const = default;
};

/// What all views of a profile share: the visible stretch in ns since ProfileDocument::origin, the
/// selected event, the chosen stretch that tables are about, and what is found. Views read it,
/// change it through its functions and follow its signals; it knows no widget. Jumps are remembered
/// one by one and a run of small steps as one.
class ProfileState : public QObject
{
    Q_OBJECT

public:
    /// Zooming in ends here, in ns.
    static constexpr double kShortest = 20;

    using QObject::QObject;

    /// Starts anew: everything visible.
    void reset(double length);

    [[nodiscard]] const Range &whole() const { return m_whole; }
    [[nodiscard]] const Range &visible() const { return m_visited.current(); }

    void zoom(double factor, double anchor);
    void move(double by);
    void show(const Range &range);
    void fit() { show(m_whole); }
    /// Makes a stretch visible, without changing the zoom where it fits into it.
    void reveal(const Range &range);
    [[nodiscard]] bool canGoBack() const { return m_visited.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_visited.canGoForward(); }
    void back();
    void forward();

    [[nodiscard]] const ProfileEventId &selected() const { return m_selected; }
    void select(const ProfileEventId &event);

    [[nodiscard]] const std::optional<TimeSpan> &chosen() const { return m_chosen; }
    void choose(std::optional<TimeSpan> span);

    /// The moment that is looked at, as the file counts.
    [[nodiscard]] const std::optional<std::int64_t> &moment() const { return m_moment; }
    void setMoment(std::optional<std::int64_t> moment);

    /// Null: everything is shown alike.
    [[nodiscard]] const std::shared_ptr<const FoundRows> &found() const { return m_found; }
    void setFound(std::shared_ptr<const FoundRows> found);

Q_SIGNALS:
    void visibleChanged();
    void selectedChanged();
    void chosenChanged();
    void momentChanged();
    void foundChanged();

private:
    void step(const Range &range);

    Range m_whole{0, 1};
    Visited<Range> m_visited;
    ProfileEventId m_selected;
    std::optional<TimeSpan> m_chosen;
    std::optional<std::int64_t> m_moment;
    std::shared_ptr<const FoundRows> m_found;
};

/// What is looked for in a profile: everything that fits all that is set.
struct ProfileQuery
{
    QString text;                   ///< within the name, whatever its case
    std::optional<BarPart> part;    ///< only work that belongs to it
    std::optional<EventKind> named; ///< only events of this kind and name
    StringId name = StringId::Empty;

    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && !part && !named; }
    bool operator==(const ProfileQuery &) const = default;
};

/// The events that fit, in the rows in which they stand. Null where `progress` asked to stop, and
/// for an empty query.
[[nodiscard]] std::shared_ptr<const FoundRows> findEvents(const ProfileDocument &document,
                                                          const ProfileQuery &query,
                                                          const Progress &progress = {});

} // namespace vramscope
