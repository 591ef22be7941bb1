// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/report_command.h"

#include "core/base/output_file.h"
#include "core/checkpoint/checkpoint_files.h"
#include "core/ranks/run_study.h"
#include "core/readers/file_kind.h"
#include "ui/offscreen/argument_values.h"
#include "ui/offscreen/output.h"
#include "ui/offscreen/read_document.h"
#include "ui/report/illustrated_report.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QDir>
#include <QFileInfo>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kReportDetails =
    R"(Of a plan the report holds answer, pictures, tables, assumptions, formulas and warnings, and the
plan opens from the page again; of a snapshot what happened, what filled the memory and why it ran
out; of curves over time their peaks; of a serving engine's log what took the memory, beside its
plan; of ranks which one stands out; several of a kind, or a plan with a snapshot of its run, are
compared. A folder with the recordings of a run is one section; of other folders each plan,
recording and log is one, and a page of several begins with links to them. A page needs no network.
With its script, which needs none either, its reader zooms into recordings and profiler traces,
points at allocations and kernels, searches their names and sorts tables. The same files give the same
bytes. What is written replaces the file of its name once all of it is on the disk, never one that
is read. - as FILE is the standard output, and a page without --format; a device or a pipe is
written into.
)";

std::optional<ReportFormat> reportFormatNamed(const QString &name)
{
    return reportFormatOf(u"report."_s + name);
}

std::optional<std::size_t> countFrom(const QString &text)
{
    bool valid = false;
    const qulonglong count = text.toULongLong(&valid);
    return valid ? std::optional<std::size_t>(count) : std::nullopt;
}

template<PageColors colors>
bool setColors(ReportRequest &request, const QString &)
{
    request.colors = colors;
    return true;
}

/// The files of a folder that has more than the recordings of one run, and the folder itself where
/// it has several of these, as ranks; any other path alone.
QStringList contentOf(const QString &path)
{
    if (!QFileInfo(path).isDir() || holdsCheckpoint(nativePath(path)) ||
        holdsSummaries(nativePath(path)))
        return {path};
    QStringList snapshots;
    QStringList curves;
    QStringList others;
    for (const QString &name : QDir(path).entryList(QDir::Files, QDir::Name)) {
        const QString file = QDir(path).filePath(name);
        switch (fileKind(file)) {
        case FileKind::Snapshot:
            snapshots += file;
            break;
        case FileKind::Curves:
            curves += file;
            break;
        case FileKind::Plan:
        case FileKind::SmiLog:
        case FileKind::ServingLog:
            others += file;
            break;
        default:
            break;
        }
    }
    const bool areRanks = snapshots.size() > 1 || curves.size() > 1;
    if (snapshots.size() + curves.size() + others.size() < 2 || (areRanks && others.isEmpty()))
        return {path};
    return (areRanks ? QStringList(path) : snapshots + curves) + others;
}

using ReportRow = ArgumentRow<ReportRequest>;
constexpr std::array kReportRows{
    ReportRow{{"--out", "FILE", "where to, a page (.html) or a PDF (.pdf); -: the standard output",
               false, "-o"},
              assign<&ReportRequest::out, textFrom>},
    ReportRow{{"--format", "html|pdf", "which of both, where the ending of FILE does not say"},
              assign<&ReportRequest::format, reportFormatNamed>},
    ReportRow{{"--redact", "", "without names of people and machines and home folders"}},
    kUnitRow<ReportRequest>,
    ReportRow{
        {"--largest", "N",
         "allocations of a recording, the largest, or slices of a profiler trace, the longest, "
         "that a page lets its reader explore, 500000 by default; 0: pictures only"},
        assign<&ReportRequest::largest, countFrom>},
    ReportRow{{"--single-picture", "",
               "the answer and the main picture alone, without a script: for mail"}},
    ReportRow{{"--light", "", "a page in light colours, whatever its reader prefers"},
              setColors<PageColors::Light>},
    ReportRow{{"--dark", "", "a page in dark colours"}, setColors<PageColors::Dark>},
    ReportRow{{"--both", "", "a page in the colours that its reader prefers (by default)"},
              setColors<PageColors::Both>},
};
constexpr auto kReportOptions = optionsOf(kReportRows);

} // namespace

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
    QStringList files;
    for (const QString &file : request.files)
        files += contentOf(file);
    for (const QString &file : files) {
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
    IllustratedReport report =
        makeReport(std::move(sources), {request.unit, request.redact, request.largest});
    if (request.singlePicture)
        report = onlyPicture(std::move(report));
    const QByteArray bytes =
        reportFile(request.format.value_or(ReportFormat::Html), report, request.colors);
    const QString failed = writeOutput(request.out, bytes, inputs);
    return {failed.isEmpty() ? 0 : 1, failed};
}

const cli::Command kReportCommand{
    "report",
    "FILE…",
    "One page or PDF about plans, recordings and folders with those of a run.",
    1,
    cli::kAnyNumber,
    kReportOptions,
    kReportDetails};

QString readArguments(const cli::Arguments &arguments, ReportRequest &request)
{
    request.files = filesOf(arguments);
    request.redact = arguments.has("--redact");
    request.singlePicture = arguments.has("--single-picture");
    if (QString wrong = setValues(arguments, kReportRows, request); !wrong.isEmpty())
        return wrong;
    if (request.out.isEmpty())
        return u"needs --out FILE.html or FILE.pdf"_s;
    if (!request.format)
        request.format = reportFormatOf(request.out);
    return request.format ? QString()
                          : u"%1 names neither a page (.html) nor a PDF (.pdf); name it so, or "
                            "say which with --format"_s.arg(request.out);
}

} // namespace vramscope
