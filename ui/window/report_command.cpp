// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_command.h"

#include "core/base/output_file.h"
#include "ui/report/without_names.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/window/appearance.h"
#include "ui/window/option_words.h"
#include "ui/window/output.h"
#include "ui/window/read_document.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Sets an option that takes a value; false where it cannot be that.
bool setValue(ReportRequest &request, const QString &option, const QString &value)
{
    if (option == u"--out") {
        request.out = value;
        return !value.isEmpty();
    }
    if (option == u"--format") {
        request.format = reportFormatOf(u"report."_s + value);
        return request.format.has_value();
    }
    request.unit = value == u"gb" ? ByteUnit::Decimal : ByteUnit::Binary;
    return value == u"gb" || value == u"gib";
}

bool setFlag(ReportRequest &request, const QString &option)
{
    if (option == u"--redact")
        request.redact = true;
    else if (option == u"--help" || option == u"-h")
        request.wantsHelp = true;
    else if (option == u"--light")
        request.colors = PageColors::Light;
    else if (option == u"--dark")
        request.colors = PageColors::Dark;
    else if (option == u"--both")
        request.colors = PageColors::Both;
    else
        return false;
    return true;
}

} // namespace

QString parseReport(const QStringList &arguments, ReportRequest &request)
{
    for (OptionWords words(arguments); words.next();) {
        const QString word = words.word();
        if (words.isFile()) {
            request.files += word;
            continue;
        }
        if (setFlag(request, word)) {
            if (words.isJoined())
                return u"%1 takes no value."_s.arg(word);
            continue;
        }
        if (word != u"--out" && word != u"--unit" && word != u"--format")
            return u"report has no option %1."_s.arg(word);
        const auto value = words.value();
        if (!value)
            return u"%1 needs a value."_s.arg(word);
        if (!setValue(request, word, *value))
            return u"%1 cannot be “%2”."_s.arg(word, *value);
    }
    if (request.wantsHelp)
        return {};
    if (request.files.isEmpty())
        return u"report needs a file."_s;
    if (request.out.isEmpty())
        return u"report needs --out FILE.html or FILE.pdf."_s;
    if (!request.format)
        request.format = reportFormatOf(request.out);
    return request.format ? QString() : noReportFormat(request.out);
}

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
    applyTheme(themeFor(Appearance::Light, false));
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
