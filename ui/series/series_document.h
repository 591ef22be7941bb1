// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/curves/sample_curve.h"
#include "core/base/progress.h"
#include "ui/document/document.h"

#include <memory>
#include <vector>

namespace vramscope {

/// The samples of one device, ready to be drawn at any zoom.
struct DeviceSamples
{
    const SeriesDevice *recorded = nullptr; ///< lives in the document's series; has samples
    SampleTimes times;                      ///< since SeriesDocument::origin
    std::vector<std::unique_ptr<const SampleCurve>> curves; ///< of SeriesDevice::bytes, in order
};

/// An opened recording of curves, analysed and constant: the data for every part of its page. Made
/// off the GUI thread, then shared.
struct SeriesDocument : Document
{
    std::shared_ptr<const Series> series;
    std::int64_t origin = 0;            ///< nanoseconds of the first sample, where times begin
    std::vector<DeviceSamples> devices; ///< those with samples of memory, as in Series::devices()

    /// Whether the devices are in one machine, monitored from outside: drawn together.
    [[nodiscard]] bool isLog() const;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    /// A negative `ordinal` means the first device.
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const override;
};

/// Null if `progress` requested a stop.
[[nodiscard]] std::shared_ptr<const SeriesDocument> analyse(std::shared_ptr<const Series> series,
                                                            const Progress &progress = {});

} // namespace vramscope
