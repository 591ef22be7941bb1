// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_state.h"

#include "ui/support/text.h"

namespace vramscope {

void ProfileState::reset(double length)
{
    // A little room before the first event and after the last.
    const double margin = std::max(length * 0.005, kShortest);
    m_whole = {-margin, length + margin};
    m_visited.start(m_whole);
    select({});
    choose({});
    setMoment({});
    setFound(nullptr);
    Q_EMIT visibleChanged();
}

void ProfileState::zoom(double factor, double anchor)
{
    step(zoomed(visible(), factor, anchor));
}

void ProfileState::move(double by)
{
    step(moved(visible(), by));
}

void ProfileState::step(const Range &range)
{
    if (m_visited.step(clamped(range, m_whole, kShortest)))
        Q_EMIT visibleChanged();
}

void ProfileState::show(const Range &range)
{
    if (m_visited.jump(clamped(range, m_whole, kShortest)))
        Q_EMIT visibleChanged();
}

void ProfileState::reveal(const Range &range)
{
    if (visible().contains(range.low) && visible().contains(range.high))
        return;
    const double middle = (range.low + range.high) / 2;
    const double length = std::max(visible().length(), range.length() * 1.5);
    show({middle - length / 2, middle + length / 2});
}

void ProfileState::back()
{
    if (m_visited.back())
        Q_EMIT visibleChanged();
}

void ProfileState::forward()
{
    if (m_visited.forward())
        Q_EMIT visibleChanged();
}

void ProfileState::select(const ProfileEventId &event)
{
    if (event == m_selected)
        return;
    m_selected = event;
    Q_EMIT selectedChanged();
}

void ProfileState::choose(std::optional<TimeSpan> span)
{
    if (span == m_chosen)
        return;
    m_chosen = span;
    Q_EMIT chosenChanged();
}

void ProfileState::setMoment(std::optional<std::int64_t> moment)
{
    if (moment == m_moment)
        return;
    m_moment = moment;
    Q_EMIT momentChanged();
}

void ProfileState::setFound(std::shared_ptr<const FoundRows> found)
{
    if (found == m_found)
        return;
    m_found = std::move(found);
    Q_EMIT foundChanged();
}

namespace {

/// Which names fit the text of a query, by StringId.
std::vector<bool> fittingNames(const ProfileDocument &document, const QString &text)
{
    std::vector<bool> fits(document.profile->textCount(), true);
    if (text.isEmpty())
        return fits;
    for (std::size_t at = 0; at < fits.size(); ++at)
        fits[at] = toQString(document.text(StringId(static_cast<std::uint32_t>(at))))
                       .contains(text, Qt::CaseInsensitive);
    return fits;
}

} // namespace

std::shared_ptr<const FoundRows> findEvents(const ProfileDocument &document,
                                            const ProfileQuery &query, const Progress &progress)
{
    if (query.isEmpty())
        return nullptr;
    const Profile &profile = *document.profile;
    const std::vector<bool> names = fittingNames(document, query.text);
    auto found = std::make_shared<FoundRows>();
    const auto all = static_cast<double>(document.rows->rows.size());
    for (const TimelineRow &row : document.rows->rows) {
        if (progress && !progress(static_cast<double>(found->rows.size()) / all))
            return nullptr;
        const EventKind kind = row.kind();
        const TimedEvents columns = eventsOf(profile, kind);
        std::vector<std::uint32_t> events;
        for (const std::uint32_t event : row.events()) {
            const StringId name = columns.name[event];
            if (!names[static_cast<std::size_t>(name)])
                continue;
            if (query.named && (*query.named != kind || query.name != name))
                continue;
            if (query.part && (kind != EventKind::Work ||
                               !belongsTo(document.classes().workClass[event], *query.part)))
                continue;
            events.push_back(event);
        }
        found->events += events.size();
        found->rows.emplace_back(kind, std::move(events), columns.start, columns.end);
    }
    return found;
}

} // namespace vramscope
