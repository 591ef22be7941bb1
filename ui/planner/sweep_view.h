// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/largest_value.h"
#include "core/solver/sweep.h"
#include "ui/support/plan_follower.h"

#include <QComboBox>
#include <QLabel>
#include <QList>

#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

class ColumnChart;
class NumberBox;

/// What a plan needs over the values of one of its fields, against the capacity, with the end of
/// the values that fit marked and told in words. A click on a value asks for it. A sweep
/// takes about a millisecond.
class SweepView : public PlanFollower
{
    Q_OBJECT

public:
    explicit SweepView(QWidget *parent = nullptr);

    /// Sweeps another field, over the range that suits it.
    void setField(const Field &field);
    /// Sweeps from one value to another; nothing: an end that suits field and plan.
    void setRange(std::optional<double> from, std::optional<double> to);

    [[nodiscard]] const Field *field() const { return m_field; }
    [[nodiscard]] const std::vector<SweepPoint> &points() const { return m_points; }
    [[nodiscard]] ColumnChart *chart() const { return m_chart; }
    [[nodiscard]] QComboBox *fieldBox() const { return m_fieldBox; }
    [[nodiscard]] NumberBox *fromBox() const { return m_from; }
    [[nodiscard]] NumberBox *toBox() const { return m_to; }
    /// Up to which value the plan fits, in words.
    [[nodiscard]] QString sentence() const { return m_sentence->text(); }

Q_SIGNALS:
    void valueChosen(const vramscope::Field &field, const vramscope::FieldValue &value);

private:
    void listFields();
    void compute() override;
    void fillChart();
    void makeBoxes();
    void take(int column);
    [[nodiscard]] std::pair<double, double> suitingRange() const;
    [[nodiscard]] std::optional<double> valueInForce() const;
    [[nodiscard]] QString sentenceText() const;
    [[nodiscard]] QString valueText(double value) const;

    QComboBox *m_fieldBox;
    QWidget *m_boxes; ///< those of the range, made anew for each field: they know its kind
    NumberBox *m_from = nullptr;
    NumberBox *m_to = nullptr;
    QLabel *m_sentence;
    ColumnChart *m_chart;
    QList<const Field *> m_listed;
    const Field *m_field = nullptr;
    std::optional<double> m_fromWanted;
    std::optional<double> m_toWanted;
    std::optional<Result<ValueThatFits>> m_largest; ///< of fields that the solver answers for
    std::vector<SweepPoint> m_points;
};

} // namespace vramscope
