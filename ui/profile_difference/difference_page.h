// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/jobs/job.h"
#include "ui/profile_difference/difference_text.h"

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace vramscope {

class BreakdownBar;
class FactTable;
class PageHead;
class DataTableView;
class TabbedTables;

/// The page of two profiler traces: the answer in a sentence, a bar for each side on one scale, and
/// tables of what changed, the sum that closes first. Other steps are compared off the GUI thread.
class DifferencePage : public DocumentPage
{
    Q_OBJECT

public:
    explicit DifferencePage(DifferencePointer document, QWidget *parent = nullptr);
    ~DifferencePage() override;

    /// What is shown now: of the chosen steps, and of the chosen order of the sides.
    [[nodiscard]] DocumentPointer document() const override { return m_document; }
    [[nodiscard]] const DifferencePointer &difference() const { return m_document; }
    /// Compares something else of the same two; shown at once.
    void setDocument(DifferencePointer document);

    [[nodiscard]] DifferenceTab tab() const;
    void setTab(DifferenceTab tab);
    [[nodiscard]] const DifferenceFilter &filter() const { return m_filter; }
    void setFilter(const DifferenceFilter &filter);
    [[nodiscard]] QString search() const;
    void setSearch(const QString &text);

    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return QStringLiteral("profile#before-and-after");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ComparedTrace> compared() const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    void goTo(const QString &place) override;
    void workNow() override;
    [[nodiscard]] DataTableView *view() const { return m_view; }
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeTables();
    void connectParts();
    void fillScopes();
    void compareAgain(std::array<ComparedTrace, 2> sides, const DifferenceScope &scope);
    void showAll();
    void showTable();

    DifferencePointer m_document;
    std::vector<DifferenceScope> m_scopes; ///< of the box
    DifferenceFilter m_filter;
    QLabel *m_problems = nullptr;
    PageHead *m_head = nullptr;
    QLabel *m_sides = nullptr;
    QComboBox *m_scope = nullptr;
    QPushButton *m_swap = nullptr;
    BreakdownBar *m_bar = nullptr;
    FactTable *m_sum = nullptr;
    QComboBox *m_state = nullptr;
    QPushButton *m_clear = nullptr;
    QLineEdit *m_search = nullptr;
    DataTableView *m_view = nullptr;
    TabbedTables *m_tables = nullptr;
    std::unique_ptr<Job> m_job;
    std::function<DifferencePointer()> m_pending; ///< what the job is about to give
};

} // namespace vramscope
