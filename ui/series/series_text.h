// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/series/series_scene.h"

#include <QStringList>

namespace vramscope {

/// "Memory timeline", "Log of nvidia-smi"
[[nodiscard]] QString formatTitle(const Series &series);
/// "cuda:0 · NVIDIA H100 80GB HBM3"
[[nodiscard]] QString deviceTitle(const SeriesDevice &device);
/// What a scene tells: "GPU 0 peaks at 20.0 of 40.0 GiB (memory.used), 1.00 s after its first
/// sample."
[[nodiscard]] QString headlineText(const SeriesDocument &document, const SeriesScene &scene,
                                   ByteUnit unit);
/// "H100 · 2,250 samples · 32.6 ms · times in UTC": the recorded values of these devices.
[[nodiscard]] QString recordedText(const SeriesDocument &document, const SeriesScene &scene);
/// The anomalies of the recording, a sentence a line; empty without anomalies.
[[nodiscard]] QString problemsText(const Series &series);
/// Why a recording has nothing to draw, and how to record one that has.
[[nodiscard]] QString nothingText(const Series &series);
/// A sample in full: time, exact bytes of every curve of its device, other known values.
[[nodiscard]] QStringList sampleText(const Series &series, const SeriesScene &scene,
                                     const DeviceSamples &device, std::size_t sample,
                                     ByteUnit unit);

} // namespace vramscope
