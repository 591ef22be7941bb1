// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/validation/throughput.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;
class FactTable;
class PageHead;

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
/// source. Draws from a finished validation.
class ThroughputView : public QWidget
{
    Q_OBJECT

public:
    explicit ThroughputView(std::shared_ptr<const SpeedValidation> speeds,
                            QWidget *parent = nullptr);

    void setFilter(const SpeedFilter &filter);
    [[nodiscard]] const SpeedFilter &filter() const { return m_filter; }
    /// By its index in the validation.
    void selectRow(std::optional<std::size_t> row);
    [[nodiscard]] std::optional<std::size_t> selectedRow() const { return m_selected; }
    /// Asks for the plan of a run as a document of its own; one without a plan has none.
    void openRow(std::size_t row);

    [[nodiscard]] QString headline() const;
    /// The selected run in one line.
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QTableView *familiesView() const { return m_familiesView; }
    [[nodiscard]] QTableView *rowsView() const { return m_rowsView; }
    [[nodiscard]] FactTable *terms() const { return m_terms; }
    [[nodiscard]] QPushButton *openButton() const { return m_open; }

Q_SIGNALS:
    void statusChanged();
    /// The plan of a run, named after it, and what was published of it.
    void planWanted(const vramscope::Plan &plan, const QString &notice);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] QWidget *makeFamilies();
    [[nodiscard]] QWidget *makeDetail();
    [[nodiscard]] QWidget *makeRows();
    void wire();
    void showRows();
    void showFamily();
    [[nodiscard]] std::string familyAt(int row) const;
    void showSelection();
    void showDetail();

    std::shared_ptr<const SpeedValidation> m_speeds;
    SpeedFilter m_filter;
    std::optional<std::size_t> m_selected;

    std::vector<std::size_t> m_kept; ///< the rows of m_rows
    DataTableModel *m_families;      ///< all runs, then the families in their order
    DataTableModel *m_rows;
    PageHead *m_head = nullptr;
    QTableView *m_familiesView = nullptr;
    QTableView *m_rowsView = nullptr;
    QLabel *m_name = nullptr;
    QLabel *m_facts = nullptr;
    FactTable *m_terms = nullptr;
    QComboBox *m_kind = nullptr;
    QLineEdit *m_text = nullptr;
    ElidedLabel *m_shown = nullptr;
    QPushButton *m_open = nullptr;
};

/// Indices of the runs that a filter keeps, in their order.
[[nodiscard]] std::vector<std::size_t> keptSpeeds(const SpeedValidation &speeds,
                                                  const SpeedFilter &filter);

} // namespace vramscope
