// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/coverage.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

struct Stretch
{
    std::int64_t start;
    std::int64_t end;
};

/// The union of intervals that come by start; those that touch are one.
class UnionOf
{
public:
    void add(std::int64_t start, std::int64_t end)
    {
        if (end <= start)
            return;
        if (!m_stretches.empty() && start <= m_stretches.back().end)
            m_stretches.back().end = std::max(m_stretches.back().end, end);
        else
            m_stretches.push_back({start, end});
    }
    /// When it begins or ends next; the greatest number where it does no more.
    [[nodiscard]] std::int64_t next() const
    {
        if (m_at == m_stretches.size())
            return std::numeric_limits<std::int64_t>::max();
        return m_inside ? m_stretches[m_at].end : m_stretches[m_at].start;
    }
    void pass(std::int64_t time)
    {
        while (next() <= time && m_at < m_stretches.size()) {
            m_at += m_inside ? 1 : 0;
            m_inside = !m_inside;
        }
    }
    [[nodiscard]] bool inside() const { return m_inside; }

private:
    std::vector<Stretch> m_stretches;
    std::size_t m_at = 0;
    bool m_inside = false;
};

CoverKind coverOf(bool compute, bool communication, bool memory)
{
    if (compute)
        return communication ? CoverKind::Both : CoverKind::Compute;
    if (communication)
        return CoverKind::Communication;
    return memory ? CoverKind::Copies : CoverKind::Idle;
}

} // namespace

DeviceCover::DeviceCover(const Profile &profile, std::int64_t device,
                         std::span<const CoverClass> classes)
    : m_device(device)
{
    const WorkColumns &work = profile.work();
    std::array<UnionOf, 3> unions;
    bool any = false;
    std::int64_t first = 0;
    for (std::size_t at = 0; at < work.count(); ++at) {
        if (profile.lanes()[work.lane[at]].device != device)
            continue;
        first = any ? first : work.start[at];
        m_end = any ? std::max(m_end, work.end[at]) : work.end[at];
        any = true;
        unions[static_cast<std::size_t>(classes[at])].add(work.start[at], work.end[at]);
    }
    if (!any)
        return;
    change(first, CoverKind::Idle);
    for (;;) {
        const std::int64_t time = std::min({unions[0].next(), unions[1].next(), unions[2].next()});
        if (time == std::numeric_limits<std::int64_t>::max())
            break;
        for (UnionOf &of : unions)
            of.pass(time);
        change(time, coverOf(unions[0].inside(), unions[1].inside(), unions[2].inside()));
    }
}

void DeviceCover::change(std::int64_t time, CoverKind cover)
{
    if (!m_changes.empty() && m_changes.back() == time) {
        m_covers.back() = cover; // only the first is made before anything is known of it
        return;
    }
    if (!m_covers.empty() && m_covers.back() == cover)
        return;
    if (m_changes.size() % kBlock == 0) {
        CoverTimes sum{};
        const std::size_t before = m_changes.size();
        if (before > 0) {
            sum = m_sums.back();
            for (std::size_t at = before - kBlock; at < before; ++at)
                sum[static_cast<std::size_t>(m_covers[at])] +=
                    (at + 1 < before ? m_changes[at + 1] : time) - m_changes[at];
        }
        m_sums.push_back(sum);
    }
    m_changes.push_back(time);
    m_covers.push_back(cover);
}

CoverTimes DeviceCover::until(std::int64_t time) const
{
    const auto after = std::upper_bound(m_changes.begin(), m_changes.end(), time);
    const auto count = static_cast<std::size_t>(after - m_changes.begin());
    const std::size_t block = count == 0 ? 0 : (count - 1) / kBlock;
    CoverTimes sum = m_sums[block];
    for (std::size_t at = block * kBlock; at < count; ++at)
        sum[static_cast<std::size_t>(m_covers[at])] +=
            (at + 1 < count ? m_changes[at + 1] : time) - m_changes[at];
    return sum;
}

CoverTimes DeviceCover::within(std::int64_t from, std::int64_t to) const
{
    CoverTimes times{};
    if (to <= from)
        return times;
    if (!empty()) {
        const CoverTimes before = until(std::clamp(from, start(), m_end));
        times = until(std::clamp(to, start(), m_end));
        for (std::size_t at = 0; at < kCoverCount; ++at)
            times[at] -= before[at];
    }
    std::int64_t known = 0;
    for (const std::int64_t time : times)
        known += time;
    times[static_cast<std::size_t>(CoverKind::Idle)] += (to - from) - known;
    return times;
}

std::optional<std::int64_t> DeviceCover::changeAfter(std::int64_t time) const
{
    const auto after = std::upper_bound(m_changes.begin(), m_changes.end(), time);
    return after == m_changes.end() ? std::nullopt : std::optional(*after);
}

CoverKind DeviceCover::at(std::int64_t time) const
{
    const auto after = std::upper_bound(m_changes.begin(), m_changes.end(), time);
    if (after == m_changes.begin())
        return CoverKind::Idle;
    return m_covers[static_cast<std::size_t>(after - m_changes.begin()) - 1];
}

TimeCurve::TimeCurve(std::vector<std::int64_t> times, std::vector<std::int64_t> values)
    : m_times(std::move(times))
    , m_values(std::move(values))
    , m_highest(m_values)
{
}

std::optional<std::size_t> TimeCurve::highest(std::int64_t from, std::int64_t to) const
{
    const auto next = std::upper_bound(m_times.begin(), m_times.end(), from);
    const auto end = std::lower_bound(next, m_times.end(), to);
    auto first = static_cast<std::size_t>(next - m_times.begin());
    const auto last = static_cast<std::size_t>(end - m_times.begin());
    first -= first > 0 ? 1 : 0; // what stood before still stands
    return first < last ? std::optional(m_highest.argMax(first, last)) : std::nullopt;
}

std::optional<std::int64_t> TimeCurve::at(std::int64_t time) const
{
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), time);
    if (after == m_times.begin())
        return std::nullopt;
    return m_values[static_cast<std::size_t>(after - m_times.begin()) - 1];
}

std::optional<std::size_t> TimeCurve::peak() const
{
    return empty() ? std::nullopt : std::optional(m_highest.argMax(0, m_values.size()));
}

std::vector<std::int64_t> devicesOf(const Profile &profile)
{
    std::set<std::int64_t> devices;
    for (const ProfileLane &lane : profile.lanes())
        devices.insert(lane.device);
    return {devices.begin(), devices.end()};
}

TimeCurve queueLength(const Profile &profile, std::int64_t device, const Tick &tick)
{
    const WorkColumns &work = profile.work();
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    for (std::size_t at = 0; at < work.count(); ++at) {
        if (work.call[at] == kNoRow || profile.lanes()[work.lane[at]].device != device)
            continue;
        const std::int64_t called = profile.calls().start[work.call[at]];
        if (called > work.start[at])
            continue;
        changes.emplace_back(called, 1);
        changes.emplace_back(work.start[at], -1);
    }
    if (!sortInSteps(
            changes, [](const auto &a, const auto &b) { return a.first < b.first; }, tick))
        return {};
    std::vector<std::int64_t> times;
    std::vector<std::int64_t> values;
    std::int64_t length = 0;
    for (std::size_t at = 0; at < changes.size(); ++at) {
        length += changes[at].second;
        if (at + 1 < changes.size() && changes[at + 1].first == changes[at].first)
            continue;
        times.push_back(changes[at].first);
        values.push_back(length);
    }
    return {std::move(times), std::move(values)};
}

} // namespace vramscope
