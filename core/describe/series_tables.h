// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "core/trace/series.h"

#include <string>
#include <vector>

namespace vramscope {

/// A time of a device after its first sample: "12.4 ms".
[[nodiscard]] std::string sinceStart(const SeriesDevice &device, std::int64_t time);

/// The curves of devices, each with at least one sample, a row a curve; times are after the first
/// sample of all. A row leads to its highest sample: `Target::kind` is the place of the device,
/// `at` that of the sample. "at" joins "after" and "operation".
[[nodiscard]] DataTable curvesTable(const Series &series,
                                    const std::vector<const SeriesDevice *> &devices);
/// Facts that a file has about itself, those that people can read.
[[nodiscard]] DataTable factsTable(const Series &series);

} // namespace vramscope
