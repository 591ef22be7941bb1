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

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace vramscope {

struct Caption;
class Document;
class DocumentPage;
struct Imported;
struct ProfileDocument;
struct ProfilerTables;
class Redaction;
struct Report;
struct FigureOptions;
struct ReportFigure;
class Study;
struct TraceDocument;

/// Stands for the device that a trace shows first.
inline constexpr std::size_t kMainDevice = std::numeric_limits<std::size_t>::max();

/// A device of a trace that is to be compared, with another one or with a plan, or a profiler trace
/// or the tables of a profiler instead. Until its file is read, all are null and the device may be
/// kMainDevice.
struct ComparedTrace
{
    QString title; ///< "rank0.pickle"
    QString path;
    std::shared_ptr<const TraceDocument> document; ///< with at least one device
    std::size_t device = kMainDevice;              ///< index into its devices
    std::shared_ptr<const ProfileDocument> profile = nullptr;
    std::shared_ptr<const ProfilerTables> tables = nullptr;

    [[nodiscard]] const Study &shown() const;
    [[nodiscard]] bool isRead() const { return document || profile || tables; }
    /// Takes the data read for another trace of the same file.
    void take(const ComparedTrace &other)
    {
        document = other.document;
        profile = other.profile;
        tables = other.tables;
    }
};

using DocumentPointer = std::shared_ptr<const Document>;

/// The kind of a document, in words.
struct DocumentKind
{
    QString source; ///< in a caption, after the file's name: "PyTorch snapshot"
    QString view;   ///< the view of `vramscope render` that shows it: "profile"; empty: any
    QString unfit;  ///< why it has no other view, in a sentence
    bool isReported = false; ///< whether a report has a section for it
};

/// A plan shown next to the document of a page, under its name.
struct NamedPlan
{
    Plan plan;
    QString name;
};

/// A text and its replacement.
using Replaced = std::pair<QString, QString>;

/// The source of one section of a report.
struct ReportSource
{
    QString file; ///< with or without its folder; the report shows only the name
    DocumentPointer document;
    std::size_t device = 0; ///< of a recording: an index into its devices
    QDateTime date = {};    ///< of the file; invalid: none
};

/// The content of one tab, whatever its kind. Constant; made off the GUI thread, then shared. Each
/// kind is one class in the folder of its page: code that reads, exports, redacts, reports and
/// renders documents uses this interface and knows no kind but plans and traces.
class Document : public std::enable_shared_from_this<Document>
{
public:
    virtual ~Document() = default;

    /// Its page, a child of `parent`. `path` is that of the document, or empty.
    [[nodiscard]] virtual std::unique_ptr<DocumentPage>
    makePage(const QString &title, const QString &path, QWidget *parent) const = 0;

    /// The document as a plan; null if it is not one.
    [[nodiscard]] virtual const Plan *plan() const { return nullptr; }
    /// How the plan was made from another tool's file; null if it was not.
    [[nodiscard]] virtual const Imported *imported() const { return nullptr; }

    [[nodiscard]] virtual DocumentKind kind() const = 0;
    /// The text around a picture of it, without a date. `title` and `file` are those of its tab;
    /// `file` is a name that can be shown, or empty.
    [[nodiscard]] virtual Caption caption(const QString &title, const QString &file,
                                          ByteUnit unit) const;
    /// Why `vramscope render` has no such view of it, in a sentence; empty if it has.
    [[nodiscard]] virtual QString unfitText(const QString &view) const;
    /// The index of the device with an ordinal; for -1 that of the one to show first. Empty if
    /// there is no such device; 0 if it has no devices to choose from.
    [[nodiscard]] virtual std::optional<std::size_t> deviceIndex(int ordinal) const;

    /// The files of the document other than the one it was read from.
    [[nodiscard]] virtual QStringList files() const { return {}; }
    /// Gathers the names of people and machines in it; names of files are gathered elsewhere.
    virtual void gatherNames(Redaction &redaction) const;
    /// A copy of the document without them. Everything drawn from it lacks them too, so pictures
    /// need no search. Takes about as long as analysing the document. If `progress` cancels, the
    /// document is returned unchanged, with its names.
    [[nodiscard]] virtual DocumentPointer withoutNames(const Redaction &redaction,
                                                       const Progress &progress = {}) const;
    /// The changes that redaction makes in its texts, for a person to review.
    [[nodiscard]] virtual std::vector<Replaced> replacements(const Redaction &redaction) const;

    /// Its sources for a report, under the name of its file; an error if it has nothing to report.
    [[nodiscard]] virtual Result<std::vector<ReportSource>>
    reportSources(const QString &file) const;
    /// Adds its section of a report, the `number`th, and its figures; ui/report has the sections of
    /// plans and traces, which a report compares.
    virtual void addReportSection(Report &report, const std::string &name, std::size_t number,
                                  ByteUnit unit) const;
    [[nodiscard]] virtual std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const;

protected:
    /// Casts the document to its kind.
    template<class Kind>
    [[nodiscard]] std::shared_ptr<const Kind> shared() const
    {
        return std::static_pointer_cast<const Kind>(shared_from_this());
    }
};

/// The document as one of a kind; null if it is of another.
template<class Kind>
[[nodiscard]] std::shared_ptr<const Kind> documentAs(const DocumentPointer &document)
{
    return std::dynamic_pointer_cast<const Kind>(document);
}

/// A document that classifies the work of devices by rules.
class FilesWork
{
public:
    /// The document with its work classified by other rules; null if they are already in use, or if
    /// `progress` cancels. Takes about as long as analysing the document.
    [[nodiscard]] virtual DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                                    const Progress &progress = {}) const = 0;

protected:
    ~FilesWork() = default;
};

/// The same for any document; also null if nothing in it depends on the rules.
[[nodiscard]] DocumentPointer withRules(const Document &document,
                                        const std::vector<WorkRule> &rules,
                                        const Progress &progress = {});

/// The caption of a document with a title and a file, "run.pickle, PyTorch snapshot".
[[nodiscard]] Caption captionOf(const QString &title, const QString &file, const QString &source);

/// The name of a file without the names of people and machines.
[[nodiscard]] QString fileWithoutNames(const QString &file, const Redaction &redaction);

} // namespace vramscope
