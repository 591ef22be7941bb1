// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/report_command.h"

#include "core/base/output_file.h"
#include "ui/offscreen/output.h"
#include "ui/offscreen/read_document.h"
#include "ui/report/without_names.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

std::optional<ReportFormat> reportFormatOf(const QString &name)
{
    const QString ending = QFileInfo(name).suffix().toLower();
    if (ending == u"pdf")
        return ReportFormat::Pdf;
    if (ending == u"html" || ending == u"htm" || isNoFile(QFile::encodeName(name).toStdString()))
        return ReportFormat::Html;
    return std::nullopt;
}

QString noReportFormat(const QString &name)
{
    return u"%1: A report ends in .html or .pdf; name it so, or say which with --format."_s.arg(
        name);
}

QByteArray reportFile(ReportFormat format, const IllustratedReport &report, PageColors colors)
{
    return format == ReportFormat::Pdf ? reportPdf(report) : reportHtml(report, colors);
}

Outcome writeReport(const ReportRequest &request)
{
    if (const auto kept = keepInputs(request.out, request.files); !kept)
        return {1, u"%1: %2"_s.arg(request.out, toQString(kept.error().text()))};
    applyTheme(lightTheme());
    std::vector<ReportSource> sources;
    QStringList inputs = request.files;
    for (const QString &file : request.files) {
        const auto failed = [&](const Error &error) {
            return Outcome{1, complaint(file, toQString(error.text()), request.redact)};
        };
        const auto document = readDocument(file, {});
        if (!document)
            return failed(document.error());
        auto read = (*document)->reportSources(file);
        if (!read)
            return failed(read.error());
        inputs += (*document)->files();
        for (ReportSource &source : *read) {
            source.date = dateOf(file);
            sources.push_back(std::move(source));
        }
    }
    const IllustratedReport report = makeReport(std::move(sources), {request.unit, request.redact});
    const QByteArray bytes =
        reportFile(request.format.value_or(ReportFormat::Html), report, request.colors);
    const QString failed = writeOutput(request.out, bytes, inputs);
    return {failed.isEmpty() ? 0 : 1, failed};
}

} // namespace vramscope
