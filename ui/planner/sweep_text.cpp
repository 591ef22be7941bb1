// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fit_report.h"
#include "core/print/plan_report.h"
#include "ui/charts/column_chart.h"
#include "ui/planner/field_text.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <algorithm>
#include <cmath>

// What a SweepView says and draws of a sweep.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isPowerOfTwo(double value)
{
    int exponent = 0;
    return value > 0 && std::frexp(value, &exponent) == 0.5;
}

QString tooMuchText(const std::optional<FitSummary> &standing, ByteUnit unit)
{
    if (!standing || standing->headroom >= 0)
        return {};
    return (standing->verdict == Verdict::Tight ? u" (%1 too much by the likely figure: tight)"_s
                                                : u" (%1 too much)"_s)
        .arg(bytesText(-standing->headroom, unit));
}

/// "fits", "is tight", "does not fit"
QString isText(const std::optional<Verdict> &verdict)
{
    const Verdict is = verdict.value_or(Verdict::DoesNotFit);
    return (is == Verdict::Tight ? u"is "_s : QString()) + verdictText(is);
}

} // namespace

QString SweepView::valueText(double value) const
{
    return fieldValueText(*m_field, numberFor(*m_field, value), m_unit);
}

QString SweepView::sentenceText() const
{
    const QString label = toQString(m_field->label);
    if (!m_estimate.computed)
        return u"The plan as it is has no figures: see the line at the top."_s;
    if (!m_estimate.headroom)
        return u"The GPU's memory is not known, so no value can be said to fit."_s;
    if (m_largest && !m_largest->ok())
        return toQString(m_largest->error().detail);
    if (m_largest) {
        const ValueThatFits &it = m_largest->value();
        const auto number = [](const TriedValue &tried) { return countText(tried.value); };
        QString text;
        if (it.answer && it.next)
            text = (it.largest ? u"%1: fits up to %2; %3 does not%4."_s
                               : u"%1: fits from %2 on; %3 does not%4."_s)
                       .arg(label, number(*it.answer), number(*it.next),
                            tooMuchText(it.next->standing, m_unit));
        if (it.answer && it.answer->standing)
            text += u' ' + toQString(criterionText(it.answer->standing->verdict));
        else if (it.next)
            text = u"%1: %2 is the nearest%3."_s.arg(label, number(*it.next),
                                                     tooMuchText(it.next->standing, m_unit));
        return (text.trimmed() + u' ' + toQString(it.note)).trimmed();
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points))
        return u"%1: of the values shown, %2 %3 and %4 %5."_s.arg(
            label, valueText(m_points[crossing->better].value),
            isText(m_points[crossing->better].verdict), valueText(m_points[crossing->worse].value),
            isText(m_points[crossing->worse].verdict));
    const auto known = std::ranges::find_if(
        m_points, [](const SweepPoint &point) { return point.verdict.has_value(); });
    return known == m_points.end() ? u"%1: no value shown fits."_s.arg(label)
                                   : u"%1: every value shown that the plan can have %2."_s.arg(
                                         label, isText(known->verdict));
}

void SweepView::fillChart()
{
    StackedColumns content;
    content.capacity = m_estimate.capacity;
    content.emptyText = u"not computed"_s;
    const std::optional<double> here = valueInForce();
    for (const SweepPoint &point : m_points) {
        StackedColumn column;
        column.label = valueText(point.value);
        column.name = toQString(m_field->label) + u' ' + column.label;
        column.at = toQString(momentPhrase(point.at));
        column.refused = toQString(point.refused);
        column.major = isPowerOfTwo(point.value);
        std::ranges::copy(point.parts, column.parts.begin());
        column.parts[kOutsidePart] = point.outside;
        column.verdict = point.verdict;
        if (here == point.value)
            content.current = static_cast<int>(content.columns.size());
        content.columns.push_back(std::move(column));
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points)) {
        const auto [left, right] = std::minmax(crossing->better, crossing->worse);
        const auto word = [&](std::size_t at) {
            return verdictText(m_points[at].verdict.value_or(Verdict::DoesNotFit));
        };
        content.crossing = static_cast<int>(right);
        content.crossingText = u"◂ %1 │ %2 ▸"_s.arg(word(left), word(right));
    }
    m_chart->setUnit(m_unit);
    m_chart->setContent(content);
    m_chart->setAccessibleDescription(m_sentence->text());
}

} // namespace vramscope
