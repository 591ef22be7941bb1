// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/command_line/command.h"
#include "core/report/html.h"
#include "ui/offscreen/output.h"
#include "ui/report/illustrated_report.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace vramscope {

enum class ReportFormat { Html, Pdf };

/// What a report under this name is: by its ending, .html, .htm or .pdf; a page where it goes to
/// the standard output, a device or a pipe. None of any other name.
[[nodiscard]] std::optional<ReportFormat> reportFormatOf(const QString &name);
/// What to say of such a name.
[[nodiscard]] QString noReportFormat(const QString &name);

/// A report requested on the command line.
struct ReportRequest
{
    QStringList files; ///< plans, recordings and folders with those of a run; at least one
    QString out;
    std::optional<ReportFormat> format; ///< none: by the ending of `out`
    PageColors colors = PageColors::Both;
    ByteUnit unit = ByteUnit::Binary;
    bool redact = false;
    std::size_t largest = kUsualLargest; ///< of ReportOptions
    bool singlePicture = false;          ///< onlyPicture()
};

/// A report as the bytes of a file.
[[nodiscard]] QByteArray reportFile(ReportFormat format, const IllustratedReport &report,
                                    PageColors colors);

/// Reads the files and writes the report. Needs a QApplication and no screen. Status 1 and
/// "FILE: sentence" where one cannot be used or the report cannot be written.
[[nodiscard]] Outcome writeReport(const ReportRequest &request);

/// What `vramscope report` takes.
extern const cli::Command kReportCommand;

/// Fills a request with arguments of `vramscope report`. Returns what is wrong with them, or
/// nothing.
[[nodiscard]] QString readArguments(const cli::Arguments &arguments, ReportRequest &request);

} // namespace vramscope
