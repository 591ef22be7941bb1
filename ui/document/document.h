// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/plan/plan.h"
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
struct Report;
struct ReportFigure;

using DocumentPointer = std::shared_ptr<const Document>;

/// What a document is, in words.
struct DocumentKind
{
    QString source; ///< in a caption, after the file's name: "PyTorch snapshot"
    QString view;   ///< the view of `vramscope render` that shows it: "profile"; empty: any
    QString unfit;  ///< why it has no other view, in a sentence
    bool isReported = false; ///< whether a report has a section for it
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

    [[nodiscard]] virtual DocumentKind kind() const = 0;
    /// The text around a picture of it, without a date. `title` and `file` are those of its tab;
    /// `file` is a name that can be shown, or empty.
    [[nodiscard]] virtual Caption caption(const QString &title, const QString &file,
                                          ByteUnit unit) const;
    /// Why `vramscope render` has no such view of it, in a sentence; empty where it has.
    [[nodiscard]] virtual QString unfitText(const QString &view) const;
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

protected:
    /// Itself, by a pointer to its kind.
    template<class Kind>
    [[nodiscard]] std::shared_ptr<const Kind> shared() const
    {
        return std::static_pointer_cast<const Kind>(shared_from_this());
    }
};

/// The document as one of a kind; null where it is of another.
template<class Kind>
[[nodiscard]] std::shared_ptr<const Kind> documentAs(const DocumentPointer &document)
{
    return std::dynamic_pointer_cast<const Kind>(document);
}

/// A document that classifies the work of devices by rules.
class FilesWork
{
public:
    /// The document with its work classified by other rules; null where those are its own, and
    /// where `progress` cancels. Takes about as long as analysing it took.
    [[nodiscard]] virtual DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                                    const Progress &progress = {}) const = 0;

protected:
    ~FilesWork() = default;
};

/// The same of any document; null also where nothing in it depends on the rules.
[[nodiscard]] DocumentPointer withRules(const Document &document,
                                        const std::vector<WorkRule> &rules,
                                        const Progress &progress = {});

/// The caption of a document with a title and a file, "run.pickle, PyTorch snapshot".
[[nodiscard]] Caption captionOf(const QString &title, const QString &file, const QString &source);

/// The name of a file without the names of people and machines.
[[nodiscard]] QString fileWithoutNames(const QString &file, const Redaction &redaction);

} // namespace vramscope
