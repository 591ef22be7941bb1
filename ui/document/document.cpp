// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "core/trace/redaction.h"
#include "ui/export/exported_view.h"
#include "ui/export/report_figure.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

Caption Document::caption(const QString &title, const QString &file, ByteUnit) const
{
    return captionOf(title, file, kind().source);
}

QString Document::unfitText(const QString &view) const
{
    const DocumentKind kind = this->kind();
    return kind.view.isEmpty() || kind.view == view ? QString() : kind.unfit;
}

std::optional<std::size_t> Document::deviceIndex(int) const
{
    return 0;
}

void Document::gatherNames(Redaction &) const {}

DocumentPointer Document::withoutNames(const Redaction &, const Progress &) const
{
    return shared_from_this();
}

DocumentPointer withRules(const Document &document, const std::vector<WorkRule> &rules,
                          const Progress &progress)
{
    const auto *filing = dynamic_cast<const FilesWork *>(&document);
    return filing ? filing->withRules(rules, progress) : nullptr;
}

std::vector<Replaced> Document::replacements(const Redaction &) const
{
    return {};
}

Result<std::vector<ReportSource>> Document::reportSources(const QString &file) const
{
    if (!kind().isReported)
        return Error{ErrorCode::OtherContent,
                     "A report is made of plans and recordings; this is neither."};
    return std::vector<ReportSource>{{file, shared_from_this()}};
}

void Document::addReportSection(Report &, const std::string &, std::size_t, ByteUnit) const {}

std::vector<ReportFigure> Document::reportFigures(std::size_t, const FigureOptions &) const
{
    return {};
}

Caption captionOf(const QString &title, const QString &file, const QString &source)
{
    Caption caption;
    caption.title = title;
    caption.source = file.isEmpty() ? source : u"%1, %2"_s.arg(file, source);
    return caption;
}

QString fileWithoutNames(const QString &file, const Redaction &redaction)
{
    return toQString(redaction.fileName(file.toStdString()));
}

} // namespace vramscope
