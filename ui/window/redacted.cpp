// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/redacted.h"

#include "core/document/redacted_plan.h"
#include "core/exchange/import.h"
#include "core/validation/measured.h"
#include "ui/compare/comparison.h"
#include "ui/compare/rank_folder.h"
#include "ui/reconcile/held_recording.h"
#include "ui/series/series_document.h"
#include "ui/support/text.h"
#include "ui/trace/trace_document.h"

#include <set>

namespace vramscope {

namespace {

using TracePointer = std::shared_ptr<const TraceDocument>;
using SeriesPointer = std::shared_ptr<const SeriesDocument>;
using ComparisonPointer = std::shared_ptr<const ComparisonDocument>;
using RankFolderPointer = std::shared_ptr<const RankFolder>;
using HeldPointer = std::shared_ptr<const HeldRecording>;
using ValidationPointer = std::shared_ptr<const Validation>;

/// Visits what a document is made of that a person may have written or that was recorded.
template<class Visit>
void forEachSource(const Document &document, const Visit &visit)
{
    if (const auto *plan = std::get_if<Plan>(&document))
        visit(*plan);
    else if (const auto *imported = std::get_if<Imported>(&document))
        visit(imported->plan);
    else if (const auto *trace = std::get_if<TracePointer>(&document))
        visit(*(*trace)->trace);
    else if (const auto *series = std::get_if<SeriesPointer>(&document))
        visit(*(*series)->series);
}

/// The recordings that a document is of beside its own.
std::vector<ComparedTrace> comparedIn(const Document &document)
{
    if (const auto *comparison = std::get_if<ComparisonPointer>(&document))
        return (*comparison)->traces;
    if (const auto *held = std::get_if<HeldPointer>(&document))
        return {(*held)->recording};
    return {};
}

struct Gatherer
{
    Redaction &redaction;
    void operator()(const Plan &plan) const { gatherPlan(redaction, plan); }
    void operator()(const auto &recording) const { redaction.gather(recording); }
};

QString without(const QString &text, const Redaction &redaction)
{
    return toQString(redaction.path(text.toStdString()));
}

TracePointer redactedTrace(const TracePointer &document, const Redaction &redaction)
{
    return analyse(redaction.applied(*document->trace));
}

ComparedTrace redactedTrace(ComparedTrace trace, const Redaction &redaction)
{
    trace.document = redactedTrace(trace.document, redaction);
    trace.title = without(trace.title, redaction);
    trace.path = without(trace.path, redaction);
    return trace;
}

/// A document, part by part.
struct Redactor
{
    const Redaction &redaction;

    Document operator()(const Plan &plan) const { return redactedPlan(redaction, plan); }
    Document operator()(Imported imported) const
    {
        imported.plan = redactedPlan(redaction, std::move(imported.plan));
        return imported;
    }
    Document operator()(const TracePointer &trace) const { return redactedTrace(trace, redaction); }
    Document operator()(const SeriesPointer &series) const
    {
        return analyse(redaction.applied(*series->series));
    }
    Document operator()(const ComparisonPointer &comparison) const
    {
        auto result = std::make_shared<ComparisonDocument>(*comparison);
        for (ComparedTrace &each : result->traces)
            each = redactedTrace(std::move(each), redaction);
        return ComparisonPointer(std::move(result));
    }
    Document operator()(const HeldPointer &held) const
    {
        return std::make_shared<const HeldRecording>(
            HeldRecording{redactedTrace(held->recording, redaction)});
    }
    Document operator()(const RankFolderPointer &folder) const
    {
        return vramscope::redacted(*folder, redaction);
    }
    Document operator()(const ValidationPointer &validation) const { return validation; }
};

} // namespace

Document redacted(const Document &document, const Redaction &redaction)
{
    return std::visit(Redactor{redaction}, document);
}

Redaction redactionOf(const Document &document, const QString &path)
{
    Redaction redaction;
    redaction.gatherFileName(path.toStdString());
    forEachSource(document, Gatherer{redaction});
    for (const ComparedTrace &each : comparedIn(document)) {
        redaction.gatherFileName(each.path.toStdString());
        redaction.gather(*each.document->trace);
    }
    if (const auto *folder = std::get_if<RankFolderPointer>(&document))
        gatherNames(redaction, **folder);
    return redaction;
}

void gatherPlans(Redaction &redaction, const std::vector<NamedPlan> &plans)
{
    for (const NamedPlan &one : plans) {
        redaction.gather(one.name.toStdString(), Redaction::Kind::Prose);
        gatherPlan(redaction, one.plan);
    }
}

void redactPlans(const Redaction &redaction, std::vector<NamedPlan> &plans)
{
    for (NamedPlan &one : plans)
        one = {redactedPlan(redaction, std::move(one.plan)),
               toQString(redaction.text(one.name.toStdString(), Redaction::Kind::Prose))};
}

std::vector<Replaced> replacements(const Document &document, const QString &path,
                                   const Redaction &redaction, std::size_t most)
{
    std::set<std::string, std::less<>> texts{path.toStdString()};
    const auto addTrace = [&texts](const Trace &trace) {
        for (std::size_t id = 0; id < trace.frameCount(); ++id)
            texts.emplace(trace.text(trace.frame(static_cast<FrameId>(id)).file));
    };
    if (const auto *trace = std::get_if<TracePointer>(&document))
        addTrace(*(*trace)->trace);
    for (const ComparedTrace &each : comparedIn(document)) {
        texts.insert(each.path.toStdString());
        addTrace(*each.document->trace);
    }
    if (const auto *folder = std::get_if<RankFolderPointer>(&document)) {
        for (const Rank &rank : (*folder)->ranks)
            texts.insert(rank.file.toStdString());
    }
    std::vector<Replaced> result;
    for (const std::string &text : texts) {
        const std::string after = redaction.path(text);
        if (after != text && result.size() < most)
            result.emplace_back(toQString(text), toQString(after));
    }
    return result;
}

} // namespace vramscope
