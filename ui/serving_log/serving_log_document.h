// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"
#include "ui/document/document.h"

#include <memory>

namespace vramscope {

/// A plan by a log, compared with it, and with what the log measured.
struct PlannedLog
{
    LogPlan plan;
    LogComparison comparison;
    LogTakeOver takeOver;
};

/// What the log says of how its engine was set up, put into `given`.
[[nodiscard]] PlannedLog plannedLog(const ServingLog &log, const Plan &given = {});

/// A log of a serving engine with the plan that it implies. Made off the GUI thread, then shared.
struct ServingLogDocument : Document
{
    ServingLog log;
    PlannedLog implied;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    void gatherNames(Redaction &redaction) const override;
    /// The same log and plan without the names of people and machines in what is quoted.
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const override;
};

[[nodiscard]] std::shared_ptr<const ServingLogDocument> analyse(ServingLog log);

} // namespace vramscope
