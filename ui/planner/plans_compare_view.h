// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QBoxLayout;
class QComboBox;
class QPushButton;
class QTreeWidget;

namespace vramscope {

class WaterfallChart;
class WrappedLabel;

/// A plan that can be chosen for a comparison. The pointers hold while it is being shown.
struct ComparablePlan
{
    QString key; ///< stays the same while names change
    QString title;
    const Plan *plan = nullptr;
    const Estimate *estimate = nullptr;
};

/// The last page of the lower card: which of two plans to run, what leads from one plan's peak to
/// the other's, part by part, what each costs, and the settings in which they differ. From the
/// baseline to this plan, until others are chosen. Computes nothing while it is not visible.
class PlansCompareView : public QWidget
{
    Q_OBJECT

public:
    /// The plans to choose from: first the baseline, last the plan of the page.
    using Source = std::function<std::vector<ComparablePlan>()>;

    explicit PlansCompareView(Source source, QWidget *parent = nullptr);

    /// The plans are others now.
    void plansChanged(ByteUnit unit);
    void setSelectedPart(std::optional<std::size_t> part);
    /// With what lies outside the tensors, up to what the device shows.
    void setDeviceLevel(bool device);
    [[nodiscard]] QComboBox *from() const { return m_from; }
    [[nodiscard]] QComboBox *to() const { return m_to; }
    [[nodiscard]] WaterfallChart *chart() const { return m_chart; }
    [[nodiscard]] QTreeWidget *fields() const { return m_fields; }

Q_SIGNALS:
    void partClicked(std::size_t part);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QComboBox *addPlanBox(QBoxLayout *row, const QString &name, QString *chosen);
    void refresh();
    void showFields(const ComparablePlan &from, const ComparablePlan &to);
    void showDecision(const ComparablePlan &from, const ComparablePlan &to, bool differ);

    Source m_source;
    ByteUnit m_unit = ByteUnit::Binary;
    QString m_fromKey; ///< empty: the baseline
    QString m_toKey;   ///< empty: the plan of the page
    bool m_device = false;
    bool m_stale = true;
    QComboBox *m_from = nullptr;
    QComboBox *m_to = nullptr;
    QPushButton *m_level;
    QBoxLayout *m_head;
    WrappedLabel *m_decision; ///< which of both to run, and why
    QBoxLayout *m_content;
    WaterfallChart *m_chart;
    QTreeWidget *m_fields;
};

} // namespace vramscope
