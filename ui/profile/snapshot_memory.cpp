// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/snapshot_memory.h"

#include "core/analysis/replayed/usage_curve.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

/// µs of the year 2001: clocks that count from a start of their own stand before it.
constexpr std::int64_t kWallClock = 1'000'000'000'000'000;

Error apart(const char *why)
{
    return {ErrorCode::OtherContent, why};
}

/// From the last event before the recording to the last one within it.
ProfileMemoryCurves curvesOf(const Study &study, const ProfileDocument &document)
{
    const std::span<const std::int64_t> times = study.times();
    const std::int64_t base = document.profile->base();
    const auto isBefore = [&](std::int64_t time) { return time * 1000 - base <= document.origin; };
    const auto isWithin = [&](std::int64_t time) { return time * 1000 - base <= document.end; };
    const auto first = std::ranges::partition_point(times, isBefore) - times.begin();
    const auto last = std::ranges::partition_point(times, isWithin) - times.begin();
    const bool hasReserved = study.curve().isReservedKnown();
    std::vector<std::int64_t> at;
    std::vector<Bytes> active;
    std::vector<Bytes> reserved;
    for (std::ptrdiff_t event = first - 1; event < last; ++event) {
        if (event < 0)
            continue;
        const auto index = static_cast<EventIndex>(event);
        at.push_back(
            std::max(times[static_cast<std::size_t>(event)] * 1000 - base, document.origin));
        active.push_back(study.curve().active(index));
        if (hasReserved)
            reserved.push_back(study.curve().reserved(index));
    }
    ProfileMemoryCurves curves;
    curves.source = ProfileMemoryCurves::Source::Snapshot;
    curves.ordinal = study.device().device;
    curves.isHost = study.device().host;
    curves.label = curves.isHost ? "cpu" : "cuda:" + std::to_string(curves.ordinal);
    if (hasReserved)
        curves.reserved = {at, std::move(reserved)};
    curves.allocated = {std::move(at), std::move(active)};
    return curves;
}

} // namespace

Result<std::vector<ProfileMemoryCurves>> memoryDuring(const ProfileDocument &document,
                                                      const TraceDocument &snapshot)
{
    const std::int64_t base = document.profile->base();
    if (document.origin / 1000 + base / 1000 < kWallClock)
        return apart("The times of the profiler trace do not count from 1970, so that no snapshot "
                     "can be laid over it; record with PyTorch 2.0 or later.");
    std::vector<ProfileMemoryCurves> memory;
    bool hasTimes = false;
    for (const std::shared_ptr<const Study> &study : snapshot.devices) {
        if (!study->hasHistory() || study->times().empty() || study->times().front() < kWallClock)
            continue;
        hasTimes = true;
        const bool meet = study->times().front() * 1000 - base <= document.end &&
                          study->times().back() * 1000 - base >= document.origin;
        if (meet)
            memory.push_back(curvesOf(*study, document));
    }
    if (!hasTimes)
        return apart("The snapshot states no times of its events; record it with "
                     "torch.cuda.memory._record_memory_history() of PyTorch 2.1 or later.");
    if (memory.empty())
        return apart("The snapshot was recorded at another time than the profiler trace; record "
                     "both in the same run.");
    return memory;
}

Result<ProfilePointer> laidOver(const ProfileDocument &document,
                                std::shared_ptr<const TraceDocument> snapshot,
                                const Progress &progress, QStringList files)
{
    if (const auto memory = memoryDuring(document, *snapshot); !memory)
        return memory.error();
    ProfileAnalysis how = document.analysis();
    how.snapshot = std::move(snapshot);
    how.files = std::move(files);
    ProfilePointer over = analyse(document.profile, progress, std::move(how));
    if (!over)
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    return over;
}

} // namespace vramscope
