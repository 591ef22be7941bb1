// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_text.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/moments.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

QString durationText(std::int64_t nanoseconds)
{
    return toQString(formatNanoseconds(nanoseconds));
}

QString durationChangeText(std::int64_t nanoseconds)
{
    const QString text = durationText(std::abs(nanoseconds));
    return nanoseconds == 0 ? text : (nanoseconds > 0 ? u'+' : u'−') + text;
}

QString exactDurationChangeText(std::int64_t nanoseconds)
{
    const QString text = exactDurationText(std::abs(nanoseconds));
    return nanoseconds == 0 ? text : (nanoseconds > 0 ? u'+' : u'−') + text;
}

QString exactDurationText(std::int64_t nanoseconds)
{
    return toQString(formatExactNanoseconds(nanoseconds));
}

QString momentText(std::int64_t nanoseconds)
{
    return toQString(formatMoment(nanoseconds));
}

QString timeShareText(std::int64_t part, std::int64_t whole)
{
    return whole <= 0 ? u"–"_s : toQString(formatTimeShare(part, whole));
}

std::vector<std::pair<double, QString>> timeTicks(const Range &range, int most)
{
    const TimeUnit &unit = timeUnitOf(std::max(std::abs(range.low), std::abs(range.high)));
    const auto size = static_cast<double>(unit.nanoseconds);
    const Ticks ticks =
        niceTicks({range.low / size, range.high / size}, std::max(most, 1), 1 / size);
    std::vector<std::pair<double, QString>> made;
    for (const double value : ticks.values) {
        if (value >= 0)
            made.emplace_back(
                value * size,
                u"%1 %2"_s.arg(QString::number(value, 'f', ticks.decimals), toQString(unit.name)));
    }
    return made;
}

QString sectionTitle(const ProfileDocument &document, const TimelineSection &section)
{
    if (section.kind == TimelineSection::Kind::HostMemory)
        return u"Memory of the host"_s;
    if (section.kind == TimelineSection::Kind::Device) {
        const ProfileDevice *device = document.device(section.of);
        const QString name = device ? foreignText(device->name) : QString();
        return name.isEmpty() ? u"GPU %1"_s.arg(section.of)
                              : u"GPU %1 · %2"_s.arg(section.of).arg(name);
    }
    const ProfileThread &thread = document.profile->threads()[static_cast<std::size_t>(section.of)];
    const auto plain = [&](const std::string &text) { // as the file writes it: with its quotes
        return foreignText(document.shown(text)).remove(u'"');
    };
    const QString name = foreignText(document.shown(thread.name));
    const QString number = plain(thread.thread);
    const QString process = u"of process %1"_s.arg(plain(thread.process));
    if (name.contains(number)) // as PyTorch names them: "thread 3126441 (python3.8)"
        return u"%1 %2"_s.arg(name, process);
    return name.isEmpty() ? u"thread %1 %2"_s.arg(number, process)
                          : u"%1 · thread %2 %3"_s.arg(name, number, process);
}

QString eventsText(const TimelineSection &section)
{
    return toQString(counted(static_cast<std::int64_t>(section.events), "event"));
}

QString stepsText(const ProfileDocument &document)
{
    const auto steps = std::ranges::count_if(document.study->steps().steps,
                                             [](const ProfileStep &step) { return step.work > 0; });
    return toQString(counted(steps, "complete step"));
}

QString allocatedName(const ProfileMemoryCurves &curves)
{
    return curves.source == ProfileMemoryCurves::Source::Snapshot ? u"active"_s : u"allocated"_s;
}

QStringList memoryEventText(const ProfileDocument &document, const ProfileMemoryCurves &curves,
                            std::int64_t time, ByteUnit unit)
{
    const SeriesDevice *recorded = curves.recorded;
    if (!recorded || recorded->change.empty() || recorded->operation.empty())
        return {};
    const std::span<const std::int64_t> times = curves.allocated.times();
    const auto after = std::ranges::upper_bound(times, time);
    if (after == times.begin())
        return {};
    const auto last = static_cast<std::size_t>(after - times.begin()) - 1;
    const Bytes change = recorded->change[last];
    if (change == kNoBytes)
        return {};
    const QString before =
        time > times[last] ? u", %1 before"_s.arg(durationText(time - times[last])) : QString();
    const std::string_view operation = document.profile->curves()->text(recorded->operation[last]);
    return {u"last %1%2"_s.arg(signedBytesText(change, unit), before),
            operation.empty() ? u"outside any recorded operator"_s
                              : u"in "_s + foreignText(document.shown(operation))};
}

QString groupTitle(const ProfileDocument &document, const RowGroup &group)
{
    switch (group.kind) {
    case RowGroupKind::Lane:
        return u"stream %1"_s.arg(document.profile->lanes()[group.of].stream);
    case RowGroupKind::DeviceRange:
        return u"ranges, stream %1"_s.arg(document.profile->lanes()[group.of].stream);
    case RowGroupKind::Annotation:
        return u"annotations"_s;
    case RowGroupKind::Operator:
        return u"operators"_s;
    case RowGroupKind::Call:
        return u"runtime calls"_s;
    case RowGroupKind::Python:
        return u"Python"_s;
    case RowGroupKind::Overhead:
        break;
    }
    return u"profiler"_s;
}

QString coverName(CoverKind cover)
{
    static constexpr std::array<QStringView, kCoverCount> kCoverNames{
        u"idle", u"compute", u"compute and communication", u"exposed communication",
        u"exposed copies"};
    return kCoverNames[static_cast<std::size_t>(cover)].toString();
}

QString eventName(const ProfileDocument &document, const ProfileEventId &event)
{
    return foreignText(document.text(eventsOf(*document.profile, event.kind).name[event.row]));
}

std::pair<std::int64_t, std::int64_t> eventTimes(const Profile &profile,
                                                 const ProfileEventId &event)
{
    const TimedEvents events = eventsOf(profile, event.kind);
    return {events.start[event.row], events.end[event.row]};
}

std::vector<EventFact> eventFacts(const ProfileDocument &document, const ProfileEventId &event,
                                  ByteUnit unit)
{
    return eventFacts({*document.profile, *document.study, document.origin,
                       [&](StringId id) { return document.text(id); },
                       [&](std::uint32_t call) { return document.launchedBy(call); }},
                      event, unit);
}

QString eventText(const ProfileDocument &document, const ProfileEventId &event, ByteUnit unit)
{
    if (!event.valid())
        return {};
    QStringList lines{eventName(document, event)};
    for (const EventFact &fact : eventFacts(document, event, unit))
        lines << toQString(fact.name + ": " + (fact.whole.empty() ? fact.value : fact.whole));
    return lines.join(u'\n');
}

QString joinText(const KernelCounters &counters)
{
    QStringList sentences;
    for (const std::string &each : joinSentences(counters))
        sentences << foreignText(each);
    return sentences.join(u' ');
}

} // namespace vramscope
