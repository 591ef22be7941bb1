// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import.h"
#include "ui/document/document.h"

namespace vramscope {

/// A plan as a tab shows it: a document of ours, or one made of another tool's file.
class OpenedPlan : public Document
{
public:
    explicit OpenedPlan(Plan plan);
    explicit OpenedPlan(Imported imported);

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] const Plan *plan() const override { return &m_made.plan; }
    [[nodiscard]] const Imported *imported() const override
    {
        return m_isImported ? &m_made : nullptr;
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView view) const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;

private:
    Imported m_made;
    bool m_isImported = false;
};

/// The lines of a plan's file that redaction changes.
[[nodiscard]] std::vector<Replaced> changedLines(const Plan &plan, const Redaction &redaction);

} // namespace vramscope
