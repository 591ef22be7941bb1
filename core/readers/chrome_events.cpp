// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_events.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace vramscope::chrome {

namespace {

std::optional<SpanKind> spanKind(std::string_view category)
{
    if (category == "kernel" || category == "Kernel" || category == "concurrent_kernel")
        return SpanKind::Kernel;
    if (category == "gpu_memcpy" || category == "Memcpy")
        return SpanKind::Copy;
    if (category == "gpu_memset" || category == "Memset")
        return SpanKind::Fill;
    if (category == "user_annotation")
        return SpanKind::Annotation;
    if (category == "gpu_user_annotation")
        return SpanKind::DeviceAnnotation;
    return {};
}

std::int64_t sumOrEnd(std::int64_t time, std::int64_t duration)
{
    std::int64_t end = 0;
    return __builtin_add_overflow(time, duration, &end) ? std::numeric_limits<std::int64_t>::max()
                                                        : end;
}

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

} // namespace

void Event::clear()
{
    std::string keptCategory = std::move(category);
    std::string keptName = std::move(name);
    *this = Event();
    category = std::move(keptCategory);
    name = std::move(keptName);
    category.clear();
    name.clear();
}

void EventStore::add(const Event &event, std::int64_t offset)
{
    ++m_count;
    if (event.time != kNone && event.phase != 'M')
        m_someTime = event.time;
    if (event.phase == 'X') {
        if (event.time == kNone)
            return;
        if (event.category == "cpu_op" || event.category == "Operator")
            m_operators.push_back({event.time,
                                   sumOrEnd(event.time, std::max<std::int64_t>(event.duration, 0)),
                                   thread(event), m_builder.internText(event.name)});
        else if (const auto kind = spanKind(event.category))
            addSpan(event, *kind);
    } else if (event.phase == 'i' || event.phase == 'I') {
        if (event.name == "[memory]")
            addSample(event, false, offset);
        else if (event.name == "[OutOfMemory]")
            addSample(event, true, offset);
    }
}

void EventStore::addSample(const Event &event, bool failed, std::int64_t offset)
{
    if (event.time == kNone || event.bytes == kNone || event.deviceType == kNone) {
        m_builder.addProblem("A memory event lacks its time, bytes or device; it was left out.",
                             offset);
        return;
    }
    const std::int64_t id = event.deviceId == kNone ? -1 : event.deviceId;
    const auto device =
        m_devices.try_emplace({event.deviceType, id}, static_cast<std::uint32_t>(m_devices.size()));
    const std::int64_t order =
        event.index == kNone ? static_cast<std::int64_t>(m_samples.size()) : event.index;
    m_samples.push_back({event.time, order, event.bytes, event.address, event.allocated,
                         event.reserved, device.first->second, thread(event), StringId::Empty,
                         failed});
}

void EventStore::addSpan(const Event &event, SpanKind kind)
{
    Span span;
    span.start = event.time;
    span.duration = std::max<std::int64_t>(event.duration, 0);
    span.name = m_builder.internText(event.name);
    span.kind = kind;
    if (kind != SpanKind::Annotation) {
        const std::int64_t device = event.device == kNone ? event.process : event.device;
        span.device = static_cast<std::int16_t>(narrowOrdinal(device));
        span.stream = event.stream == kNone ? event.thread : event.stream;
        if (span.stream == kNone)
            span.stream = -1;
    }
    span.correlation = event.correlation == kNone ? -1 : event.correlation;
    m_spans.push_back(span);
}

std::uint32_t EventStore::thread(const Event &event)
{
    return m_threads
        .try_emplace({event.process, event.thread}, static_cast<std::uint32_t>(m_threads.size()))
        .first->second;
}

/// Both sorted by thread and time, the operators with the longer ones first: those that have begun
/// and not ended form a stack whose top is the innermost.
bool EventStore::findOperators(const Tick &tick)
{
    std::vector<const Operator *> open;
    std::size_t next = 0;
    std::uint32_t thread = 0;
    return forEachInSteps(m_samples, tick, [&](Sample &sample) {
        if (sample.thread != thread) {
            open.clear();
            thread = sample.thread;
        }
        for (; next < m_operators.size(); ++next) {
            const Operator &one = m_operators[next];
            if (std::tie(one.thread, one.start) > std::tie(sample.thread, sample.time))
                break;
            if (one.thread != sample.thread)
                continue;
            while (!open.empty() && open.back()->end < one.start)
                open.pop_back();
            open.push_back(&one);
        }
        while (!open.empty() && open.back()->end < sample.time)
            open.pop_back();
        if (!open.empty())
            sample.operation = open.back()->name;
    });
}

bool EventStore::finish(std::int64_t base, std::span<const DeviceDescription> descriptions,
                        const Tick &tick)
{
    const auto byThread = [](const Sample &a, const Sample &b) {
        return std::tie(a.thread, a.time) < std::tie(b.thread, b.time);
    };
    const auto outerFirst = [](const Operator &a, const Operator &b) {
        return std::tie(a.thread, a.start, b.end) < std::tie(b.thread, b.start, a.end);
    };
    const auto byDevice = [](const Sample &a, const Sample &b) {
        return std::tie(a.device, a.time, a.order) < std::tie(b.device, b.time, b.order);
    };
    const auto byStart = [](const Span &a, const Span &b) { return a.start < b.start; };
    if (!m_samples.empty() &&
        !(sortInSteps(m_operators, outerFirst, tick) && sortInSteps(m_samples, byThread, tick)))
        return false;
    if (!findOperators(tick))
        return false;
    m_operators = {};
    for (Sample &sample : m_samples)
        sample.time = wrappingSum(sample.time, base);
    for (Span &span : m_spans)
        span.start = wrappingSum(span.start, base);
    if (!sortInSteps(m_samples, byDevice, tick) || !sortInSteps(m_spans, byStart, tick))
        return false;

    std::vector<DeviceKey> keys(m_devices.size());
    for (const auto &[key, number] : m_devices)
        keys[number] = key;
    for (std::size_t first = 0; first < m_samples.size();) {
        const std::uint32_t number = m_samples[first].device;
        std::size_t last = first;
        while (last < m_samples.size() && m_samples[last].device == number)
            ++last;
        if (!addDevice(keys[number], std::span(m_samples).subspan(first, last - first),
                       descriptions, tick))
            return false;
        first = last;
    }
    return forEachInSteps(m_spans, tick, [this](const Span &span) { m_builder.addSpan(span); });
}

bool EventStore::addDevice(DeviceKey key, std::span<const Sample> samples,
                           std::span<const DeviceDescription> descriptions, const Tick &tick)
{
    SeriesDevice device;
    device.ordinal = narrowOrdinal(key.second);
    nameDevice(device, key.first, key.second);
    const auto described =
        std::ranges::find(descriptions, device.ordinal, &DeviceDescription::ordinal);
    if (described != descriptions.end() && device.kind != DeviceKind::Cpu && device.ordinal >= 0) {
        device.name = described->name;
        device.total = described->total;
    }
    ByteCurve allocated{"allocated", CurveRole::Allocated, {}};
    ByteCurve reserved{"reserved", CurveRole::Reserved, {}};
    const bool hasTotals = std::ranges::any_of(
        samples, [](const Sample &one) { return !one.failed && one.allocated != kNone; });
    const bool hasReserved = std::ranges::any_of(
        samples, [](const Sample &one) { return !one.failed && one.reserved != kNone; });
    Bytes sum = 0;
    const bool complete = forEachInSteps(samples, tick, [&](const Sample &one) {
        if (one.failed) {
            device.failed.push_back(
                {one.time, one.bytes, one.allocated, one.reserved, one.operation});
            return;
        }
        sum = wrappingSum(sum, one.bytes);
        device.time.push_back(one.time);
        device.change.push_back(one.bytes);
        device.address.push_back(one.address == kNone ? 0
                                                      : static_cast<std::uint64_t>(one.address));
        device.operation.push_back(one.operation);
        allocated.values.push_back(hasTotals ? one.allocated : sum);
        if (hasReserved)
            reserved.values.push_back(one.reserved);
    });
    if (!complete)
        return false;
    if (!hasTotals && !device.time.empty())
        m_builder.addProblem("Memory events state no totals, as before PyTorch 1.9: allocated is "
                             "counted from the first event of " +
                             device.label + ".");
    device.bytes.push_back(std::move(allocated));
    if (hasReserved)
        device.bytes.push_back(std::move(reserved));
    m_builder.addDevice(std::move(device));
    return true;
}

} // namespace vramscope::chrome
