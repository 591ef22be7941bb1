// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/redacted.h"

#include "core/document/redacted_plan.h"
#include "core/exchange/import.h"
#include "core/planner/plan_json.h"
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

/// What changes of a text that may have many lines: the lines that differ.
void addLines(const std::string &before, const std::string &after, std::vector<Replaced> &result)
{
    const QStringList old = toQString(before).split(u'\n');
    const QStringList made = toQString(after).split(u'\n');
    for (qsizetype at = 0; at < std::min(old.size(), made.size()); ++at) {
        if (old[at] != made[at])
            result.emplace_back(old[at].trimmed(), made[at].trimmed());
    }
}

void addPlan(const Plan &plan, const Redaction &redaction, std::vector<Replaced> &result)
{
    addLines(planJson(plan), planJson(redactedPlan(redaction, plan)), result);
}

void addTrace(const Trace &trace, const Redaction &redaction, std::vector<Replaced> &result)
{
    for (const auto &[before, after] : redaction.changes(trace))
        result.emplace_back(toQString(before), toQString(after));
}

/// The names of files that a document consists of.
QStringList filesIn(const Document &document)
{
    QStringList files;
    for (const ComparedTrace &each : comparedIn(document))
        files += each.path;
    if (const auto *folder = std::get_if<RankFolderPointer>(&document)) {
        for (const Rank &rank : (*folder)->ranks)
            files += rank.file;
        for (const UnreadFile &unread : (*folder)->unread)
            files += unread.name;
    }
    return files;
}

} // namespace

std::vector<ComparedTrace> comparedIn(const Document &document)
{
    if (const auto *comparison = std::get_if<ComparisonPointer>(&document))
        return (*comparison)->traces;
    if (const auto *held = std::get_if<HeldPointer>(&document))
        return {(*held)->recording};
    return {};
}

Redaction redactionOf(const Leaving &leaving)
{
    Redaction redaction;
    for (const QString &file : leaving.files + filesIn(leaving.document))
        redaction.gatherFileName(file.toStdString());
    forEachSource(leaving.document, Gatherer{redaction});
    for (const ComparedTrace &each : comparedIn(leaving.document))
        redaction.gather(*each.document->trace);
    for (const NamedPlan &one : leaving.plans) {
        redaction.gather(one.name.toStdString(), Redaction::Kind::Prose);
        gatherPlan(redaction, one.plan);
    }
    return redaction;
}

Leaving redacted(const Leaving &leaving, const Redaction &redaction)
{
    Leaving result{std::visit(Redactor{redaction}, leaving.document), {}, {}};
    for (const NamedPlan &one : leaving.plans)
        result.plans.push_back(
            {redactedPlan(redaction, one.plan),
             toQString(redaction.text(one.name.toStdString(), Redaction::Kind::Prose))});
    for (const QString &file : leaving.files)
        result.files += without(file, redaction);
    return result;
}

std::vector<Replaced> replacements(const Leaving &leaving, const Redaction &redaction)
{
    std::vector<Replaced> result;
    for (const QString &file : leaving.files + filesIn(leaving.document)) {
        if (const QString after = without(file, redaction); after != file)
            result.emplace_back(file, after);
    }
    if (const auto *plan = std::get_if<Plan>(&leaving.document))
        addPlan(*plan, redaction, result);
    for (const NamedPlan &one : leaving.plans)
        addPlan(one.plan, redaction, result);
    if (const auto *trace = std::get_if<TracePointer>(&leaving.document))
        addTrace(*(*trace)->trace, redaction, result);
    for (const ComparedTrace &each : comparedIn(leaving.document))
        addTrace(*each.document->trace, redaction, result);
    std::set<Replaced> seen;
    std::erase_if(result, [&](const Replaced &each) { return !seen.insert(each).second; });
    return result;
}

} // namespace vramscope
