// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/redacted.h"

#include "core/exchange/import.h"
#include "core/planner/plan_json.h"
#include "core/report/redacted_plan.h"
#include "core/validation/measured.h"
#include "ui/compare/comparison.h"
#include "ui/compare/rank_folder.h"
#include "ui/reconcile/reconcile_study.h"
#include "ui/report/without_names.h"
#include "ui/series/series_document.h"
#include "ui/support/text.h"
#include "ui/trace/trace_document.h"

#include <set>

namespace vramscope {

namespace {

using ComparisonPointer = std::shared_ptr<const ComparisonDocument>;
using ReconcilePointer = std::shared_ptr<const ReconcileDocument>;
using ValidationPointer = std::shared_ptr<const Validation>;

/// The names in a document; those of compared recordings are gathered beside it.
struct DocumentGatherer : NamesGatherer
{
    using NamesGatherer::operator();
    void operator()(const Imported &imported) const { (*this)(imported.plan); }
    void operator()(const ComparisonPointer &) const {}
    void operator()(const ReconcilePointer &) const {}
    void operator()(const ValidationPointer &) const {}
};

/// A document, part by part.
struct DocumentWithoutNames : WithoutNames
{
    using WithoutNames::operator();

    [[nodiscard]] ComparedTrace without(ComparedTrace trace) const
    {
        trace.document = (*this)(trace.document);
        trace.title = fileWithoutNames(trace.title, redaction);
        trace.path = fileWithoutNames(trace.path, redaction);
        return trace;
    }
    [[nodiscard]] Imported operator()(Imported imported) const
    {
        imported.plan = (*this)(imported.plan);
        return imported;
    }
    [[nodiscard]] ComparisonPointer operator()(const ComparisonPointer &comparison) const
    {
        auto result = std::make_shared<ComparisonDocument>(*comparison);
        for (ComparedTrace &each : result->traces)
            each = without(std::move(each));
        return result;
    }
    [[nodiscard]] ReconcilePointer operator()(const ReconcilePointer &held) const
    {
        return std::make_shared<const ReconcileDocument>(
            ReconcileDocument{without(held->recording)});
    }
    [[nodiscard]] ValidationPointer operator()(const ValidationPointer &validation) const
    {
        return validation;
    }
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
    if (const auto *held = std::get_if<ReconcilePointer>(&document))
        return {(*held)->recording};
    return {};
}

Redaction redactionOf(const ExportedContent &leaving)
{
    Redaction redaction;
    for (const QString &file : leaving.files + filesIn(leaving.document))
        redaction.gatherFileName(file.toStdString());
    std::visit(DocumentGatherer{{redaction}}, leaving.document);
    for (const ComparedTrace &each : comparedIn(leaving.document))
        redaction.gather(*each.document->trace);
    for (const NamedPlan &one : leaving.plans) {
        redaction.gather(one.name.toStdString(), Redaction::Kind::Prose);
        gatherPlan(redaction, one.plan);
    }
    return redaction;
}

ExportedContent redacted(const ExportedContent &leaving, const Redaction &redaction)
{
    ExportedContent result{
        std::visit(
            [&](const auto &each) { return Document(DocumentWithoutNames{{redaction}}(each)); },
            leaving.document),
        {},
        {}};
    for (const NamedPlan &one : leaving.plans)
        result.plans.push_back({redactedPlan(redaction, one.plan),
                                toQString(redaction.title(one.name.toStdString()))});
    for (const QString &file : leaving.files)
        result.files += fileWithoutNames(file, redaction);
    return result;
}

std::vector<Replaced> replacements(const ExportedContent &leaving, const Redaction &redaction)
{
    std::vector<Replaced> result;
    for (const QString &file : leaving.files + filesIn(leaving.document)) {
        if (const QString after = fileWithoutNames(file, redaction); after != file)
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
