// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_scene.h"

#include "ui/support/parts.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"

#include <algorithm>
#include <functional>

namespace vramscope {

namespace {

// Below this share of the device a curve would be indistinguishable from zero.
constexpr Bytes kSmallestShare = 20;

// The size is a limit, and the free memory follows from the used memory.
bool isDrawn(CurveRole role, const SeriesDevice &device)
{
    return role != CurveRole::DeviceTotal &&
           (role != CurveRole::DeviceFree || !device.curve(CurveRole::DeviceUsed));
}

QRgb seriesColor(std::size_t index)
{
    return seriesColors()[index % kSeriesColorCount];
}

// The categories of the profiler have the colours that a plan's have.
QRgb colorOf(const ByteCurve &curve, std::size_t index)
{
    if (curve.role != CurveRole::Category)
        return seriesColor(index);
    static const std::pair<std::string_view, QColor> kCategories[] = {
        {"parameter", categoryColor(Category::Parameters)},
        {"gradient", categoryColor(Category::Gradients)},
        {"optimizer_state", categoryColor(Category::OptimizerStates)},
        {"activation", categoryColor(Category::Activations)},
        {"input", categoryColor(Category::Inputs)},
        {"temporary", categoryColor(Category::TemporaryBuffers)},
        {"autograd_detail", categoryColor(Category::Communication)},
        {"unknown", categoryColor(Category::Unknown)}};
    for (const auto &[name, color] : kCategories) {
        if (curve.name == name)
            return color.rgb();
    }
    return seriesColor(index);
}

/// The curve of a device's memory in use, or null.
const SampleCurve *usedBy(const DeviceSamples &device)
{
    const auto &bytes = device.recorded->bytes;
    const auto used = std::ranges::find(bytes, CurveRole::DeviceUsed, &ByteCurve::role);
    return used == bytes.end()
               ? nullptr
               : device.curves[static_cast<std::size_t>(used - bytes.begin())].get();
}

} // namespace

SeriesScene::SeriesScene(const SeriesDocument &document, std::optional<std::size_t> device)
{
    if (device)
        addDevice(document.devices[*device]);
    else
        addAll(document);
    for (const SceneCurve &curve : m_curves) {
        const auto highest = curve.samples->highest(0, curve.samples->count() - 1);
        m_highest = std::max(m_highest, highest ? curve.samples->at(*highest) : 0);
    }
}

void SeriesScene::addDevice(const DeviceSamples &device)
{
    m_device = &device;
    const std::vector<ByteCurve> &bytes = device.recorded->bytes;
    const bool stacked = device.recorded->curve(CurveRole::Category) != nullptr;
    std::size_t filled = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const ByteCurve &curve = bytes[at];
        if (!isDrawn(curve.role, *device.recorded))
            continue;
        const bool sum = stacked && curve.role == CurveRole::Allocated;
        const bool first =
            curve.role == CurveRole::Allocated || curve.role == CurveRole::DeviceUsed;
        const auto look = curve.role == CurveRole::Category ? SceneCurve::Look::Band
                          : first && !sum && filled++ == 0  ? SceneCurve::Look::Filled
                                                            : SceneCurve::Look::Line;
        if (first)
            m_main = m_curves.size();
        m_curves.push_back({toQString(curve.name), sum ? 0U : colorOf(curve, m_curves.size()), look,
                            &device, device.curves[at].get(),
                            !sum}); // the sum is the edge of its bands
    }
    m_times.assign(device.times.microseconds().begin(), device.times.microseconds().end());
    m_limit = std::max(device.recorded->total, Bytes(0));
}

void SeriesScene::leaveOut(const SeriesDocument &document)
{
    std::vector<std::pair<Bytes, const DeviceSamples *>> byHighest;
    for (const DeviceSamples &device : document.devices) {
        const SampleCurve *samples = usedBy(device);
        const auto highest = samples ? samples->highest(0, samples->count() - 1) : std::nullopt;
        byHighest.emplace_back(highest ? samples->at(*highest) : -1, &device);
    }
    std::ranges::stable_sort(byHighest, std::greater(),
                             &std::pair<Bytes, const DeviceSamples *>::first);
    for (std::size_t at = kMostTogether; at < byHighest.size(); ++at)
        m_leftOut.insert(byHighest[at].second);
}

void SeriesScene::addAll(const SeriesDocument &document)
{
    if (document.devices.size() > kMostTogether)
        leaveOut(document);
    std::optional<Bytes> most;
    for (const DeviceSamples &device : document.devices) {
        const SampleCurve *samples = usedBy(device);
        if (!samples || hasLeftOut(device))
            continue;
        const auto highest = samples->highest(0, samples->count() - 1);
        if (highest && (!most || samples->at(*highest) > *most)) {
            most = samples->at(*highest);
            m_main = m_curves.size();
        }
        m_curves.push_back({toQString(device.recorded->label), seriesColor(m_curves.size()),
                            SceneCurve::Look::Line, &device, samples, true});
        const auto times = device.times.microseconds();
        m_times.insert(m_times.end(), times.begin(), times.end());
        const Bytes total = device.recorded->total;
        if (total > 0)
            m_limit = m_limit == 0 ? total : std::min(m_limit, total);
    }
    std::ranges::sort(m_times);
    m_times.erase(std::unique(m_times.begin(), m_times.end()), m_times.end());
}

bool SeriesScene::showsLimit() const
{
    return m_limit > 0 && m_highest >= m_limit / kSmallestShare;
}

Range SeriesScene::wholeBytes() const
{
    const Bytes highest =
        std::max({m_highest, showsLimit() ? m_limit : 0, Bytes(TimelineState::kFewestBytes)});
    return {0, std::min(static_cast<double>(highest) * 1.08, kMostBytes)};
}

EventAxis SeriesScene::axis() const
{
    return {static_cast<EventIndex>(m_times.size()), m_times, EventAxis::Kind::Time};
}

std::int64_t SeriesScene::timeOf(EventIndex event) const
{
    const auto last = static_cast<EventIndex>(m_times.size()) - 1;
    return m_times[static_cast<std::size_t>(std::clamp(event, EventIndex(0), last))] - start();
}

EventIndex SeriesScene::eventOf(const DeviceSamples &device, std::size_t sample) const
{
    const auto times = device.times.microseconds();
    if (times.size() == m_times.size()) // alone: also among samples at one instant
        return static_cast<EventIndex>(sample);
    const auto at = std::ranges::lower_bound(m_times, times[sample]);
    return static_cast<EventIndex>(at - m_times.begin());
}

} // namespace vramscope
