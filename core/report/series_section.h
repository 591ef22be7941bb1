// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/report.h"
#include "core/trace/series.h"

#include <string>
#include <vector>

namespace vramscope {

/// A recording that is curves over time, as one section of a report.
struct SeriesSubject
{
    const Series &series;
    std::string file;                ///< as it is shown
    std::size_t number = 1;          ///< of the section, which its pictures are known by
    std::string kind;                ///< "Log of nvidia-smi"
    std::vector<std::string> drawn;  ///< what the pictures "series0", "series1", … show
    std::vector<std::string> doubts; ///< anomalies of the recording, in sentences
};

/// The highest of its curves in one sentence, anomalies, the pictures, devices, the figures of
/// every curve, allocations that failed, and what the file says of itself.
void addSeriesSection(Report &report, const SeriesSubject &subject,
                      ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
