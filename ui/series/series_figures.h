// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/series_section.h"
#include "ui/export/report_figure.h"
#include "ui/series/series_document.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

using SeriesPointer = std::shared_ptr<const SeriesDocument>;

/// A recording of curves as a report's subject, with its pictures: one for all devices of a
/// monitored machine, else one each, as far as they fit.
[[nodiscard]] SeriesSubject seriesSubject(const SeriesPointer &series, const std::string &file,
                                          std::size_t number);
/// "series0-N", "series1-N", ….
[[nodiscard]] std::vector<ReportFigure> seriesFigures(const SeriesPointer &series,
                                                      std::size_t number, ByteUnit unit);

} // namespace vramscope
