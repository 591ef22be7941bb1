// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_report.h"
#include "ui/charts/column_chart.h"
#include "ui/planner/field_text.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/text.h"

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

QString tooMuchText(const std::optional<Standing> &standing, ByteUnit unit)
{
    if (!standing || standing->headroom >= 0)
        return {};
    return u" (%1 too much)"_s.arg(bytesText(-standing->headroom, unit));
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
        return it.note.empty() ? text : (text + u' ' + toQString(it.note)).trimmed();
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points))
        return u"%1: of the values shown, %2 fits and %3 does not."_s.arg(
            label, valueText(m_points[crossing->fits].value),
            valueText(m_points[crossing->tooLarge].value));
    const bool some = std::ranges::any_of(m_points, &SweepPoint::fits);
    return (some ? u"%1: every value shown that the plan can have fits."_s
                 : u"%1: no value shown fits."_s)
        .arg(label);
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
        if (here == point.value)
            content.current = static_cast<int>(content.columns.size());
        content.columns.push_back(std::move(column));
    }
    if (const std::optional<SweepCrossing> crossing = crossingOf(m_points)) {
        content.crossing = static_cast<int>(std::max(crossing->fits, crossing->tooLarge));
        content.crossingText = crossing->fits < crossing->tooLarge ? u"◂ fits │ does not ▸"_s
                                                                   : u"◂ does not │ fits ▸"_s;
    }
    m_chart->setUnit(m_unit);
    m_chart->setContent(content);
    m_chart->setAccessibleDescription(m_sentence->text());
}

} // namespace vramscope
