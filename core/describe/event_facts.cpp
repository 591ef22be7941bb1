// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/event_facts.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/moments.h"

namespace vramscope {

namespace {

std::string sidesText(const std::array<std::int64_t, 3> &sides)
{
    std::string text;
    for (const std::int64_t side : sides)
        text += (text.empty() ? "" : " × ") +
                (side == kNotStated ? std::string("?") : std::to_string(side));
    return text;
}

/// Collects the facts of one event.
class Facts
{
public:
    Facts(const ShownProfile &shown, ByteUnit unit)
        : m_shown(shown)
        , m_profile(shown.profile)
        , m_unit(unit)
    {
    }

    std::vector<EventFact> take() { return std::move(m_facts); }

    void addTimes(std::int64_t start, std::int64_t end)
    {
        add("Start", formatMoment(start - m_shown.origin));
        add("Duration", formatNanoseconds(end - start), formatExactNanoseconds(end - start));
    }
    void addWork(std::uint32_t row)
    {
        const WorkColumns &work = m_profile.work();
        const WorkGroup &group = m_shown.study.classes().groupOf(row);
        const ProfileLane &lane = m_profile.lanes()[work.lane[row]];
        add("Class", workKindText(group));
        addRule(group);
        addTimes(work.start[row], work.end[row]);
        add("Where",
            "GPU " + std::to_string(lane.device) + ", stream " + std::to_string(lane.stream));
        if (work.call[row] != kNoRow) {
            const CallColumns &calls = m_profile.calls();
            const std::uint32_t call = work.call[row];
            const std::int64_t delay = work.start[row] - calls.start[call];
            add("Launched by", nameOf(calls.name[call]));
            add("Launch delay", formatNanoseconds(delay), formatExactNanoseconds(delay));
        } else {
            add("Launched by", "no recorded call");
        }
        addOperator(work.operation[row]);
        addBytes("Bytes", work.bytes[row]);
        if (work.shape[row] != kNoRow)
            addShape(m_profile.launchShapes()[work.shape[row]]);
        if (const std::uint32_t of = m_shown.study.classes().collectiveOf(row); of != kNoRow)
            addCollective(m_profile.collectives()[of]);
    }
    void addCall(std::uint32_t row)
    {
        const CallColumns &calls = m_profile.calls();
        addTimes(calls.start[row], calls.end[row]);
        const auto launched = m_shown.launchedBy(row);
        if (launched.size() == 1)
            add("Launched", nameOf(m_profile.work().name[launched.front()]));
        else if (!launched.empty())
            add("Launched", counted(std::ssize(launched), "device event"));
        addOperator(calls.operation[row]);
    }
    void addOperation(std::uint32_t row)
    {
        const OperatorColumns &operators = m_profile.operators();
        addTimes(operators.start[row], operators.end[row]);
        addOperator(operators.parent[row]);
        addText("Shapes", operators.shapes[row]);
        addText("Types", operators.types[row]);
        addText("Module", operators.module[row]);
        addText("Stack", operators.stack[row]);
        if (operators.forward[row] != kNoRow)
            add("Backward of", pathOf(operators.forward[row]));
    }

private:
    [[nodiscard]] std::string nameOf(StringId text) const { return printable(m_shown.text(text)); }
    /// From the outermost operator to this one.
    [[nodiscard]] std::string pathOf(std::uint32_t operation) const
    {
        constexpr int kMost = 64;
        std::vector<std::string> names; // from this one outwards
        for (int depth = 0; operation != kNoRow && depth < kMost; ++depth) {
            names.push_back(nameOf(m_profile.operators().name[operation]));
            operation = m_profile.operators().parent[operation];
        }
        std::string path;
        for (std::size_t at = names.size(); at-- > 0;)
            path += names[at] + (at == 0 ? "" : " › ");
        return path;
    }
    void add(std::string name, std::string value, std::string whole = {})
    {
        m_facts.push_back({std::move(name), std::move(value), std::move(whole)});
    }
    void addRule(const WorkGroup &group)
    {
        const std::vector<WorkRule> &rules = m_shown.study.rules();
        if (group.rule >= rules.size())
            return add("By rule", "none fits: compute");
        const WorkRule &rule = rules[group.rule];
        add("By rule", std::to_string(group.rule + 1) + ": " +
                           (!rule.pattern.empty()  ? rule.pattern
                            : rule.namesCollective ? "states a collective"
                                                   : "every name"));
    }
    void addText(std::string name, StringId text)
    {
        if (text != StringId::Empty)
            add(std::move(name), nameOf(text));
    }
    void addNumber(std::string name, std::int64_t number)
    {
        if (number != kNotStated)
            add(std::move(name), formatCount(number));
    }
    void addBytes(std::string name, std::int64_t bytes)
    {
        if (bytes != kNotStated)
            add(std::move(name), formatBytes(bytes, m_unit), formatExactBytes(bytes, m_unit));
    }
    void addOperator(std::uint32_t operation)
    {
        if (operation == kNoRow)
            return;
        add("In operator", pathOf(operation));
        addText("Shapes", m_profile.operators().shapes[operation]);
    }
    void addShape(const LaunchShape &shape)
    {
        if (shape.grid[0] != kNotStated)
            add("Grid", sidesText(shape.grid));
        if (shape.block[0] != kNotStated)
            add("Block", sidesText(shape.block));
        addNumber("Registers a thread", shape.registers);
        addBytes("Shared memory", shape.sharedMemory);
        if (shape.occupancy != kNotStated)
            add("Occupancy, estimated", std::to_string(shape.occupancy) + " %");
    }
    void addCollective(const ProfileCollective &of)
    {
        addText("Collective", of.name);
        addText("Data type", of.dtype);
        addNumber("Elements in", of.sent);
        addNumber("Elements out", of.got);
        addText("Group", of.group);
        addNumber("Group size", of.size);
        addText("Ranks", of.ranks);
        addText("Split sizes", of.splits);
        addNumber("Sequence number", of.number);
    }

    const ShownProfile &m_shown;
    const Profile &m_profile;
    ByteUnit m_unit;
    std::vector<EventFact> m_facts;
};

} // namespace

std::vector<EventFact> eventFacts(const ShownProfile &shown, const ProfileEventId &event,
                                  ByteUnit unit)
{
    Facts facts(shown, unit);
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
        const TimedEvents ranges = eventsOf(shown.profile, event.kind);
        facts.addTimes(ranges.start[event.row], ranges.end[event.row]);
        break;
    }
    }
    return facts.take();
}

std::string workKindText(const WorkGroup &group)
{
    return std::string(textOf(group.workClass)) +
           (group.family == WorkFamily::None ? "" : ", " + std::string(textOf(group.family)));
}

} // namespace vramscope
