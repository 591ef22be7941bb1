// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/tables/tables_document.h"

namespace vramscope {

class DataTableView;
class TabbedTables;

/// What nsys stats or Nsight Compute wrote: a sentence about it, what is unknown about it, and its
/// tables, one at a time. Sizes are as the tool wrote them, whatever the unit.
class TablesPage : public DocumentPage
{
    Q_OBJECT

public:
    explicit TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent = nullptr);

    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return QStringLiteral("profile#tables-of-nsight");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;

private:
    [[nodiscard]] const DataTable &shown() const;
    void showTable();

    std::shared_ptr<const TablesDocument> m_document;
    DataTableView *m_view;
    TabbedTables *m_tables;
};

} // namespace vramscope
