// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/jobs/job.h"
#include "ui/profile_difference/difference_tables.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;

namespace vramscope {

class BreakdownBar;
class FactTable;
class ProfileTableView;

/// The page of two profiler traces: the answer in a sentence, a bar for each side on one scale, and
/// tables of what changed, the sum that closes first. Other steps are compared off the GUI thread.
class DifferencePage : public QWidget
{
    Q_OBJECT

public:
    explicit DifferencePage(DifferencePointer document, QWidget *parent = nullptr);
    ~DifferencePage() override;

    /// What is shown now: of the chosen steps, and of the chosen order of the sides.
    [[nodiscard]] const DifferencePointer &document() const { return m_document; }
    /// Compares something else of the same two; shown at once.
    void setDocument(DifferencePointer document);

    [[nodiscard]] DifferenceTab tab() const;
    void setTab(DifferenceTab tab);
    [[nodiscard]] const DifferenceFilter &filter() const { return m_filter; }
    void setFilter(const DifferenceFilter &filter);
    [[nodiscard]] QString search() const;
    void setSearch(const QString &text);
    /// Works out on this thread what a job is about to.
    void workNow();

    [[nodiscard]] QString statusText() const;
    [[nodiscard]] ProfileTableView *view() const { return m_view; }
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }

Q_SIGNALS:
    void statusChanged();

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
    QLabel *m_headline = nullptr;
    QLabel *m_sides = nullptr;
    QComboBox *m_scope = nullptr;
    QPushButton *m_swap = nullptr;
    BreakdownBar *m_bar = nullptr;
    FactTable *m_sum = nullptr;
    QTabBar *m_tabs = nullptr;
    QComboBox *m_state = nullptr;
    QLabel *m_note = nullptr;
    QPushButton *m_clear = nullptr;
    QLineEdit *m_search = nullptr;
    ProfileTableView *m_view = nullptr;
    std::unique_ptr<Job> m_job;
    std::function<DifferencePointer()> m_pending; ///< what the job is about to give
};

} // namespace vramscope
