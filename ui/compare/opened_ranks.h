// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct RankFolder;

/// A folder with the ranks of a run as a tab shows it.
class OpenedRanks : public Document
{
public:
    explicit OpenedRanks(std::shared_ptr<const RankFolder> folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView view) const override;
    [[nodiscard]] QStringList files() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override;
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override;
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override;

private:
    std::shared_ptr<const RankFolder> m_folder;
};

} // namespace vramscope
