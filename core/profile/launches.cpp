// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/launches.h"

#include "core/base/bytes.h"
#include "core/base/median.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

namespace {

/// "Memcpy" of cudaMemcpy, hipMemcpy and cuMemcpy; the whole name where it has none of these.
std::string_view withoutPrefix(std::string_view call)
{
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (call.starts_with(prefix))
            return call.substr(prefix.size());
    }
    return call;
}

} // namespace

bool waitsForDevice(std::string_view call)
{
    const std::string_view name = withoutPrefix(call);
    if (name.find("Synchronize") != name.npos)
        return true;
    const bool copies = name.starts_with("Memcpy") || name.starts_with("Memset");
    // hipMemcpyWithStream orders itself behind a stream and waits for it.
    return copies && name.find("Async") == name.npos;
}

bool mayBlock(std::string_view call)
{
    constexpr std::array<std::string_view, 12> kMemory{
        "Malloc",        "Free",     "MallocHost", "FreeHost", "HostAlloc",    "HostFree",
        "MallocManaged", "MemAlloc", "MemFree",    "MemMap",   "MemAllocHost", "MemUnmap"};
    std::string_view name = withoutPrefix(call);
    if (const std::size_t version = name.rfind("_v"); version != name.npos)
        name = name.substr(0, version); // cuMemAlloc_v2
    return waitsForDevice(call) || isOneOf(name, kMemory);
}

bool launchesGraph(std::string_view call)
{
    return call.find("GraphLaunch") != call.npos;
}

CallPurpose purposeOf(std::string_view call)
{
    const auto has = [&](std::string_view part) { return call.find(part) != call.npos; };
    if (has("Launch"))
        return CallPurpose::Launch;
    if (has("Memcpy") || has("Memset"))
        return CallPurpose::Copy;
    return has("Synchronize") ? CallPurpose::Wait : CallPurpose::Other;
}

std::vector<bool> callsThat(const Profile &profile, bool (*test)(std::string_view))
{
    enum class Known : std::uint8_t { Not, Yes, No };
    const CallColumns &calls = profile.calls();
    std::vector<Known> known(profile.textCount(), Known::Not);
    std::vector<bool> result(calls.count());
    for (std::size_t row = 0; row < calls.count(); ++row) {
        Known &name = known[static_cast<std::size_t>(calls.name[row])];
        if (name == Known::Not)
            name = test(profile.text(calls.name[row])) ? Known::Yes : Known::No;
        result[row] = name == Known::Yes;
    }
    return result;
}

namespace {

std::optional<DelayFigures> delayFigures(std::vector<std::int64_t> delays)
{
    if (delays.empty())
        return std::nullopt;
    DelayFigures figures;
    figures.count = static_cast<std::int64_t>(delays.size());
    for (const std::int64_t each : delays)
        figures.sum = wrappingSum(figures.sum, each);
    figures.most = *std::ranges::max_element(delays);
    figures.median = lowerMedian(std::move(delays));
    return figures;
}

std::vector<BlockingCalls> blockingCalls(const Profile &profile)
{
    const CallColumns &calls = profile.calls();
    const std::vector<bool> blocks = callsThat(profile, mayBlock);
    std::vector<BlockingCalls> rows;
    for (std::size_t call = 0; call < calls.count(); ++call) {
        if (!blocks[call])
            continue;
        // Few names block, so looking through them is quick.
        auto row = std::ranges::find(rows, calls.name[call], &BlockingCalls::name);
        if (row == rows.end()) {
            rows.push_back(
                {calls.name[call], 0, 0, 0, waitsForDevice(profile.text(calls.name[call]))});
            row = rows.end() - 1;
        }
        const std::int64_t time = wrappingDifference(calls.end[call], calls.start[call]);
        ++row->count;
        row->time = wrappingSum(row->time, time);
        row->longest = std::max(row->longest, time);
    }
    std::ranges::stable_sort(rows, std::ranges::greater(), &BlockingCalls::time);
    return rows;
}

/// A call that launched kernels one by one, and how long these ran.
struct KernelLaunch
{
    std::uint32_t call = 0;
    std::int64_t host = 0;
    std::int64_t work = 0;
};

std::vector<KernelLaunch> kernelLaunches(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    const CallColumns &calls = profile.calls();
    const std::vector<bool> isGraph = callsThat(profile, launchesGraph);
    std::vector<std::uint32_t> place(calls.count(), kNoRow);
    std::vector<KernelLaunch> launches;
    for (std::size_t row = 0; row < work.count(); ++row) {
        const std::uint32_t call = work.call[row];
        if (call == kNoRow || work.kind[row] != WorkKind::Kernel || isGraph[call])
            continue;
        if (place[call] == kNoRow) {
            place[call] = static_cast<std::uint32_t>(launches.size());
            launches.push_back({call, wrappingDifference(calls.end[call], calls.start[call]), 0});
        }
        std::int64_t &sum = launches[place[call]].work;
        sum = wrappingSum(sum, work.duration(row));
    }
    return launches;
}

/// A launch takes microseconds. One that takes 100 times the median, or 10 ms whatever the others
/// take, does something else than launching.
void addKernelLaunches(const Profile &profile, LaunchSummary &summary)
{
    constexpr std::int64_t kLeastSlow = 100'000; // ns
    constexpr std::int64_t kAlwaysSlow = 10'000'000;
    constexpr std::int64_t kTimesMedian = 100;
    const std::vector<KernelLaunch> launches = kernelLaunches(profile);
    std::vector<std::int64_t> times;
    times.reserve(launches.size());
    for (const KernelLaunch &each : launches)
        times.push_back(each.host);
    summary.medianLaunchTime = lowerMedian(std::move(times));
    const std::int64_t median = std::min(summary.medianLaunchTime, kAlwaysSlow / kTimesMedian);
    const std::int64_t usual = std::max(kLeastSlow, median * kTimesMedian);
    for (const KernelLaunch &each : launches) {
        if (each.host > usual) {
            summary.slowLaunches.push_back(each.call);
            summary.slowLaunchTime = wrappingSum(summary.slowLaunchTime, each.host);
        } else if (each.work < each.host) {
            ++summary.shortLaunches;
            summary.shortWorkTime = wrappingSum(summary.shortWorkTime, each.work);
            summary.shortCallTime = wrappingSum(summary.shortCallTime, each.host);
        }
    }
}

} // namespace

std::int64_t LaunchSummary::blockingTime() const
{
    std::int64_t sum = 0;
    for (const BlockingCalls &each : blocking)
        sum = wrappingSum(sum, each.time);
    return sum;
}

LaunchSummary summarizeLaunches(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    const CallColumns &calls = profile.calls();
    LaunchSummary summary;
    std::vector<std::int64_t> fromStart;
    std::vector<std::int64_t> fromEnd;
    fromStart.reserve(work.count());
    fromEnd.reserve(work.count());
    for (std::size_t row = 0; row < work.count(); ++row) {
        const std::uint32_t call = work.call[row];
        if (call == kNoRow) {
            ++summary.unlinked;
            continue;
        }
        ++summary.linked;
        const std::int64_t delay = wrappingDifference(work.start[row], calls.start[call]);
        summary.negative += delay < 0 ? 1 : 0;
        fromStart.push_back(delay);
        fromEnd.push_back(
            std::max(std::int64_t(0), wrappingDifference(work.start[row], calls.end[call])));
    }
    summary.fromCallStart = delayFigures(std::move(fromStart));
    summary.afterCallEnd = delayFigures(std::move(fromEnd));
    summary.blocking = blockingCalls(profile);
    addKernelLaunches(profile, summary);
    return summary;
}

} // namespace vramscope
