// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/present_command.h"

#include "core/analysis/study/study.h"
#include "core/base/output_file.h"
#include "core/estimate/estimate.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/argument_values.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/offscreen_page.h"
#include "ui/offscreen/output.h"
#include "ui/offscreen/read_document.h"
#include "ui/offscreen/redacted.h"
#include "ui/report/illustrated_report.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/trace/trace_document.h"

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kPresentDetails =
    R"(Of a plan the slides hold the answer, where the memory goes and when, the options, and a
recommendation; of a recording its curve, why memory ran out and what would help. Several plans are
compared: time, memory, cost, what differs, what decides. Texts and tables of a .pptx can be edited,
its charts are pictures, and its notes have the source of each figure. The same files give the same bytes. What is written replaces the
file of its name once all of it is on the disk, never one that is read. - as FILE is the standard
output, and needs --format.
)";

constexpr QSize kStageSize(1280, 720); ///< of pages that are painted as slides

std::optional<DeckFormat> deckFormatNamed(const QString &name)
{
    return deckFormatOf(u"deck."_s + name);
}

using PresentRow = ArgumentRow<PresentRequest>;
constexpr std::array kPresentRows{
    PresentRow{{"--out", "FILE", "where to: .pptx or .pdf; -: the standard output", false, "-o"},
               assign<&PresentRequest::out, textFrom>},
    PresentRow{{"--format", "pptx|pdf", "which of both, where the ending of FILE does not say"},
               assign<&PresentRequest::format, deckFormatNamed>},
    PresentRow{{"--title", "TEXT", "in the foot of each slide, in place of the document's"},
               assign<&PresentRequest::title, textFrom>},
    kUnitRow<PresentRequest>,
    PresentRow{{"--dark", "", "in dark colours"}},
    PresentRow{{"--redact", "", "without names of people and machines and home folders"}},
};
constexpr auto kPresentOptions = optionsOf(kPresentRows);

/// A document to present, with the plans shown next to it.
struct Presented
{
    ExportedContent content;
    QString file; ///< as given on the command line
};

QString nameOf(const Presented &one)
{
    return presentationTitle(*one.content.document, documentTitle(one.content.files.front()));
}

/// The files to present: plans after the first are shown next to it.
Result<std::vector<Presented>> presentedOf(const PresentRequest &request)
{
    std::vector<Presented> all;
    std::optional<std::size_t> plan;
    for (const QString &file : request.files) {
        auto document = readDocument(file, {});
        if (!document.ok())
            return Error{
                document.error().code,
                complaint(file, toQString(document.error().text()), request.redact).toStdString()};
        const Plan *isPlan = (*document)->plan();
        if (isPlan && plan) {
            all[*plan].content.plans.push_back(
                {*isPlan, presentationTitle(**document, documentTitle(file))});
            all[*plan].content.files += file;
            continue;
        }
        if (isPlan)
            plan = all.size();
        all.push_back({{std::move(*document), {}, {file}}, file});
    }
    return all;
}

} // namespace

const cli::Command kPresentCommand{
    "present",
    "FILE…",
    "A presentation of plans and recordings as slides, .pptx or .pdf.",
    1,
    cli::kAnyNumber,
    kPresentOptions,
    kPresentDetails};

QString readArguments(const cli::Arguments &arguments, PresentRequest &request)
{
    request.files = filesOf(arguments);
    request.dark = arguments.has("--dark");
    request.redact = arguments.has("--redact");
    if (QString wrong = setValues(arguments, kPresentRows, request); !wrong.isEmpty())
        return wrong;
    if (request.out.isEmpty())
        return u"needs --out FILE.pptx or FILE.pdf"_s;
    if (!request.format)
        request.format = deckFormatOf(request.out);
    return request.format ? QString()
                          : u"%1 names neither .pptx nor .pdf; name it so, or say which with "
                            "--format"_s.arg(request.out);
}

QString presentationTitle(const Document &document, const QString &otherwise)
{
    const Plan *plan = document.plan();
    if (!plan)
        return otherwise;
    return toQString(planTitle(*plan, *estimate(*plan).settings));
}

bool workOut(const Document &document, const Progress &progress)
{
    const auto *trace = dynamic_cast<const TraceDocument *>(&document);
    const auto wanted = {Study::Part::Categories, Study::Part::Peak, Study::Part::Failures,
                         Study::Part::Advice, Study::Part::Leaks};
    return !trace || std::ranges::all_of(trace->devices, [&](const auto &device) {
        return device->make(wanted, progress);
    });
}

Outcome writePresentation(const PresentRequest &request)
{
    if (const auto kept = keepInputs(request.out, request.files); !kept)
        return {1, u"%1: %2"_s.arg(request.out, toQString(kept.error().text()))};
    applyTheme(request.dark ? darkTheme() : lightTheme());
    auto presented = presentedOf(request);
    if (!presented.ok())
        return {1, toQString(presented.error().detail)};
    Deck deck;
    QStringList inputs = request.files;
    QStringList sources;
    std::vector<std::unique_ptr<OffscreenPage>> pages; // their items use them
    for (Presented &one : *presented) {
        inputs += one.content.document->files();
        if (request.redact)
            one.content = redacted(one.content, redactionOf(one.content));
        workOut(*one.content.document);
        const QString shown = one.content.files.front();
        const auto &page = pages.emplace_back(std::make_unique<OffscreenPage>(
            *one.content.document, nameOf(one), shown, kStageSize, 1));
        page->page().setUnit(request.unit);
        if (PlansBeside *beside = page->page().plansBeside()) {
            if (!one.content.plans.empty()) // all of them, in the order of the files
                beside->addPlan({*one.content.document->plan(), nameOf(one)});
            for (const NamedPlan &plan : one.content.plans)
                beside->addPlan(plan);
        }
        page->finish();
        // Slides of several plans name each of them.
        if (deck.title.isEmpty() && one.content.plans.empty())
            deck.title = nameOf(one);
        sources += captionOf(*one.content.document, shown, request.unit).source;
        const QDateTime date = dateOf(one.file);
        if (!deck.date.isValid() || (date.isValid() && date > deck.date))
            deck.date = date;
        std::ranges::move(page->page().stageItems(), std::back_inserter(deck.items));
    }
    if (!request.title.isEmpty())
        deck.title = request.title;
    deck.source = sources.join(u", "_s);
    if (deck.items.empty())
        return {
            1, complaint(request.files.front(), u"It holds nothing to present."_s, request.redact)};
    const auto bytes = deckFile(deck, *request.format);
    if (!bytes.ok())
        return {1, toQString(bytes.error().text())};
    const QString failed = writeOutput(request.out, *bytes, inputs);
    return {failed.isEmpty() ? 0 : 1, failed};
}

} // namespace vramscope
