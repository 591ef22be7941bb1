// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/opened_trace.h"

#include "core/trace/redaction.h"
#include "ui/export/exported_view.h"
#include "ui/support/text.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_document_page.h"

namespace vramscope {

using namespace Qt::StringLiterals;

std::unique_ptr<DocumentPage> OpenedTrace::makePage(const QString &title, const QString &path,
                                                    QWidget *parent) const
{
    return std::make_unique<TraceDocumentPage>(shared_from_this(), title, path, parent);
}

Caption OpenedTrace::caption(const QString &title, const QString &file, ByteUnit) const
{
    return captionOf(title, file, toQString(m_trace->trace->producer()));
}

QString OpenedTrace::unfitText(RenderView view) const
{
    return view == RenderView::Trace || view == RenderView::Alone
               ? QString()
               : u"This is a trace; its views are trace, active-memory and others; see --help."_s;
}

std::optional<std::size_t> OpenedTrace::deviceIndex(int ordinal) const
{
    return vramscope::deviceIndex(*m_trace, ordinal);
}

void OpenedTrace::gatherNames(Redaction &redaction) const
{
    redaction.gather(*m_trace->trace);
}

DocumentPointer OpenedTrace::withoutNames(const Redaction &redaction,
                                          const Progress &progress) const
{
    return std::make_shared<const OpenedTrace>(
        vramscope::withoutNames(m_trace, redaction, progress));
}

std::vector<Replaced> OpenedTrace::replacements(const Redaction &redaction) const
{
    return changedTexts(*m_trace, redaction);
}

Result<std::vector<ReportSource>> OpenedTrace::reportSources(const QString &file) const
{
    if (m_trace->devices.empty())
        return Error{ErrorCode::OtherContent,
                     "It holds no memory of any device, so there is nothing to report."};
    return std::vector<ReportSource>{{file, shared_from_this(), m_trace->mainDevice()}};
}

std::optional<std::size_t> deviceIndex(const TraceDocument &trace, int ordinal)
{
    if (ordinal < 0)
        return trace.mainDevice();
    for (std::size_t at = 0; at < trace.devices.size(); ++at) {
        if (trace.devices[at]->recorded.device == ordinal)
            return at;
    }
    return std::nullopt;
}

std::shared_ptr<const TraceDocument> withoutNames(const std::shared_ptr<const TraceDocument> &trace,
                                                  const Redaction &redaction,
                                                  const Progress &progress)
{
    const auto made = analyse(redaction.applied(*trace->trace), progress);
    return made ? made : trace;
}

std::vector<Replaced> changedTexts(const TraceDocument &trace, const Redaction &redaction)
{
    std::vector<Replaced> texts;
    for (const auto &[before, after] : redaction.changes(*trace.trace))
        texts.emplace_back(toQString(before), toQString(after));
    return texts;
}

} // namespace vramscope
