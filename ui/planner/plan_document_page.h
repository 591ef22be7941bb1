// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"

namespace vramscope {

class PlanPage;

/// The page of a plan as the window sees it.
class PlanDocumentPage : public DocumentPage, private PlanEditing, private PlansBeside
{
public:
    /// `document` is a plan.
    PlanDocumentPage(DocumentPointer document, const QString &title, QWidget *parent);

    [[nodiscard]] QWidget *widget() const override;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] DocumentPointer document() const override;
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("plan"); }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override;
    void restore(const QVariantMap &state) override;
    void workNow() override;
    [[nodiscard]] QUndoStack *undoStack() const override;
    [[nodiscard]] PlanEditing *planEditing() override { return this; }
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }

private:
    [[nodiscard]] const Plan &plan() const override;
    [[nodiscard]] const Plan &openedPlan() const override;
    void replacePlan(const Plan &plan, const QString &name) override;
    void showPlanView(PlanView view) override;
    [[nodiscard]] bool isModified() const override;
    void markSaved() override;
    void markUnsaved() override;
    [[nodiscard]] std::vector<NamedPlan> plans() const override;
    void addPlan(const NamedPlan &plan) override;
    void setPlanMissing(const QString &) override {}

    PlanPage *m_page;
};

} // namespace vramscope
