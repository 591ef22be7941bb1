// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_document.h"
#include "ui/timeline/event_axis.h"

#include <QRgb>
#include <QString>

#include <optional>
#include <unordered_set>
#include <vector>

namespace vramscope {

/// One curve as a scene draws it.
struct SceneCurve
{
    enum class Look {
        Line,
        Filled, ///< a line with a tint down to the ground
        Band,   ///< stacked on the bands before it
    };

    QString name; ///< "allocated", "GPU 3"
    QRgb color = 0;
    Look look = Look::Line;
    const DeviceSamples *device = nullptr;
    const SampleCurve *samples = nullptr;
    bool shown = true;
};

/// The curves that a chart draws together, on one time axis. The document outlives it.
class SeriesScene
{
public:
    /// With more devices than this, those with the highest use are drawn together.
    static constexpr std::size_t kMostTogether = 128;

    SeriesScene() = default;
    /// `device`: index into SeriesDocument::devices; none: the use of every device.
    SeriesScene(const SeriesDocument &document, std::optional<std::size_t> device);

    [[nodiscard]] bool valid() const { return !m_curves.empty(); }
    [[nodiscard]] const std::vector<SceneCurve> &curves() const { return m_curves; }
    void setShown(std::size_t curve, bool shown) { m_curves[curve].shown = shown; }
    /// The curve whose highest sample represents a time range, and the target of the key P.
    [[nodiscard]] const SceneCurve &main() const { return m_curves[m_main]; }
    /// The only device drawn; null if there are several.
    [[nodiscard]] const DeviceSamples *device() const { return m_device; }
    /// Devices of the document left out because there are too many.
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut.size(); }
    [[nodiscard]] bool hasLeftOut(const DeviceSamples &device) const
    {
        return m_leftOut.contains(&device);
    }
    /// The size of the device, or of the smallest of them; 0: unknown.
    [[nodiscard]] Bytes limit() const { return m_limit; }
    /// Whether the limit is near enough to the memory in use to be drawn to scale.
    [[nodiscard]] bool showsLimit() const;
    /// From zero to a little above the highest line, drawn or hidden.
    [[nodiscard]] Range wholeBytes() const;

    /// Every time at which one of the devices was sampled. Lives as long as the scene.
    [[nodiscard]] EventAxis axis() const;
    /// SampleTimes count from the document's origin, the axis from the first sample drawn: the
    /// origin of the axis in SampleTimes.
    [[nodiscard]] std::int64_t start() const { return m_times.front(); }
    /// On the axis; for the first event also the time before it.
    [[nodiscard]] std::int64_t timeOf(EventIndex event) const;
    /// The event of a sample of one of the devices.
    [[nodiscard]] EventIndex eventOf(const DeviceSamples &device, std::size_t sample) const;

private:
    void addDevice(const DeviceSamples &device);
    void addAll(const SeriesDocument &document);
    void leaveOut(const SeriesDocument &document);

    std::vector<SceneCurve> m_curves;
    std::size_t m_main = 0;
    const DeviceSamples *m_device = nullptr;
    std::unordered_set<const DeviceSamples *> m_leftOut;
    std::vector<std::int64_t> m_times;
    Bytes m_limit = 0;
    Bytes m_highest = 0;
};

} // namespace vramscope
