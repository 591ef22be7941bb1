// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/memory_curves.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace vramscope {

std::uint32_t OperatorWalk::innermost(std::uint32_t thread, std::int64_t time)
{
    while (m_next < m_operators.count() &&
           std::tie(m_operators.thread[m_next], m_operators.start[m_next]) <=
               std::tie(thread, time))
        m_open = m_next++;
    if (m_open != kNoRow && m_operators.thread[m_open] != thread)
        m_open = kNoRow;
    while (m_open != kNoRow && m_operators.end[m_open] <= time)
        m_open = m_operators.parent[m_open];
    return m_open;
}

namespace {

struct Sample
{
    ProfileMemoryEvent event;
    std::size_t order = 0; // in the file
    StringId operation = StringId::Empty;
};

/// Numbers of c10::DeviceType; the label has the whole id, so that no two devices share one.
void nameDevice(SeriesDevice &device, std::int64_t type, std::int64_t id)
{
    struct Kind
    {
        std::int64_t type;
        DeviceKind kind;
        const char *name;
    };
    constexpr Kind kKinds[] = {
        {0, DeviceKind::Cpu, "cpu"},    {1, DeviceKind::Cuda, "cuda"},
        {6, DeviceKind::Hip, "hip"},    {12, DeviceKind::Xpu, "xpu"},
        {13, DeviceKind::Other, "mps"}, {20, DeviceKind::Other, "privateuse"}};
    const auto known = std::ranges::find(kKinds, type, &Kind::type);
    const bool isKnown = known != std::end(kKinds);
    device.kind = isKnown ? known->kind : DeviceKind::Other;
    device.label = isKnown ? known->name : "device type " + std::to_string(type);
    if (id != -1)
        device.label += ":" + std::to_string(id);
}

int narrowOrdinal(std::int64_t id)
{
    return id >= 0 && id <= std::numeric_limits<std::int16_t>::max() ? static_cast<int>(id) : -1;
}

std::int64_t idOf(const ProfileMemoryEvent &event)
{
    return event.deviceId == kNotStated ? -1 : event.deviceId;
}

std::int64_t orderOf(const ProfileMemoryEvent &event)
{
    return event.index == kNotStated ? 0 : event.index;
}

ProfileMemory peaksOf(std::span<const Sample> samples)
{
    const ProfileMemoryEvent &first = samples.front().event;
    ProfileMemory memory;
    memory.type = std::to_string(first.deviceType);
    memory.id = first.deviceId == kNotStated ? "None" : std::to_string(first.deviceId);
    Bytes sum = 0;
    for (const Sample &sample : samples) {
        const ProfileMemoryEvent &event = sample.event;
        if (event.failed)
            continue;
        ++memory.events;
        sum = wrappingSum(sum, event.bytes);
        memory.peakRunning = std::max(memory.peakRunning, sum);
        memory.peakAllocated = std::max(memory.peakAllocated, event.allocated);
        memory.peakReserved = std::max(memory.peakReserved, event.reserved);
    }
    return memory;
}

/// What the file describes of a device that is none of the host.
void describe(SeriesDevice &device, const Profile &profile)
{
    if (device.kind == DeviceKind::Cpu || device.ordinal < 0)
        return;
    const auto described = std::ranges::find(profile.gpus(), device.ordinal, &ProfileGpu::id);
    if (described == profile.gpus().end())
        return;
    device.name = described->name.value_or(std::string());
    device.total = described->memory == kNotStated ? kNoBytes : described->memory;
}

/// The changes of one device as curves.
bool addCurves(SeriesBuilder &curves, std::span<const Sample> samples, const Profile &profile,
               const Tick &tick)
{
    SeriesDevice device;
    const std::int64_t id = idOf(samples.front().event);
    device.ordinal = narrowOrdinal(id);
    nameDevice(device, samples.front().event.deviceType, id);
    describe(device, profile);
    ByteCurve allocated{"allocated", CurveRole::Allocated, {}};
    ByteCurve reserved{"reserved", CurveRole::Reserved, {}};
    const auto anyStates = [&](std::int64_t ProfileMemoryEvent::*total) {
        return std::ranges::any_of(samples, [&](const Sample &one) {
            return !one.event.failed && one.event.*total != kNotStated;
        });
    };
    const bool hasTotals = anyStates(&ProfileMemoryEvent::allocated);
    const bool hasReserved = anyStates(&ProfileMemoryEvent::reserved);
    Bytes sum = 0;
    const bool isComplete = forEachInSteps(samples, tick, [&](const Sample &one) {
        const ProfileMemoryEvent &event = one.event;
        const std::int64_t time = wrappingSum(event.time, profile.base());
        if (event.failed) {
            device.failed.push_back(
                {time, event.bytes, event.allocated, event.reserved, one.operation});
            return;
        }
        sum = wrappingSum(sum, event.bytes);
        device.time.push_back(time);
        device.change.push_back(event.bytes);
        device.address.push_back(
            event.address == kNotStated ? 0 : static_cast<std::uint64_t>(event.address));
        device.operation.push_back(one.operation);
        allocated.values.push_back(hasTotals ? event.allocated : sum);
        if (hasReserved)
            reserved.values.push_back(event.reserved);
    });
    if (!isComplete)
        return false;
    if (!hasTotals && !device.time.empty())
        curves.addProblem("Memory events state no totals, as before PyTorch 1.9: allocated is "
                          "counted from the first event of " +
                          device.label + ".");
    device.bytes.push_back(std::move(allocated));
    if (hasReserved)
        device.bytes.push_back(std::move(reserved));
    curves.addDevice(std::move(device));
    return true;
}

/// The samples by thread and time, each with its operator.
bool nameOperators(SeriesBuilder &curves, std::vector<Sample> &samples, const Profile &profile,
                   const Tick &tick)
{
    const auto byThread = [](const Sample &a, const Sample &b) {
        return std::tie(a.event.thread, a.event.time) < std::tie(b.event.thread, b.event.time);
    };
    if (!sortInSteps(samples, byThread, tick))
        return false;
    const OperatorColumns &operators = profile.operators();
    OperatorWalk walk(operators);
    return forEachInSteps(samples, tick, [&](Sample &sample) {
        const std::uint32_t row = walk.innermost(sample.event.thread, sample.event.time);
        if (row != kNoRow)
            sample.operation = curves.internText(profile.text(operators.name[row]));
    });
}

} // namespace

std::optional<std::vector<ProfileMemory>> addMemoryCurves(SeriesBuilder &curves,
                                                          std::vector<ProfileMemoryEvent> events,
                                                          const Profile &profile, const Tick &tick)
{
    static_assert(kNotStated == kNoBytes);
    std::vector<Sample> samples;
    samples.reserve(events.size());
    for (ProfileMemoryEvent &event : events)
        samples.push_back({event, samples.size()});
    events = {};
    const auto byDevice = [](const Sample &a, const Sample &b) {
        const auto key = [](const Sample &one) {
            return std::tuple(one.event.deviceType, idOf(one.event), one.event.time,
                              orderOf(one.event), one.order);
        };
        return key(a) < key(b);
    };
    if (!sortInSteps(samples, byDevice, tick) || !nameOperators(curves, samples, profile, tick) ||
        !sortInSteps(samples, byDevice, tick))
        return {};
    std::vector<ProfileMemory> memory;
    for (std::size_t first = 0; first < samples.size();) {
        const auto isOther = [&](const Sample &one) {
            return one.event.deviceType != samples[first].event.deviceType ||
                   idOf(one.event) != idOf(samples[first].event);
        };
        const auto rest = std::span(samples).subspan(first);
        const auto count =
            static_cast<std::size_t>(std::ranges::find_if(rest, isOther) - rest.begin());
        if (const ProfileMemory peaks = peaksOf(rest.first(count)); peaks.events > 0)
            memory.push_back(peaks);
        if (!addCurves(curves, rest.first(count), profile, tick))
            return {};
        first += count;
    }
    return memory;
}

} // namespace vramscope
