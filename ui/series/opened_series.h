// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct SeriesDocument;

/// A recording of curves over time as a tab shows it.
class OpenedSeries : public Document
{
public:
    explicit OpenedSeries(std::shared_ptr<const SeriesDocument> series)
        : m_series(std::move(series))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView view) const override;
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override;
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
    std::shared_ptr<const SeriesDocument> m_series;
};

} // namespace vramscope
