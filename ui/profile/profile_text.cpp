// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_text.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct TimeUnit
{
    double nanoseconds;
    QStringView name;
};
constexpr TimeUnit kUnits[] = {{1e9, u"s"}, {1e6, u"ms"}, {1e3, u"µs"}, {1, u"ns"}};

const TimeUnit &unitOf(double nanoseconds)
{
    for (const TimeUnit &unit : kUnits) {
        if (nanoseconds >= unit.nanoseconds)
            return unit;
    }
    return kUnits[3];
}

QString numbersText(const std::array<std::int64_t, 3> &numbers)
{
    QStringList parts;
    for (const std::int64_t number : numbers)
        parts << (number == kNotStated ? u"?"_s : QString::number(number));
    return parts.join(u" × "_s);
}

/// From the outermost operator to this one.
QStringList pathOf(const ProfileDocument &document, std::uint32_t operation)
{
    constexpr qsizetype kMost = 64;
    QStringList path;
    for (; operation != kNoRow && path.size() < kMost;
         operation = document.profile->operators().parent[operation])
        path.prepend(foreignText(document.text(document.profile->operators().name[operation])));
    return path;
}

/// Collects the facts of one event.
class Facts
{
public:
    Facts(const ProfileDocument &document, ByteUnit unit)
        : m_document(document)
        , m_profile(*document.profile)
        , m_unit(unit)
    {
    }

    std::vector<EventFact> take() { return std::move(m_facts); }

    void addTimes(std::int64_t start, std::int64_t end)
    {
        add(u"Start"_s, momentText(start - m_document.origin));
        add(u"Duration"_s, durationText(end - start), exactDurationText(end - start));
    }
    void addWork(std::uint32_t row)
    {
        const WorkColumns &work = m_profile.work();
        const WorkGroup &group = m_document.classes().groupOf(row);
        const ProfileLane &lane = m_profile.lanes()[work.lane[row]];
        add(u"Class"_s, workKindText(group));
        addRule(group);
        addTimes(work.start[row], work.end[row]);
        add(u"Where"_s, u"GPU %1, stream %2"_s.arg(lane.device).arg(lane.stream));
        if (work.call[row] != kNoRow) {
            const CallColumns &calls = m_profile.calls();
            const std::uint32_t call = work.call[row];
            const std::int64_t delay = work.start[row] - calls.start[call];
            add(u"Launched by"_s, foreignText(m_document.text(calls.name[call])));
            add(u"Launch delay"_s, durationText(delay), exactDurationText(delay));
        } else {
            add(u"Launched by"_s, u"no recorded call"_s);
        }
        addOperator(work.operation[row]);
        addBytes(work.bytes[row]);
        if (work.shape[row] != kNoRow)
            addShape(m_profile.launchShapes()[work.shape[row]]);
        if (const std::uint32_t of = m_document.classes().collectiveOf(row); of != kNoRow)
            addCollective(m_profile.collectives()[of]);
    }
    void addCall(std::uint32_t row)
    {
        const CallColumns &calls = m_profile.calls();
        addTimes(calls.start[row], calls.end[row]);
        const auto launched = m_document.launchedBy(row);
        if (launched.size() == 1)
            add(u"Launched"_s,
                foreignText(m_document.text(m_profile.work().name[launched.front()])));
        else if (!launched.empty())
            add(u"Launched"_s,
                toQString(counted(static_cast<std::int64_t>(launched.size()), "device event")));
        addOperator(calls.operation[row]);
    }
    void addOperation(std::uint32_t row)
    {
        const OperatorColumns &operators = m_profile.operators();
        addTimes(operators.start[row], operators.end[row]);
        addOperator(operators.parent[row]);
        addText(u"Shapes"_s, operators.shapes[row]);
        addText(u"Types"_s, operators.types[row]);
        addText(u"Module"_s, operators.module[row]);
        addText(u"Stack"_s, operators.stack[row]);
        if (operators.forward[row] != kNoRow)
            add(u"Backward of"_s, pathOf(m_document, operators.forward[row]).join(u" › "_s));
    }

private:
    void add(const QString &name, const QString &value, const QString &whole = {})
    {
        m_facts.push_back({name, value, whole});
    }
    void addRule(const WorkGroup &group)
    {
        const std::vector<WorkRule> &rules = m_document.study->rules();
        if (group.rule >= rules.size())
            return add(u"By rule"_s, u"none fits: compute"_s);
        const WorkRule &rule = rules[group.rule];
        const QString pattern =
            rule.pattern.empty() ? rule.namesCollective ? u"states a collective"_s : u"every name"_s
                                 : toQString(rule.pattern);
        add(u"By rule"_s, u"%1: %2"_s.arg(group.rule + 1).arg(pattern));
    }
    void addText(const QString &name, StringId text)
    {
        if (text != StringId::Empty)
            add(name, foreignText(m_document.text(text)));
    }
    void addNumber(const QString &name, std::int64_t number)
    {
        if (number != kNotStated)
            add(name, countText(number));
    }
    void addBytes(std::int64_t bytes)
    {
        if (bytes != kNotStated)
            add(u"Bytes"_s, bytesText(bytes, m_unit), exactBytesText(bytes, m_unit));
    }
    void addOperator(std::uint32_t operation)
    {
        if (operation == kNoRow)
            return;
        add(u"In operator"_s, pathOf(m_document, operation).join(u" › "_s));
        addText(u"Shapes"_s, m_profile.operators().shapes[operation]);
    }
    void addShape(const LaunchShape &shape)
    {
        if (shape.grid[0] != kNotStated)
            add(u"Grid"_s, numbersText(shape.grid));
        if (shape.block[0] != kNotStated)
            add(u"Block"_s, numbersText(shape.block));
        addNumber(u"Registers a thread"_s, shape.registers);
        if (shape.sharedMemory != kNotStated)
            add(u"Shared memory"_s, bytesText(shape.sharedMemory, m_unit),
                exactBytesText(shape.sharedMemory, m_unit));
        if (shape.occupancy != kNotStated)
            add(u"Occupancy, estimated"_s, u"%1 %"_s.arg(shape.occupancy));
    }
    void addCollective(const ProfileCollective &of)
    {
        addText(u"Collective"_s, of.name);
        addText(u"Data type"_s, of.dtype);
        addNumber(u"Elements in"_s, of.sent);
        addNumber(u"Elements out"_s, of.got);
        addText(u"Group"_s, of.group);
        addNumber(u"Group size"_s, of.size);
        addText(u"Ranks"_s, of.ranks);
        addText(u"Split sizes"_s, of.splits);
        addNumber(u"Sequence number"_s, of.number);
    }

    const ProfileDocument &m_document;
    const Profile &m_profile;
    ByteUnit m_unit;
    std::vector<EventFact> m_facts;
};

} // namespace

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
    return std::abs(nanoseconds) < 1000
               ? durationText(nanoseconds)
               : u"%1 (%2 ns)"_s.arg(durationText(nanoseconds), countText(nanoseconds));
}

QString momentText(std::int64_t nanoseconds)
{
    const std::int64_t size = std::abs(nanoseconds);
    const TimeUnit &unit = unitOf(static_cast<double>(size));
    const auto whole = static_cast<std::int64_t>(unit.nanoseconds);
    QString text = (nanoseconds < 0 ? u"−"_s : QString()) + countText(size / whole);
    if (whole > 1) {
        const auto digits = static_cast<int>(std::lround(std::log10(unit.nanoseconds)));
        text += u'.' + QString::number(size % whole).rightJustified(digits, u'0');
    }
    return u"%1 %2"_s.arg(text, unit.name);
}

QString timeShareText(std::int64_t part, std::int64_t whole)
{
    return whole <= 0 ? u"–"_s : toQString(formatTimeShare(part, whole));
}

std::vector<std::pair<double, QString>> timeTicks(const Range &range, int most)
{
    const TimeUnit &unit = unitOf(std::max(std::abs(range.low), std::abs(range.high)));
    const Ticks ticks = niceTicks({range.low / unit.nanoseconds, range.high / unit.nanoseconds},
                                  std::max(most, 1), 1 / unit.nanoseconds);
    std::vector<std::pair<double, QString>> made;
    for (const double value : ticks.values) {
        if (value >= 0)
            made.emplace_back(
                value * unit.nanoseconds,
                u"%1 %2"_s.arg(QString::number(value, 'f', ticks.decimals), unit.name));
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

QString workKindText(const WorkGroup &group)
{
    QString kind = toQString(textOf(group.workClass));
    if (group.family == WorkFamily::None)
        return kind;
    return u"%1, %2"_s.arg(kind, toQString(textOf(group.family)));
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
    Facts facts(document, unit);
    if (!event.valid())
        return {};
    switch (event.kind) {
    case EventKind::Work:
        facts.addWork(event.row);
        break;
    case EventKind::Call:
        facts.addCall(event.row);
        break;
    case EventKind::Operator:
        facts.addOperation(event.row);
        break;
    case EventKind::Range: {
        const auto [start, end] = eventTimes(*document.profile, event);
        facts.addTimes(start, end);
        break;
    }
    }
    return facts.take();
}

QString eventText(const ProfileDocument &document, const ProfileEventId &event, ByteUnit unit)
{
    if (!event.valid())
        return {};
    QStringList lines{eventName(document, event)};
    for (const EventFact &fact : eventFacts(document, event, unit))
        lines << u"%1: %2"_s.arg(fact.name, fact.whole.isEmpty() ? fact.value : fact.whole);
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
