// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_document.h"

#include "core/analysis/categories/kept_rules.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/ordered_jobs.h"
#include "core/trace/redaction.h"
#include "ui/support/text.h"
#include "ui/trace/trace_page.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using Part = Study::Part;

// What a page waits for after its first picture.
constexpr std::array kStudied{Part::Segments,   Part::Lanes, Part::StepFolds,
                              Part::Categories, Part::Peak,  Part::Failures,
                              Part::Advice,     Part::Leaks, Part::PeakAdvice};

} // namespace

std::unique_ptr<DocumentPage> TraceDocument::makePage(const QString &title, const QString &path,
                                                      QWidget *parent) const
{
    return std::make_unique<TracePage>(shared<TraceDocument>(), parent, title, path);
}

DocumentKind TraceDocument::kind() const
{
    return {toQString(trace->producer()), u"trace"_s,
            u"This is a trace; its views are trace, active-memory and others; see --help."_s,
            !devices.empty()};
}

QString TraceDocument::unfitText(const QString &view) const
{
    return traceViewNamed(view) ? QString() : Document::unfitText(view);
}

std::optional<std::size_t> TraceDocument::deviceIndex(int ordinal) const
{
    if (ordinal < 0)
        return mainDevice();
    const auto at = std::ranges::find(devices, ordinal,
                                      [](const auto &device) { return device->device().device; });
    return at == devices.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(at - devices.begin()));
}

void TraceDocument::gatherNames(Redaction &redaction) const
{
    redaction.gather(*trace);
}

DocumentPointer TraceDocument::withoutNames(const Redaction &redaction,
                                            const Progress &progress) const
{
    const auto made = analyse(redaction.applied(*trace), progress);
    return made ? made : shared_from_this();
}

std::vector<Replaced> TraceDocument::replacements(const Redaction &redaction) const
{
    std::vector<Replaced> texts;
    for (const auto &[before, after] : redaction.changes(*trace))
        texts.emplace_back(toQString(before), toQString(after));
    return texts;
}

Result<std::vector<ReportSource>> TraceDocument::reportSources(const QString &file) const
{
    if (devices.empty())
        return Error{ErrorCode::OtherContent,
                     "It holds no memory of any device, so there is nothing to report."};
    return std::vector<ReportSource>{{file, shared_from_this(), mainDevice()}};
}

std::shared_ptr<const TraceDocument> analyse(std::shared_ptr<const Trace> trace,
                                             const Progress &progress,
                                             Result<std::vector<CategoryRule>> kept)
{
    constexpr double kStudying = 0.95; // of the work
    const auto document = std::make_shared<TraceDocument>();
    const RulesInUse inUse = rulesInUse(std::move(kept));
    document->rulesProblem = foreignText(inUse.problem);
    document->devices = studiesOf(trace, BandsKept::Every, inUse.rules);
    document->byStack.resize(document->devices.size());
    document->trace = std::move(trace);
    const auto analyseOne = [&](std::size_t at, const Progress &each) {
        const Study &study = *document->devices[at];
        if (study.make({Part::Summary, Part::Times, Part::Annotations}, partOf(each, 0, kStudying)))
            document->byStack[at] =
                colorGroups(colorKeys(ColorBy::Stack, study), study.allocations(),
                            study.curve().peakActiveEvent());
    };
    if ((progress && !progress(0)) || !runTogether(document->devices.size(), analyseOne, progress))
        return nullptr;
    return document;
}

std::shared_ptr<const Study> study(const TraceDocument &document, std::size_t device,
                                   const Progress &progress)
{
    const std::shared_ptr<const Study> &study = document.devices[device];
    return study->make(kStudied, progress) ? study : nullptr;
}

bool isStudied(const Study &study)
{
    return study.areMade(kStudied);
}

} // namespace vramscope
