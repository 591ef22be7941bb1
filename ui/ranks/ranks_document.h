// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"
#include "ui/document/document.h"

#include <mutex>

namespace vramscope {

/// The ranks of a run. Their curves may be read later, by whoever needs them first.
class RanksDocument : public Document, public FilesWork
{
public:
    explicit RanksDocument(RunStudyPointer study);

    /// As far as it has been read.
    [[nodiscard]] RunStudyPointer study() const;
    /// With the curves, which a page has read.
    void keep(RunStudyPointer study) const;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    [[nodiscard]] QStringList files() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    /// Compares profiler traces that are read whole by other rules; null if the rules do not
    /// change.
    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure>
    reportFigures(std::size_t number, const FigureOptions &options) const override;

private:
    /// With the curves, read now if they have not been; without them where they cannot be read.
    [[nodiscard]] RunStudyPointer whole(const Progress &progress = {}) const;

    mutable std::mutex m_mutex;
    mutable RunStudyPointer m_study; ///< grows as more is read, as the parts of a Study do
};

} // namespace vramscope
