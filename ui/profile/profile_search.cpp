// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_search.h"

#include "ui/support/text.h"

namespace vramscope {

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

std::pair<std::span<const std::int64_t>, std::span<const std::int64_t>>
timesOf(const Profile &profile, EventKind kind)
{
    const auto of = [](const auto &columns) {
        return std::pair(std::span<const std::int64_t>(columns.start),
                         std::span<const std::int64_t>(columns.end));
    };
    switch (kind) {
    case EventKind::Work:
        return of(profile.work());
    case EventKind::Call:
        return of(profile.calls());
    case EventKind::Operator:
        return of(profile.operators());
    case EventKind::Range:
        break;
    }
    return of(profile.ranges());
}

} // namespace

StringId nameIdOf(const Profile &profile, const ProfileEventId &event)
{
    switch (event.kind) {
    case EventKind::Work:
        return profile.work().name[event.row];
    case EventKind::Call:
        return profile.calls().name[event.row];
    case EventKind::Operator:
        return profile.operators().name[event.row];
    case EventKind::Range:
        break;
    }
    return profile.ranges().name[event.row];
}

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
        std::vector<std::uint32_t> events;
        for (const std::uint32_t event : row.events()) {
            const StringId name = nameIdOf(profile, {kind, event});
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
        const auto [starts, ends] = timesOf(profile, kind);
        found->rows.emplace_back(kind, std::move(events), starts, ends);
    }
    return found;
}

} // namespace vramscope
