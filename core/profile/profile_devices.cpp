// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_devices.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace vramscope {

namespace {

using Kept = std::vector<bool>;

/// The entries that are kept, in their order.
template<class Column>
Column filtered(const Column &column, const Kept &kept)
{
    Column result;
    for (std::size_t at = 0; at < column.size(); ++at) {
        if (kept[at])
            result.push_back(column[at]);
    }
    return result;
}

/// Leaves in each of the columns of a table what is kept of its rows.
template<class... Columns>
void keep(const Kept &kept, Columns &...columns)
{
    ((columns = filtered(columns, kept)), ...);
}

/// Where each kept row stands among the kept; kNoRow for the others.
std::vector<std::uint32_t> placesOf(const Kept &kept)
{
    std::vector<std::uint32_t> places(kept.size(), kNoRow);
    std::uint32_t next = 0;
    for (std::size_t at = 0; at < kept.size(); ++at) {
        if (kept[at])
            places[at] = next++;
    }
    return places;
}

void follow(std::vector<std::uint32_t> &rows, const std::vector<std::uint32_t> &places)
{
    for (std::uint32_t &row : rows)
        row = row == kNoRow ? kNoRow : places[row];
}

/// By device: the processes whose calls launched its work.
std::map<std::int64_t, std::set<std::string_view>> processesOf(const Profile &profile)
{
    std::map<std::int64_t, std::set<std::string_view>> all;
    std::set<std::pair<std::uint32_t, std::uint32_t>> met; // of lane and thread
    const WorkColumns &work = profile.work();
    for (std::size_t row = 0; row < work.count(); ++row) {
        auto &processes = all[profile.lanes()[work.lane[row]].device];
        if (work.call[row] == kNoRow)
            continue;
        const std::uint32_t thread = profile.calls().thread[work.call[row]];
        if (met.emplace(work.lane[row], thread).second)
            processes.insert(profile.threads()[thread].process);
    }
    return all;
}

bool isOnDevice(RangeKind kind)
{
    return kind == RangeKind::Device || kind == RangeKind::Sync;
}

} // namespace

/// Copies a profile and takes out what belongs to other devices.
class DeviceProfiles
{
public:
    static std::shared_ptr<const Profile> of(const Profile &whole, std::int64_t device,
                                             const std::set<std::string_view> &processes)
    {
        const std::shared_ptr<Profile> part(new Profile(whole));
        DeviceProfiles cut(whole, *part, device, processes);
        cut.takeOperators();
        cut.takeCalls();
        cut.takeWork();
        cut.takeRanges();
        cut.takeLanes();
        return part;
    }

private:
    DeviceProfiles(const Profile &whole, Profile &part, std::int64_t device,
                   const std::set<std::string_view> &processes)
        : m_whole(whole)
        , m_part(part)
        , m_device(device)
    {
        for (const ProfileThread &thread : whole.threads())
            m_threads.push_back(processes.contains(thread.process));
        for (const ProfileLane &lane : whole.lanes())
            m_lanes.push_back(lane.device == device);
    }

    [[nodiscard]] static Kept keptOf(const std::vector<std::uint32_t> &of, const Kept &which)
    {
        Kept kept;
        kept.reserve(of.size());
        for (const std::uint32_t row : of)
            kept.push_back(which[row]);
        return kept;
    }

    void takeOperators()
    {
        OperatorColumns &all = m_part.m_operators;
        const Kept kept = keptOf(all.thread, m_threads);
        m_operators = placesOf(kept);
        keep(kept, all.start, all.end, all.name, all.thread, all.parent, all.depth, all.forward,
             all.shapes, all.types, all.stack, all.module);
        follow(all.parent, m_operators);
        follow(all.forward.values(), m_operators);
    }

    void takeCalls()
    {
        CallColumns &all = m_part.m_calls;
        const Kept kept = keptOf(all.thread, m_threads);
        m_calls = placesOf(kept);
        keep(kept, all.start, all.end, all.name, all.thread, all.operation);
        follow(all.operation, m_operators);
    }

    void takeWork()
    {
        WorkColumns &all = m_part.m_work;
        const Kept kept = keptOf(all.lane, m_lanes);
        const std::vector<std::uint32_t> places = placesOf(kept);
        keep(kept, all.start, all.end, all.name, all.lane, all.kind, all.call, all.operation,
             all.shape, all.bytes, all.hasStream);
        follow(all.call, m_calls);
        follow(all.operation, m_operators);
        std::erase_if(m_part.m_collectives, [&](ProfileCollective &each) {
            each.work = places[each.work];
            return each.work == kNoRow;
        });
        StreamedColumns &streamed = m_part.m_streamed;
        follow(streamed.call, m_calls);
        Kept ofOurs;
        for (const std::uint32_t call : streamed.call)
            ofOurs.push_back(call != kNoRow);
        keep(ofOurs, streamed.start, streamed.end, streamed.name, streamed.call);
    }

    /// With them the steps: those that these processes mark.
    void takeRanges()
    {
        RangeColumns &all = m_part.m_ranges;
        Kept kept;
        std::vector<ProfilerStep> steps;
        for (std::size_t row = 0; row < all.count(); ++row) {
            kept.push_back(isOnDevice(all.kind[row]) ? m_lanes[all.thread[row]]
                                                     : m_threads[all.thread[row]]);
            constexpr std::string_view kStep = "ProfilerStep";
            if (kept.back() && all.kind[row] == RangeKind::User &&
                m_whole.text(all.name[row]).starts_with(kStep))
                steps.push_back({all.name[row], all.start[row], all.end[row]});
        }
        const std::vector<std::uint32_t> lanes = placesOf(m_lanes);
        keep(kept, all.start, all.end, all.name, all.kind, all.thread);
        for (std::size_t row = 0; row < all.count(); ++row) {
            if (isOnDevice(all.kind[row]))
                all.thread[row] = lanes[all.thread[row]];
        }
        if (steps.empty()) // of old files, which mark them as operators
            return;
        std::ranges::sort(steps, [](const ProfilerStep &a, const ProfilerStep &b) {
            return std::tie(a.start, a.name, a.end) < std::tie(b.start, b.name, b.end);
        });
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        m_part.m_steps = std::move(steps);
    }

    void takeLanes()
    {
        follow(m_part.m_work.lane, placesOf(m_lanes));
        keep(m_lanes, m_part.m_lanes);
        const std::string id = std::to_string(m_device);
        constexpr std::string_view kHost = "0"; // of c10::DeviceType
        std::erase_if(m_part.m_memory, [&](const ProfileMemory &each) {
            return each.type != kHost && each.id != id;
        });
        std::erase_if(m_part.m_gpus, [&](const ProfileGpu &each) { return each.id != m_device; });
    }

    const Profile &m_whole;
    Profile &m_part;
    std::int64_t m_device;
    Kept m_threads; // of the whole: threads stay as they are
    Kept m_lanes;
    std::vector<std::uint32_t> m_operators; // their places in the part
    std::vector<std::uint32_t> m_calls;
};

std::size_t drivingProcesses(const Profile &profile)
{
    std::set<std::string_view> all;
    for (const auto &[device, processes] : processesOf(profile))
        all.insert(processes.begin(), processes.end());
    return all.size();
}

std::vector<DeviceProfile> deviceProfiles(const Profile &profile)
{
    std::vector<DeviceProfile> all;
    for (const auto &[device, processes] : processesOf(profile))
        all.push_back({device,
                       DeviceProfiles::of(profile, device, processes),
                       {processes.begin(), processes.end()}});
    return all;
}

std::string DeviceProfile::title(bool withProcess) const
{
    std::string text = "GPU " + std::to_string(device);
    if (!withProcess || processes.empty())
        return text;
    text += processes.size() == 1 ? " of process " : " of processes ";
    constexpr std::size_t kMost = 3;
    for (std::size_t at = 0; at < std::min(processes.size(), kMost); ++at)
        text += (at == 0 ? "" : ", ") + processes[at];
    return text + (processes.size() > kMost ? " and others" : "");
}

} // namespace vramscope
