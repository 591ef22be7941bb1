// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phases.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace vramscope {

namespace {

// Code of PyTorch that the autograd engine calls: outermost in a stack of the engine's own thread,
// but never in that of a program.
constexpr std::array<std::string_view, 5> kCalledByEngine{
    "/torch/autograd/function.py", "/torch/utils/checkpoint.py", "/torch/distributed/fsdp/",
    "/torch/utils/hooks.py", "/torch/_functorch/"};

bool isOfPass(Phase phase)
{
    return phase == Phase::Forward || phase == Phase::Backward || phase == Phase::Optimizer;
}

bool hasPython(const Trace &trace)
{
    for (std::size_t frame = 0; frame < trace.frameCount(); ++frame) {
        if (trace.text(trace.frame(static_cast<FrameId>(frame)).file).ends_with(".py"))
            return true;
    }
    return false;
}

bool isCalledByEngine(const Trace &trace, StackId stack)
{
    const std::span<const FrameId> frames = trace.stack(stack);
    if (frames.empty())
        return false;
    std::string path(trace.text(trace.frame(frames.back()).file));
    std::ranges::replace(path, '\\', '/');
    return std::ranges::any_of(kCalledByEngine, [&](std::string_view part) {
        return path.find(part) != std::string::npos;
    });
}

} // namespace

Phases::Phases(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
               StackRules &rules)
    : m_trace(trace)
    , m_hasPython(hasPython(trace))
    , m_ofStack(trace.stackCount() + 1, Phase::Unknown)
{
    for (std::size_t stack = 1; stack < m_ofStack.size(); ++stack) {
        m_ofStack[stack] = ofStack(static_cast<StackId>(stack), rules);
        m_trains =
            m_trains || m_ofStack[stack] == Phase::Backward || m_ofStack[stack] == Phase::Optimizer;
    }
    findMade(allocations);
    findFreed(device, allocations, rules);
}

Phase Phases::ofStack(StackId stack, StackRules &rules)
{
    const Phase phase = rules.phaseOf(stack);
    return phase != Phase::Optimizer && isCalledByEngine(m_trace, stack) ? Phase::Backward : phase;
}

void Phases::findMade(const Allocations &allocations)
{
    const auto count = static_cast<std::size_t>(allocations.count());
    m_made.reserve(count);
    m_before.reserve(count);
    Phase last = Phase::Unknown;
    for (std::size_t each = 0; each < count; ++each) {
        const StackId stack = allocations.stack[each];
        const bool isBorn = allocations.birth[each] >= 0;
        const bool isBlank = isBorn && stack == StackId::None && m_hasPython && m_trains;
        const Phase phase = isBlank ? Phase::Backward : m_ofStack[static_cast<std::size_t>(stack)];
        m_made.push_back(phase);
        m_before.push_back(last);
        if (!isBorn || !isOfPass(phase))
            continue;
        last = phase;
        m_events[static_cast<std::size_t>(phase)].push_back(allocations.birth[each]);
    }
    m_after.resize(count);
    Phase next = Phase::Unknown;
    for (std::size_t each = count; each-- > 0;) {
        m_after[each] = next;
        if (allocations.birth[each] >= 0 && isOfPass(m_made[each]))
            next = m_made[each];
    }
}

/// A free without a stack is of the thread without Python where other frees have stacks; else it
/// happens in the phase of the allocations around it.
void Phases::findFreed(const DeviceTrace &device, const Allocations &allocations, StackRules &rules)
{
    const EventIndex end = device.events.count();
    const auto count = static_cast<std::size_t>(allocations.count());
    m_freed.assign(count, Phase::Unknown);
    m_zeroed.assign(count, false);
    m_afterBackward.assign(count, false);
    std::vector<StackId> stacks(count, StackId::None);
    bool areRecorded = false;
    for (std::size_t each = 0; each < count; ++each) {
        if (allocations.death[each] < end)
            stacks[each] = allocations.freeStack(device, static_cast<AllocationIndex>(each));
        areRecorded = areRecorded || stacks[each] != StackId::None;
    }
    m_recordsFrees = areRecorded;
    std::vector<Mark> marks;
    for (std::size_t each = 0; each < count; ++each) {
        const EventIndex death = allocations.death[each];
        if (allocations.birth[each] >= 0 && m_made[each] == Phase::Optimizer)
            marks.push_back({allocations.birth[each], allocations.stack[each],
                             rules.isZeroGrad(allocations.stack[each])});
        if (death >= end)
            continue;
        if (stacks[each] != StackId::None) {
            m_freed[each] = m_ofStack[static_cast<std::size_t>(stacks[each])];
            m_zeroed[each] = rules.isZeroGrad(stacks[each]);
        } else if (areRecorded && m_hasPython && m_trains) {
            m_freed[each] = Phase::Backward;
        } else if (const AllocationIndex next = allocations.firstBornAfter(death); next > 0) {
            const bool isLast = next >= allocations.count();
            const Phase before = m_made[at(next) - 1];
            const Phase after = isLast ? Phase::Unknown : m_made[at(next)];
            m_freed[each] = before == after ? before : Phase::Unknown;
            m_afterBackward[each] =
                !areRecorded && before == Phase::Backward && after != Phase::Backward;
        }
        if (m_freed[each] == Phase::Optimizer && stacks[each] != StackId::None)
            marks.push_back({death, stacks[each], m_zeroed[each]});
    }
    std::ranges::sort(marks, {}, &Mark::event);
    std::vector<EventIndex> &events = m_events[static_cast<std::size_t>(Phase::Optimizer)];
    events.clear();
    for (const Mark &mark : marks) {
        if (!mark.zeroes || followsBackward(mark.event))
            events.push_back(mark.event);
    }
    const std::vector<Run> zeroing = runsOf(marks, true);
    m_runs = runsOf(marks, false);
    if (zeroing.size() >= 2 * std::max<std::size_t>(m_runs.size(), 1))
        m_runs = zeroing;
}

/// zero_grad() may run between forward and backward, where no step ends.
bool Phases::followsBackward(EventIndex event) const
{
    const auto lastOf = [&](Phase phase) {
        const std::vector<EventIndex> &events = m_events[static_cast<std::size_t>(phase)];
        const auto after = std::ranges::lower_bound(events, event);
        return after == events.begin() ? EventIndex(-1) : *std::prev(after);
    };
    return lastOf(Phase::Backward) > lastOf(Phase::Forward);
}

std::vector<Phases::Run> Phases::runsOf(const std::vector<Mark> &marks, bool zeroes) const
{
    std::vector<Run> runs;
    for (const Mark &mark : marks) {
        if (mark.zeroes != zeroes)
            continue;
        const bool goesOn = !runs.empty() && !any(Phase::Forward, runs.back().last, mark.event) &&
                            !any(Phase::Backward, runs.back().last, mark.event);
        if (goesOn)
            runs.back().last = mark.event;
        else
            runs.push_back({mark.event, mark.event, mark.stack});
    }
    return runs;
}

EventIndex Phases::nextOf(Phase phase, EventIndex after) const
{
    const std::vector<EventIndex> &events = m_events[static_cast<std::size_t>(phase)];
    const auto found = std::ranges::upper_bound(events, after);
    return found == events.end() ? std::numeric_limits<EventIndex>::max() : *found;
}

bool Phases::any(Phase phase, EventIndex first, EventIndex last) const
{
    return nextOf(phase, first) < last;
}

} // namespace vramscope
