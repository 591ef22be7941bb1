// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/profiles/profiles_items.h"
#include "ui/profiles/profiles_tables.h"

namespace vramscope {

class BreakdownBar;
class DataTableView;
class TabbedTables;

/// The page of a folder of profiler traces: who is late, in a sentence; what else is unusual; a bar
/// per rank on one scale; tables. A row of a rank opens its trace.
class ProfilesPage : public DocumentPage
{
    Q_OBJECT

public:
    explicit ProfilesPage(ProfileFolderPointer folder, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit) override;
    [[nodiscard]] RanksTab tab() const;
    void setTab(RanksTab tab);
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("profile#ranks"); }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    void goTo(const QString &place) override;
    [[nodiscard]] DataTableView *view() const { return m_view; }
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeBars();
    void connectParts();
    void showTable();
    void openFile(const QString &name);

    ProfileFolderPointer m_folder;
    BreakdownBar *m_bar;
    DataTableView *m_view;
    TabbedTables *m_tables;
};

} // namespace vramscope
