// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/series_story.h"

#include "core/analysis/curves/series_metrics.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/describe/series_tables.h"

#include <optional>

namespace vramscope {

namespace {

/// The curve that tells how full a device is.
const ByteCurve *mainCurve(const SeriesDevice &device)
{
    for (const CurveRole role : {CurveRole::Allocated, CurveRole::DeviceUsed, CurveRole::Process}) {
        if (const ByteCurve *curve = device.curve(role))
            return curve;
    }
    return device.bytes.empty() ? nullptr : &device.bytes.front();
}

struct FullestCurve
{
    const SeriesDevice *device = nullptr;
    const ByteCurve *curve = nullptr;
    CurveMetrics<Bytes> figures;
};

/// The fullest device. The host counts only where it comes first.
std::optional<FullestCurve> fullestOf(const std::vector<const SeriesDevice *> &devices)
{
    std::optional<FullestCurve> found;
    for (const SeriesDevice *device : devices) {
        const ByteCurve *curve = mainCurve(*device);
        const auto figures = curve ? curveMetrics(curve->values) : std::nullopt;
        const bool isHost = device->kind == DeviceKind::Cpu;
        if (figures && (!found || (!isHost && figures->most > found->figures.most)))
            found = FullestCurve{device, curve, *figures};
    }
    return found;
}

} // namespace

Story seriesStory(const Series &series, ByteUnit unit, std::vector<const SeriesDevice *> devices)
{
    if (devices.empty())
        for (const SeriesDevice &device : series.devices())
            devices.push_back(&device);
    const auto highest = fullestOf(devices);
    if (!highest)
        return {"No memory was recorded."};
    const SeriesDevice &device = *highest->device;
    const Bytes most = highest->figures.most;
    const std::string bytes =
        device.total > 0 ? formatPartOf(most, device.total, unit) : formatBytes(most, unit);
    const std::string curve = " (" + printable(highest->curve->name) + ")";
    const std::int64_t at = device.time[highest->figures.mostAt];
    Story story;
    if (device.time.size() == 1)
        story.answer = printable(device.label) + " has " + bytes + " in use" + curve;
    else
        story.answer =
            printable(device.label) + " peaks at " + bytes + curve + ", " +
            (at == device.time.front() ? "at its first sample"
                                       : sinceStart(device, at) + " after its first sample");
    std::int64_t failed = 0;
    for (const SeriesDevice *each : devices)
        failed += std::ssize(each->failed);
    if (failed > 0) {
        story.findings.push_back({.kind = "failed",
                                  .tone = Tone::Bad,
                                  .title = counted(failed, "allocation") + " failed",
                                  .count = failed});
        story.answer += "; " + story.findings.front().title;
    }
    story.answer += '.';
    return story;
}

} // namespace vramscope
