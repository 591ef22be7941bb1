// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_tables.h"

#include "core/base/durations.h"
#include "core/describe/profile_tables.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<QStringView, kProfileTabCount> kNames = {
    u"kernels", u"operators", u"collectives", u"launches", u"idle", u"steps", u"breakdown"};
constexpr std::array<QStringView, kProfileTabCount> kTitles = {
    u"Kernels", u"Operators", u"Collectives", u"Launches", u"Idle", u"Steps", u"Breakdown"};

/// Valid while the document is.
ProfileSubject subjectOf(const ProfileDocument &document, const std::optional<TimeSpan> &within)
{
    ProfileSubject of = subjectOf(*document.study);
    if (within)
        of.within = {within->from, within->to};
    of.name = [&document](StringId id) { return document.text(id); };
    of.text = [&document](std::string_view text) { return document.shown(text); };
    return of;
}

DataTable dataTable(const ProfileDocument &document, const ProfileTableChoice &choice,
                    const ProfileSubject &of)
{
    switch (choice.tab) {
    case ProfileTab::Kernels:
        return kernelsTable(of);
    case ProfileTab::Operators:
        return operatorsTable(of, static_cast<OperatorGrouping>(choice.choice));
    case ProfileTab::Collectives:
        return collectivesTable(of);
    case ProfileTab::Launches:
        return launchesTable(of);
    case ProfileTab::Idle:
        return idleTable(of);
    case ProfileTab::Steps: {
        const std::span<const StepMarker> markers = document.stepMarkers();
        return stepsTable(of, choice.choice < markers.size() ? &markers[choice.choice] : nullptr);
    }
    case ProfileTab::Breakdown:
        break;
    }
    return choice.choice == 0 ? breakdownTable(of) : htaTable(of);
}

/// Whether a table can be of a part of the recording.
bool knowsStretch(const ProfileTableChoice &choice)
{
    return choice.tab <= ProfileTab::Collectives ||
           (choice.tab == ProfileTab::Breakdown && choice.choice == 0);
}

} // namespace

QString nameOf(ProfileTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<ProfileTab> profileTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    return found == kNames.end() ? std::nullopt
                                 : std::optional(static_cast<ProfileTab>(found - kNames.begin()));
}

QString titleOf(ProfileTab tab)
{
    return kTitles[static_cast<std::size_t>(tab)].toString();
}

QStringList choicesOf(const ProfileDocument &document, ProfileTab tab)
{
    if (tab == ProfileTab::Operators) // as OperatorGrouping
        return {u"By name"_s, u"By name and shapes"_s, u"By call path"_s, u"By module"_s};
    if (tab == ProfileTab::Breakdown)
        return {u"Parts that add up"_s, u"As HTA counts"_s};
    QStringList choices;
    if (tab == ProfileTab::Steps) {
        for (const StepMarker &marker : document.stepMarkers())
            choices << foreignText(markerName(subjectOf(document, {}), marker));
    }
    return choices.size() > 1 ? choices : QStringList();
}

DataTable profileTable(const ProfileDocument &document, const ProfileTableChoice &choice,
                       const std::optional<TimeSpan> &within)
{
    DataTable table = shownColumns(dataTable(document, choice, subjectOf(document, within)));
    table.title = titleOf(choice.tab).toStdString();
    if (table.note.empty() && within)
        table.note = knowsStretch(choice) ? "What began in the chosen " +
                                                formatNanoseconds(within->to - within->from)
                                          : "Of the whole recording, whatever stretch is chosen";
    return keptWith(std::move(table), document.weak_from_this().lock());
}

} // namespace vramscope
