// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/trace/trace_document.h"

#include <QPen>
#include <QString>

#include <limits>
#include <memory>
#include <vector>

namespace vramscope {

/// Stands for the device that a trace shows first.
inline constexpr std::size_t kMainDevice = std::numeric_limits<std::size_t>::max();

/// One of the recordings of a comparison: a device of an opened trace. While it is only asked for,
/// the document is null and the device may be kMainDevice.
struct ComparedTrace
{
    QString title; ///< "rank0.pickle"
    QString path;
    std::shared_ptr<const TraceDocument> document; ///< with at least one device
    std::size_t device = kMainDevice;              ///< index into its devices

    [[nodiscard]] const DeviceDocument &shown() const { return *document->devices[device]; }
};

/// What a tab of a comparison shows: two to kMostCompared recordings.
struct ComparisonDocument
{
    std::vector<ComparedTrace> traces;
};
inline constexpr std::size_t kMostCompared = 8;

/// "A", "B", …: the short name of a recording of a comparison, the same everywhere in it.
[[nodiscard]] QString letterOf(std::size_t trace);
/// "A  rank0.pickle", with the device where its recording holds several.
[[nodiscard]] QString titleOf(const ComparedTrace &trace, std::size_t at);
[[nodiscard]] QRgb colorOf(std::size_t trace);
/// Lengths of strokes and gaps in pixels; empty: drawn through. No two recordings have the same
/// colour and strokes, so that the lines are told apart without the colour too.
[[nodiscard]] const QList<double> &strokesOf(std::size_t trace);

} // namespace vramscope
