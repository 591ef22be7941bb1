// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/export/report_figure.h"
#include "ui/trace/device_study.h"

#include <QString>

#include <memory>
#include <vector>

namespace vramscope {

/// One device of a recording as a report shows it.
struct ReportedTrace
{
    std::shared_ptr<const TraceDocument> document;
    std::size_t device = 0; ///< index into its devices
    std::shared_ptr<const DeviceStudy> studied;
    QString file; ///< as it is shown

    [[nodiscard]] const DeviceDocument &shown() const { return *document->devices[device]; }
};
using ReportedTracePointer = std::shared_ptr<const ReportedTrace>;

/// "active-N", "bands-N", "stacks-N" and "state-N", as far as the recording has them.
[[nodiscard]] std::vector<ReportFigure> traceFigures(const ReportedTracePointer &trace,
                                                     std::size_t number, ByteUnit unit);

/// "traces-0": two and more on one axis, with their legend; none where too few have a history.
[[nodiscard]] std::vector<ReportFigure>
tracesFigures(const std::vector<ReportedTracePointer> &traces, ByteUnit unit);

} // namespace vramscope
