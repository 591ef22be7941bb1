// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct ReconcileDocument;

/// A recording as a tab shows it that compares a plan with it. The plan is that of another tab, and
/// changes.
class OpenedReconciliation : public Document
{
public:
    explicit OpenedReconciliation(std::shared_ptr<const ReconcileDocument> recording)
        : m_recording(std::move(recording))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView) const override { return {}; }
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override;
    [[nodiscard]] QStringList files() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;

private:
    std::shared_ptr<const ReconcileDocument> m_recording;
};

} // namespace vramscope
