// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_bookmark.h"

#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// How a bookmark calls kinds of events and parts of the bar.
constexpr std::array<std::string_view, 4> kKindNames{"work", "call", "operator", "range"};
constexpr std::array<std::string_view, kBarPartCount> kPartNames{"compute", "communication",
                                                                 "copies", "idle", "hidden"};
constexpr std::string_view kAxis = "ns";

template<class Enum, std::size_t Count>
std::optional<Enum> valueOf(const std::array<std::string_view, Count> &names, std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

template<class Enum, std::size_t Count>
std::string nameIn(const std::array<std::string_view, Count> &names, Enum value)
{
    return std::string(names[static_cast<std::size_t>(value)]);
}

StringId nameOf(const Profile &profile, const ProfileEventId &event)
{
    return eventsOf(profile, event.kind).name[event.row];
}

std::string suggestedName(const ProfileDocument &document, const ProfileView &view)
{
    const QString name = view.selected.valid() ? eventName(document, view.selected) : QString();
    if (!name.isEmpty())
        return name.toStdString();
    const auto length = static_cast<std::int64_t>(view.visible.length());
    const auto from = std::max<std::int64_t>(0, std::llround(view.visible.low));
    return u"%1 from %2"_s.arg(durationText(length), momentText(from)).toStdString();
}

/// The table and, where it is not shown in its first way, the number of the way: "operators/2".
std::string nameOf(const ProfileTableChoice &table)
{
    const std::string tab = nameOf(table.tab).toStdString();
    return table.choice == 0 ? tab : tab + '/' + std::to_string(table.choice);
}

ProfileTableChoice tableOf(const ProfileDocument &document, const QString &view)
{
    const qsizetype slash = view.indexOf(u'/');
    const auto tab = profileTabNamed(slash < 0 ? view : view.first(slash));
    if (!tab)
        return {};
    const std::size_t choice = slash < 0 ? 0 : view.sliced(slash + 1).toUInt();
    const auto choices = static_cast<std::size_t>(choicesOf(document, *tab).size());
    return {*tab, choice < choices ? choice : 0};
}

} // namespace

Bookmark bookmarkOf(const ProfileDocument &document, const ProfileView &view)
{
    Bookmark bookmark;
    bookmark.name = suggestedName(document, view);
    bookmark.view = nameOf(view.table);
    bookmark.axis = kAxis;
    bookmark.from = std::llround(std::floor(view.visible.low));
    bookmark.to = std::llround(std::ceil(view.visible.high));
    bookmark.cursor = std::max<std::int64_t>(0, bookmark.from);
    bookmark.filter = view.query.text.toStdString();
    if (view.query.part)
        bookmark.part = nameIn(kPartNames, *view.query.part);
    if (view.chosen) {
        bookmark.stretchFrom = view.chosen->from - document.origin;
        bookmark.stretchTo = view.chosen->to - document.origin;
    }
    if (view.selected.valid()) {
        bookmark.selected = view.selected.row;
        bookmark.selectedKind = nameIn(kKindNames, view.selected.kind);
        bookmark.cursor = eventTimes(*document.profile, view.selected).first - document.origin;
        bookmark.markedByName = view.query.named == view.selected.kind &&
                                view.query.name == nameOf(*document.profile, view.selected);
    }
    return bookmark;
}

ProfileView viewOf(const ProfileDocument &document, const Bookmark &bookmark)
{
    ProfileView view;
    const std::int64_t length = document.end - document.origin;
    view.visible = {0, static_cast<double>(length)};
    view.table = tableOf(document, toQString(bookmark.view));
    view.query.text = toQString(bookmark.filter);
    view.query.part = valueOf<BarPart>(kPartNames, bookmark.part);
    if (bookmark.axis != kAxis)
        return view; // of another recording, in other units
    const auto [from, to] = std::minmax(bookmark.from, bookmark.to);
    view.visible = {static_cast<double>(from), static_cast<double>(to)};
    if (0 <= bookmark.stretchFrom && bookmark.stretchFrom < bookmark.stretchTo &&
        bookmark.stretchFrom < length)
        view.chosen = TimeSpan{document.origin + bookmark.stretchFrom,
                               document.origin + std::min(bookmark.stretchTo, length)};
    const auto kind = valueOf<EventKind>(kKindNames, bookmark.selectedKind);
    if (!kind || bookmark.selected < 0 ||
        static_cast<std::uint64_t>(bookmark.selected) >=
            eventsOf(*document.profile, *kind).name.size())
        return view;
    const ProfileEventId event{*kind, static_cast<std::uint32_t>(bookmark.selected)};
    if (eventTimes(*document.profile, event).first - document.origin != bookmark.cursor)
        return view;
    view.selected = event;
    if (bookmark.markedByName) {
        view.query.named = *kind;
        view.query.name = nameOf(*document.profile, event);
    }
    return view;
}

QString placeText(const Bookmark &bookmark)
{
    const QString view = toQString(bookmark.view);
    const auto tab = profileTabNamed(view.left(view.indexOf(u'/')));
    QStringList parts{tab ? titleOf(*tab) : view};
    if (bookmark.cursor >= 0)
        parts += u"at %1"_s.arg(durationText(bookmark.cursor));
    return parts.join(u" · "_s);
}

} // namespace vramscope
