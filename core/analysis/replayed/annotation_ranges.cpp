// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/annotation_ranges.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace vramscope {

namespace {

// Matches starts and ends, which come in order of time.
class Matcher
{
public:
    void start(StringId name, EventIndex event)
    {
        m_open[name].push_back(m_ranges.size());
        m_ranges.push_back({name, event, kOpen, 0});
    }

    void end(StringId name, EventIndex event)
    {
        std::vector<std::size_t> &open = m_open[name];
        if (open.empty()) {
            m_ranges.push_back({name, -1, event, 0});
            return;
        }
        m_ranges[open.back()].last = event;
        open.pop_back();
    }

    std::vector<AnnotationRange> take(EventIndex count)
    {
        for (AnnotationRange &range : m_ranges) {
            if (range.last == kOpen)
                range.last = count;
        }
        return std::move(m_ranges);
    }

private:
    static constexpr EventIndex kOpen = -2;
    std::vector<AnnotationRange> m_ranges;
    std::unordered_map<StringId, std::vector<std::size_t>> m_open;
};

// PyTorch 2.4 keeps annotations among the events: one frame whose name is START or END and whose
// file is the name of the range.
void matchAmongEvents(const Trace &trace, const EventColumns &events, Matcher &matcher)
{
    for (EventIndex event = 0; event < events.count(); ++event) {
        const auto at = static_cast<std::size_t>(event);
        if (events.action[at] != Action::UserDefined)
            continue;
        const auto frames = trace.stack(events.stack[at]);
        if (frames.empty())
            continue;
        const Frame &frame = trace.frame(frames.front());
        if (trace.text(frame.name) == "START")
            matcher.start(frame.file, event);
        else if (trace.text(frame.name) == "END")
            matcher.end(frame.file, event);
    }
}

// Each range gets the lowest lane in which none overlaps it, in time n log n.
void assignLanes(std::vector<AnnotationRange> &ranges)
{
    std::ranges::stable_sort(ranges, [](const AnnotationRange &a, const AnnotationRange &b) {
        return a.first != b.first ? a.first < b.first : a.last > b.last;
    });
    // The smallest is on top: the range that ends first, the lowest free lane. As the ranges
    // ascend, a free lane stays free until it is taken.
    std::priority_queue<std::pair<EventIndex, int>, std::vector<std::pair<EventIndex, int>>,
                        std::greater<>>
        taken; // until when, and the lane
    std::priority_queue<int, std::vector<int>, std::greater<>> free;
    int lanes = 0;
    for (AnnotationRange &range : ranges) {
        for (; !taken.empty() && taken.top().first <= range.first; taken.pop())
            free.push(taken.top().second);
        if (free.empty())
            free.push(lanes++);
        range.lane = free.top();
        free.pop();
        taken.push({range.last, range.lane});
    }
}

} // namespace

std::vector<AnnotationRange> annotationRanges(const Trace &trace, const DeviceTrace &device)
{
    const EventColumns &events = device.events;
    Matcher matcher;
    matchAmongEvents(trace, events, matcher);
    if (!events.time.empty()) {
        std::vector<Annotation> marks;
        std::ranges::copy_if(trace.annotations(), std::back_inserter(marks),
                             [&](const Annotation &mark) {
                                 return mark.device == device.device && mark.time != kNoTime;
                             });
        std::ranges::stable_sort(marks, {}, &Annotation::time);
        for (const Annotation &mark : marks) {
            const auto at = std::ranges::lower_bound(events.time, mark.time);
            const auto event = static_cast<EventIndex>(at - events.time.begin());
            if (mark.start)
                matcher.start(mark.name, event);
            else
                matcher.end(mark.name, event);
        }
    }
    std::vector<AnnotationRange> ranges = matcher.take(events.count());
    assignLanes(ranges);
    return ranges;
}

} // namespace vramscope
