// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/compare/comparison.h"
#include "ui/export/report_figure.h"

#include <QString>

#include <memory>
#include <vector>

namespace vramscope {

/// Of a device that study() was made of: "active-N", "bands-N", "stacks-N" and "state-N", as far as
/// the recording has them.
[[nodiscard]] std::vector<ReportFigure> traceFigures(const ComparedTrace &trace, std::size_t number,
                                                     ByteUnit unit);

/// "traces-0": two and more on one axis, with their legend; none where too few have a history.
[[nodiscard]] std::vector<ReportFigure> tracesFigures(const std::vector<ComparedTrace> &traces,
                                                      ByteUnit unit);

} // namespace vramscope
