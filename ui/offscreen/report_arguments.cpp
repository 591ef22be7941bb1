// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/report_arguments.h"

#include "ui/offscreen/argument_values.h"

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kReportDetails =
    R"(Of a plan the report holds answer, pictures, tables, assumptions, formulas and warnings, and the
plan opens from the page again; of a snapshot what happened, what filled the memory and why it ran
out; of curves over time their peaks; of a serving engine's log what took the memory, beside its
plan; of ranks which one stands out; several of a kind, or a plan with a snapshot of its run, are
compared. A page needs no network. The same files give the same bytes. What is written replaces the
file of its name once all of it is on the disk, never one that is read. - as FILE is the standard
output, and a page without --format; a device or a pipe is written into.
)";

bool setOut(ReportRequest &request, const QString &value)
{
    request.out = value;
    return !value.isEmpty();
}

bool setFormat(ReportRequest &request, const QString &value)
{
    request.format = reportFormatOf(u"report."_s + value);
    return request.format.has_value();
}

bool setUnit(ReportRequest &request, const QString &value)
{
    const std::optional<ByteUnit> unit = unitNamed(value);
    request.unit = unit.value_or(ByteUnit::Binary);
    return unit.has_value();
}

template<PageColors colors>
bool setColors(ReportRequest &request, const QString &)
{
    request.colors = colors;
    return true;
}

using ReportRow = ArgumentRow<ReportRequest>;
constexpr std::array kReportRows{
    ReportRow{{"--out", "FILE", "where to, a page (.html) or a PDF (.pdf); -: the standard output",
               false, "-o"},
              setOut},
    ReportRow{{"--format", "html|pdf", "which of both, where the ending of FILE does not say"},
              setFormat},
    ReportRow{{"--redact", "", "without names of people and machines and home folders"}},
    ReportRow{{"--unit", "gib|gb", "sizes in powers of 1024 (by default) or of 1000"}, setUnit},
    ReportRow{{"--light", "", "a page in light colours, whatever its reader prefers"},
              setColors<PageColors::Light>},
    ReportRow{{"--dark", "", "a page in dark colours"}, setColors<PageColors::Dark>},
    ReportRow{{"--both", "", "a page in the colours that its reader prefers (by default)"},
              setColors<PageColors::Both>},
};
constexpr auto kReportOptions = optionsOf(kReportRows);

} // namespace

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
