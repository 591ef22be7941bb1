// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_text.h"

#include "core/describe/difference_tables.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostScopes = 200; ///< of steps in the box

QString letterOf(std::size_t side)
{
    return side == 0 ? u"A"_s : u"B"_s;
}

QString scopeText(const ProfileDifferenceDocument &document, std::size_t side)
{
    const auto &step = document.difference.steps[side];
    return step ? foreignText(document.profile(side).shown(*step)) : u"all that was recorded"_s;
}

/// "mostly exposed communication, −38 ms": the part that changed most in the direction of the
/// span; empty where none did.
QString partText(const TimeBreakdown &a, const TimeBreakdown &b)
{
    const std::array<std::pair<QString, std::int64_t>, 4> parts = {{
        {u"compute"_s, b.compute - a.compute},
        {u"exposed communication"_s, b.exposedCommunication - a.exposedCommunication},
        {u"exposed copies"_s, b.exposedCopy - a.exposedCopy},
        {u"idle time"_s, b.idle - a.idle},
    }};
    const bool isLess = b.span < a.span;
    const auto &most = *std::ranges::max_element(
        parts, {}, [&](const auto &part) { return isLess ? -part.second : part.second; });
    return u"the largest part of it is %1, %2"_s.arg(most.first, durationChangeText(most.second));
}

QString spreadText(const ProfileDifferenceDocument &document)
{
    QStringList sides;
    for (std::size_t side = 0; side < 2; ++side) {
        const auto &spread = document.spreads[side];
        if (spread && std::abs(*document.spanChange()) <= *spread)
            sides << u"the steps of %1 differ by up to %2 among themselves"_s.arg(
                letterOf(side), durationText(*spread));
    }
    return sides.join(u" and "_s);
}

/// The names of a run's steps, in the file's words.
std::vector<std::string_view> stepNames(const Profile &profile)
{
    std::vector<std::string_view> names;
    for (const ProfilerStep &step : profile.steps())
        names.push_back(profile.text(step.name));
    return names;
}

} // namespace

QString sideText(const ProfileDifferenceDocument &document, std::size_t side)
{
    return u"%1, %2"_s.arg(document.sides[side].title, scopeText(document, side));
}

QString sidesText(const ProfileDifferenceDocument &document)
{
    return u"A: %1 · B: %2"_s.arg(sideText(document, 0), sideText(document, 1));
}

QStringList problemLines(const ProfileDifferenceDocument &document)
{
    return problemLines(document.profile(0), u"A: "_s) +
           problemLines(document.profile(1), u"B: "_s);
}

QString differenceHeadline(const ProfileDifferenceDocument &document)
{
    if (document.difference.devices.empty())
        return toQString(noDevicesComparedText(document.difference));
    const TimeBreakdown &a = document.difference.devices.front().sides[0].times;
    const TimeBreakdown &b = document.difference.devices.front().sides[1].times;
    const std::int64_t change = b.span - a.span;
    const bool steps = document.difference.steps[0] && document.difference.steps[1];
    const QString whose = !steps                                                 ? u"recording"_s
                          : document.scope.kind == DifferenceScope::Kind::Median ? u"median step"_s
                                                                                 : u"step"_s;
    const std::int64_t device = document.difference.devices.front().sides[1].device;
    const QString what = document.difference.devices.size() > 1
                             ? u"On GPU %1 the %2 of B"_s.arg(device).arg(whose)
                             : u"The %1 of B"_s.arg(whose);
    if (change == 0)
        return u"%1 spans %2, as long as that of A."_s.arg(what, durationText(b.span));
    QString text = u"%1 spans %2, %3 (%4) %5 than that of A; %6"_s.arg(
        what, durationText(b.span), durationText(std::abs(change)),
        timeShareText(std::abs(change), a.span), change < 0 ? u"less"_s : u"more"_s,
        partText(a, b));
    if (document.isWithinSpread())
        text += u". This is no clear change: %1"_s.arg(spreadText(document));
    else if (!steps)
        text += u". These are whole recordings, which may hold different amounts of work"_s;
    return text + u'.';
}

std::vector<BarTimes> barsOf(const ProfileDifferenceDocument &document)
{
    const bool several = document.difference.devices.size() > 1;
    std::vector<BarTimes> bars;
    for (const BreakdownChange &device : document.difference.devices) {
        for (std::size_t side = 0; side < 2; ++side) {
            const DeviceBreakdown &of = device.sides[side];
            bars.push_back(barTimes(several ? u"%1, GPU %2"_s.arg(letterOf(side)).arg(of.device)
                                            : letterOf(side),
                                    of.times));
        }
    }
    return bars;
}

std::vector<ScopeChoice> scopesOf(const ProfileDifferenceDocument &document)
{
    std::vector<ScopeChoice> scopes;
    const auto hasMedian = [&](std::size_t side) {
        return document.profile(side).study->steps().hasMedian;
    };
    if (hasMedian(0) && hasMedian(1))
        scopes.push_back({u"The median step of each"_s, {}});
    scopes.push_back({u"All that was recorded"_s, {DifferenceScope::Kind::All, {}}});
    const auto names = stepNames(*document.profile(0).profile);
    const std::set<std::string_view> known(names.begin(), names.end());
    for (const std::string_view name : stepNames(*document.profile(1).profile)) {
        if (known.contains(name) && scopes.size() < kMostScopes)
            scopes.push_back({foreignText(document.profile(1).shown(name)),
                              {DifferenceScope::Kind::Named, std::string(name)}});
    }
    return scopes;
}

namespace {

constexpr std::array<QStringView, kDifferenceTabCount> kNames = {u"parts", u"operators", u"work"};

} // namespace

QString nameOf(DifferenceTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<DifferenceTab> differenceTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<DifferenceTab>(found - kNames.begin());
}

QString titleOf(DifferenceTab tab)
{
    switch (tab) {
    case DifferenceTab::Parts:
        return u"Sum"_s;
    case DifferenceTab::Operators:
        return u"Operators"_s;
    case DifferenceTab::Work:
        break;
    }
    return u"Kernels and copies"_s;
}

DataTable differenceTable(const ProfileDifferenceDocument &document, DifferenceTab tab,
                          const DifferenceFilter &filter)
{
    const ProfileDifference &difference = document.difference;
    const auto shown = [&document](std::size_t side, std::string_view name) {
        return document.profile(side).shown(name);
    };
    const auto keeps = [&filter](const auto &row) {
        return !filter.state || *filter.state == row.state;
    };
    DataTable table =
        tab == DifferenceTab::Parts ? spanChangesTable(difference)
        : tab == DifferenceTab::Operators
            ? operatorChangesTable(difference, shown, keeps)
            : kernelChangesTable(difference, shown, [&](const KernelChange &row) {
                  return keeps(row) && (!filter.part || belongsTo(row.workClass, *filter.part));
              });
    if (tab == DifferenceTab::Parts)
        table.note = u"of %1; %2"_s.arg(sideText(document, 0), sideText(document, 1)).toStdString();
    return keptWith(std::move(table), document.weak_from_this().lock());
}

} // namespace vramscope
