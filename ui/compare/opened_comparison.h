// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct ComparisonDocument;

/// Recordings that are compared in a tab.
class OpenedComparison : public Document
{
public:
    explicit OpenedComparison(std::shared_ptr<const ComparisonDocument> comparison)
        : m_comparison(std::move(comparison))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QString unfitText(RenderView) const override { return {}; }
    [[nodiscard]] QStringList files() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress = {}) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;

private:
    std::shared_ptr<const ComparisonDocument> m_comparison;
};

} // namespace vramscope
