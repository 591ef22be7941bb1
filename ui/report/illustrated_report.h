// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/progress.h"
#include "core/report/report.h"
#include "ui/document/document.h"
#include "ui/export/report_figure.h"

#include <QByteArray>
#include <QDateTime>

#include <vector>

namespace vramscope {

struct ReportOptions
{
    ByteUnit unit = ByteUnit::Binary;
    bool redact = false; ///< without names of people, machines and home folders
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

/// As the file of a page; the same report gives the same bytes.
[[nodiscard]] QByteArray reportHtml(const IllustratedReport &report,
                                    PageColors colors = PageColors::Both);
/// As A4 pages, light; the plans are attached as files.
[[nodiscard]] QByteArray reportPdf(const IllustratedReport &report);

} // namespace vramscope
