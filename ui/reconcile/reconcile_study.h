// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/reconcile/reconcile.h"
#include "ui/compare/comparison.h"

#include <memory>

namespace vramscope {

/// What a tab reads that compares a plan with a recording: the recording. Its plan is that of
/// another tab, and changes.
struct ReconcileDocument : Document
{
    explicit ReconcileDocument(ComparedTrace compared)
        : recording(std::move(compared))
    {
    }

    ComparedTrace recording; ///< with a document

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override
    {
        return recording.document->deviceIndex(ordinal);
    }
    [[nodiscard]] QStringList files() const override { return {recording.path}; }
    void gatherNames(Redaction &redaction) const override
    {
        recording.document->gatherNames(redaction);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        return recording.document->replacements(redaction);
    }
};

/// Index of the device whose peak is highest: the one that limits a plan.
[[nodiscard]] std::size_t highestDevice(const TraceDocument &document);

/// Finds out what every plan is compared with; false where `progress` asked to stop.
bool studyToReconcile(const ComparedTrace &recording, const Progress &progress = {});
[[nodiscard]] bool isStudiedToReconcile(const ComparedTrace &recording);

/// The plan compared with the device; both are computed off the GUI thread.
[[nodiscard]] std::shared_ptr<const Reconciliation>
heldAgainst(const ComparedTrace &recording, const Plan &plan, const Progress &progress);

} // namespace vramscope
