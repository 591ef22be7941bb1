// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "ui/document/document_page.h"

namespace vramscope {

class TracePage;

/// The page of a trace as the window sees it.
class TraceDocumentPage : public DocumentPage, private TimelineUse, private TraceUse
{
public:
    /// `document` is a trace.
    TraceDocumentPage(const DocumentPointer &document, const QString &title, const QString &path,
                      QWidget *parent);

    [[nodiscard]] QWidget *widget() const override;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QString helpTopic() const override;
    [[nodiscard]] QString selectedText() const override;
    [[nodiscard]] bool isPresentable() const override { return !compared().empty(); }
    [[nodiscard]] std::vector<StageItem> stageItems() const override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] std::vector<ComparedTrace> compared() const override;
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override;
    void restore(const QVariantMap &state) override;
    void showDevice(std::size_t device) override;
    [[nodiscard]] QUndoStack *undoStack() const override;
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    [[nodiscard]] TraceUse *traceUse() override { return this; }

private:
    [[nodiscard]] TimelineState *timeline() const override;
    void goToPeak() override;
    void showView(const TraceShot &shot) override;
    [[nodiscard]] BookmarkModel *bookmarks() const override;
    void addBookmark() override;
    void stepBookmark(bool forward) override;
    [[nodiscard]] std::optional<StageItem> viewItem() const override;
    [[nodiscard]] bool takesLog() const override;
    QString takeLog(std::shared_ptr<const Series> log) override;

    [[nodiscard]] std::vector<StageItem> itemsWith(std::vector<Bookmark> bookmarks) const;

    ComparedTrace m_trace;
    TracePage *m_page;
};

} // namespace vramscope
