// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

/// A trace as a tab shows it.
class OpenedTrace : public Document
{
public:
    explicit OpenedTrace(std::shared_ptr<const TraceDocument> trace)
        : m_trace(std::move(trace))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] std::shared_ptr<const TraceDocument> trace() const override { return m_trace; }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView view) const override;
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;

private:
    std::shared_ptr<const TraceDocument> m_trace;
};

/// Where the device of an ordinal stands among those of a trace; of -1 the main one.
[[nodiscard]] std::optional<std::size_t> deviceIndex(const TraceDocument &trace, int ordinal);

/// A trace without names; as it was where `progress` cancels.
[[nodiscard]] std::shared_ptr<const TraceDocument>
withoutNames(const std::shared_ptr<const TraceDocument> &trace, const Redaction &redaction,
             const Progress &progress);
/// The texts of a trace that redaction changes.
[[nodiscard]] std::vector<Replaced> changedTexts(const TraceDocument &trace,
                                                 const Redaction &redaction);

} // namespace vramscope
