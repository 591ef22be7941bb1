// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/planner/plan.h"
#include "core/profile/work_rules.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace vramscope {

class Document;
class DocumentPage;
class Redaction;
struct Caption;
struct Imported;
struct ProfileDocument;
struct ProfilerTables;
struct Report;
struct ReportFigure;
struct TraceDocument;

using DocumentPointer = std::shared_ptr<const Document>;

/// A page as in the window, or a picture for a document: of a plan its breakdown, of a trace one
/// view alone. Trust is of the measured figures that ship.
enum class RenderView {
    Plan,
    Breakdown,
    Trace,
    Alone,
    Series,
    Profile,
    Compare,
    Reconcile,
    Ranks,
    Trust,
    ServingLog,
    Weights
};

/// A plan beside the document of a page, under its name.
struct NamedPlan
{
    Plan plan;
    QString name;
};

/// A text and what stands in its place.
using Replaced = std::pair<QString, QString>;

/// What a report is asked for: one of its sections.
struct ReportSource
{
    QString file; ///< with its folder or without; the report shows its name alone
    DocumentPointer document;
    std::size_t device = 0; ///< of a recording: an index into its devices
    QDateTime date = {};    ///< of the file; invalid: none
};

/// What one tab shows, whatever its kind. Constant; made off the GUI thread, then shared. A kind is
/// one class in the room of its page: what reads, exports, redacts, reports and renders documents
/// asks this class and knows no kind but plans and traces.
class Document : public std::enable_shared_from_this<Document>
{
public:
    virtual ~Document() = default;

    /// Its page, a child of `parent`. `path` is that of the document, or empty.
    [[nodiscard]] virtual std::unique_ptr<DocumentPage>
    makePage(const QString &title, const QString &path, QWidget *parent) const = 0;

    /// The plan that it is; null where it is none.
    [[nodiscard]] virtual const Plan *plan() const { return nullptr; }
    /// How the plan was made of another tool's file; null where it was not.
    [[nodiscard]] virtual const Imported *imported() const { return nullptr; }
    /// The trace that it is; null where it is none.
    [[nodiscard]] virtual std::shared_ptr<const TraceDocument> trace() const { return nullptr; }
    /// The profiler trace that it is; null where it is none.
    [[nodiscard]] virtual std::shared_ptr<const ProfileDocument> profile() const { return nullptr; }
    /// The tables of a profiler that it is; null where it is none.
    [[nodiscard]] virtual std::shared_ptr<const ProfilerTables> tables() const { return nullptr; }

    /// What stands around a picture of it. `title` and `file` are those of its tab; `file` is a
    /// name that can be shown, or empty. There is no date yet.
    [[nodiscard]] virtual Caption caption(const QString &title, const QString &file,
                                          ByteUnit unit) const = 0;
    /// Why `vramscope render` cannot show it so, in a sentence; empty where it can.
    [[nodiscard]] virtual QString unfitText(RenderView view) const = 0;
    /// Where the device of an ordinal stands among its devices; of -1 the one to show first. None
    /// where it holds no such device; 0 where it has no devices to choose from.
    [[nodiscard]] virtual std::optional<std::size_t> deviceIndex(int ordinal) const;

    /// The files that it consists of, beside the one that it was read from.
    [[nodiscard]] virtual QStringList files() const { return {}; }
    /// Gathers the names of people and machines in it; names of files are gathered elsewhere.
    virtual void gatherNames(Redaction &redaction) const;
    /// It without them. What is drawn from it is without them too, so nothing has to be looked for
    /// in pictures. Takes about as long as analysing it took. What `progress` cancels is given back
    /// as it was, with its names.
    [[nodiscard]] virtual DocumentPointer withoutNames(const Redaction &redaction,
                                                       const Progress &progress = {}) const;
    /// It with its work of devices filed by other rules; null where nothing in it depends on them,
    /// where they are those that it was filed by, and what `progress` cancels. Takes about as long
    /// as analysing it took.
    [[nodiscard]] virtual DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                                    const Progress &progress = {}) const;
    /// What redaction changes in its texts, for a person to look through.
    [[nodiscard]] virtual std::vector<Replaced> replacements(const Redaction &redaction) const;

    /// What a report shows of it, under the name of its file; an error where that is nothing.
    [[nodiscard]] virtual Result<std::vector<ReportSource>>
    reportSources(const QString &file) const;
    /// Its section of a report, the `number`th, and the figures of that; plans and traces, which a
    /// report compares, have theirs in ui/report.
    virtual void addReportSection(Report &report, const std::string &name, std::size_t number,
                                  ByteUnit unit) const;
    [[nodiscard]] virtual std::vector<ReportFigure> reportFigures(std::size_t number,
                                                                  ByteUnit unit) const;
};

/// The caption of a document with a title and a file, "run.pickle, PyTorch snapshot".
[[nodiscard]] Caption captionOf(const QString &title, const QString &file, const QString &source);

/// The name of a file without the names of people and machines.
[[nodiscard]] QString fileWithoutNames(const QString &file, const Redaction &redaction);

} // namespace vramscope
