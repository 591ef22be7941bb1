// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/event_axis.h"

namespace vramscope {

namespace {

constexpr double kLead = 0.004; // share of the span shown before and after

} // namespace

EventAxis::EventAxis(EventIndex count, std::span<const std::int64_t> times, Kind kind)
    : m_count(count)
    , m_times(times)
    , m_kind(times.empty() ? Kind::Event : kind)
{
}

Range EventAxis::whole() const
{
    if (m_kind == Kind::Event)
        return {-1, static_cast<double>(m_count)};
    const double span = timeAt(m_count - 1);
    const double lead = std::max(1.0, span * kLead);
    return {-lead, span + lead};
}

double EventAxis::start(EventIndex event) const
{
    if (m_kind == Kind::Event)
        return event;
    return event < 0 ? whole().low : timeAt(std::min(event, m_count - 1));
}

double EventAxis::mark(EventIndex event) const
{
    return m_kind == Kind::Event ? event + 0.5 : start(event);
}

EventIndex EventAxis::eventAt(double x) const
{
    if (m_kind == Kind::Event)
        return static_cast<EventIndex>(std::clamp(std::floor(x), -1.0, m_count - 1.0));
    const auto after = std::ranges::upper_bound(m_times, x, {}, [this](std::int64_t time) {
        return static_cast<double>(time - m_times[0]);
    });
    return static_cast<EventIndex>(after - m_times.begin()) - 1;
}

EventSpan EventAxis::column(const LinearScale &scale, int column) const
{
    const double left = scale.toValue(column);
    const double right = scale.toValue(column + 1);
    if (m_kind == Kind::Event) {
        const EventIndex first = eventAt(left);
        const double last = std::clamp(std::ceil(right) - 1, -1.0, m_count - 1.0);
        return {first, std::max(first, static_cast<EventIndex>(last))};
    }
    const EventIndex before = lastBefore(left);
    const bool begins = before + 1 < m_count && timeAt(before + 1) == left;
    const EventIndex first = begins ? before + 1 : before;
    return {first, std::max(first, lastBefore(right))};
}

EventIndex EventAxis::lastBefore(double x) const
{
    const auto from = std::ranges::lower_bound(m_times, x, {}, [this](std::int64_t time) {
        return static_cast<double>(time - m_times[0]);
    });
    return static_cast<EventIndex>(from - m_times.begin()) - 1;
}

} // namespace vramscope
