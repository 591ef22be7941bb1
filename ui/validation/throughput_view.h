// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"
#include "ui/validation/measured_view.h"

#include <QString>

#include <memory>
#include <vector>

class QLabel;

namespace vramscope {

class FactTable;

/// Runs by what their prediction rests on.
enum class SpeedFilterKind { All, Calibrated, Calibrates, Catalogue, NotComputed, Missed };

/// Which runs are looked at.
struct SpeedFilter
{
    SpeedFilterKind kind = SpeedFilterKind::All;
    std::string family; ///< empty: every one, and those that stand alone
    QString text;       ///< every word of it stands somewhere in the row
};

/// How far to trust projected speeds: published ones beside what the projection says. A sentence,
/// the families with their errors, the parts of the selected run's step, and every run with its
/// source.
class ThroughputView : public MeasuredView
{
    Q_OBJECT

public:
    explicit ThroughputView(std::shared_ptr<const SpeedValidation> speeds,
                            QWidget *parent = nullptr);

    void setFilter(const SpeedFilter &filter);
    [[nodiscard]] const SpeedFilter &filter() const { return m_filter; }
    void openRow(std::size_t row) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QTableView *familiesView() const { return m_familiesView; }
    [[nodiscard]] FactTable *terms() const { return m_terms; }

protected:
    void showSelection() override;

private:
    [[nodiscard]] QWidget *makeFamilies();
    [[nodiscard]] QWidget *makeDetail();
    [[nodiscard]] QWidget *makeRuns();
    void wire();
    void showRows();
    void showFamily();
    [[nodiscard]] std::string familyAt(int row) const;
    void showDetail();

    std::shared_ptr<const SpeedValidation> m_speeds;
    SpeedFilter m_filter;
    DataTableModel *m_families; ///< all runs, then the families in their order
    QTableView *m_familiesView = nullptr;
    QLabel *m_name = nullptr;
    QLabel *m_facts = nullptr;
    FactTable *m_terms = nullptr;
};

/// Indices of the runs that a filter keeps, in their order.
[[nodiscard]] std::vector<std::size_t> keptSpeeds(const SpeedValidation &speeds,
                                                  const SpeedFilter &filter);

// What the page about published training speeds says, as pure functions of them.

/// One line: what was published and what is projected.
[[nodiscard]] QString speedSentence(const ComparedSpeed &row);
/// What the run is and rests on, and its source, as rich text.
[[nodiscard]] QString speedFacts(const ComparedSpeed &row);
/// How many runs there are and how well they are met, first of all.
[[nodiscard]] QString speedHeadline(const SpeedValidation &speeds);
/// What is compared, and what the words mean.
[[nodiscard]] QString speedExplanation(const SpeedValidation &speeds);

} // namespace vramscope
