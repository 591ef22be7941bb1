// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/progress.h"
#include "core/estimate/estimate.h"
#include "core/page/recording_data.h"
#include "core/reconcile/reconcile.h"
#include "core/report/report.h"
#include "ui/compare/comparison.h"
#include "ui/document/document.h"
#include "ui/export/report_figure.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace vramscope {

struct ReportOptions
{
    ByteUnit unit = ByteUnit::Binary;
    bool redact = false;                 ///< without names of people, machines and home folders
    std::size_t largest = kUsualLargest; ///< of FigureOptions
};

/// A report with the pictures that stand in it.
struct IllustratedReport
{
    Report report;
    std::vector<ReportFigure> figures;
    QDateTime date; ///< of the newest of its files; invalid: none has one
};

/// The report of plans and recordings, each a section; before them, where it applies, plans side by
/// side, recordings side by side, and the one plan against each recording. Recordings are studied
/// for it, which takes as long as opening them. Needs a QApplication. Incomplete when `progress`
/// cancels.
[[nodiscard]] IllustratedReport makeReport(std::vector<ReportSource> sources,
                                           const ReportOptions &options,
                                           const Progress &progress = {});

/// The same with its answer and its first picture alone, for mail: nothing in it needs a script.
[[nodiscard]] IllustratedReport onlyPicture(IllustratedReport report);

/// As the file of a page; the same report gives the same bytes.
[[nodiscard]] QByteArray reportHtml(const IllustratedReport &report,
                                    PageColors colors = PageColors::Both);
/// As A4 pages, light; the plans are attached as files.
[[nodiscard]] QByteArray reportPdf(const IllustratedReport &report);

/// A sentence about a file, "FILE: why", without the names in either where `redact`.
[[nodiscard]] QString complaint(const QString &file, const QString &why, bool redact);
/// A sentence that names some of the files itself, without the names.
[[nodiscard]] QString sentenceWithoutNames(QString sentence, const QStringList &files);

/// The figures "active-N", "bands-N", "stacks-N" and "state-N" of a studied device, as far as the
/// recording has them. Allocations are data too, as far as `options` allow.
[[nodiscard]] std::vector<ReportFigure> traceFigures(const ComparedTrace &trace, std::size_t number,
                                                     const ReportOptions &options);

/// The figure "traces-0": two or more recordings, which are the sections of these numbers, on one
/// axis, with their legend; empty if too few have a history.
[[nodiscard]] std::vector<ReportFigure> tracesFigures(const std::vector<ComparedTrace> &traces,
                                                      const std::vector<std::size_t> &numbers,
                                                      const ReportOptions &options);

/// A plan as a report shows it.
struct ReportedPlan
{
    Plan plan;
    Estimate estimate;
    QString title;
};
using ReportedPlanPointer = std::shared_ptr<const ReportedPlan>;

/// "bars-N", the peak against the capacity, on a page with the parts and formulas of every moment,
/// and "step-N", on a page with those of every point of the step; none without figures.
[[nodiscard]] std::vector<ReportFigure> planFigures(const ReportedPlanPointer &plan,
                                                    std::size_t number, ByteUnit unit);

/// "plans-0", a bar each, and of two "waterfall-0".
[[nodiscard]] std::vector<ReportFigure> plansFigures(const std::vector<ReportedPlanPointer> &plans,
                                                     ByteUnit unit);

/// "reconciled-N": from the prediction through the reasons to the recording; none if the
/// moment compared was not found.
[[nodiscard]] std::vector<ReportFigure> reconciledFigures(const Reconciliation &it,
                                                          std::size_t number, ByteUnit unit);

} // namespace vramscope
