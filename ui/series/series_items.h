// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/series_section.h"
#include "ui/export/report_figure.h"
#include "ui/series/series_document.h"
#include "ui/stage/stage_item.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A recording of curves over time, as its page shows it.
struct StagedSeries
{
    std::shared_ptr<const SeriesDocument> document;
    std::optional<std::size_t> device; ///< index into its devices; none: the use of every device
    ByteUnit unit = ByteUnit::Binary;
};

/// What can be shown of it: the peaks, the curves, and those of every device, which are not shown
/// before somebody wants them. Of a recording without memory nothing.
[[nodiscard]] std::vector<StageItem> seriesItems(StagedSeries series);

using SeriesPointer = std::shared_ptr<const SeriesDocument>;

/// A recording of curves as a report's subject, with its pictures: one for all devices of a
/// monitored machine, else one each, as far as they fit.
[[nodiscard]] SeriesSubject seriesSubject(const SeriesPointer &series, const std::string &file,
                                          std::size_t number);
/// "series0-N", "series1-N", ….
[[nodiscard]] std::vector<ReportFigure> seriesFigures(const SeriesPointer &series,
                                                      std::size_t number, ByteUnit unit);

} // namespace vramscope
