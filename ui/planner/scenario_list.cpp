// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/scenario_list.h"

#include "core/plan/field.h"
#include "core/settings/settings.h"
#include "ui/planner/field_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kNamedFields = 2; ///< in the name of a scenario

/// "Micro-batch 4, Loss linear, fused and 2 more".
QString differenceName(const std::vector<FieldDifference> &differences)
{
    QStringList words;
    for (const FieldDifference &difference : differences) {
        if (words.size() < static_cast<qsizetype>(kNamedFields))
            words.append(toQString(difference.field->label) + u' ' + difference.after);
    }
    QString name = words.join(u", "_s);
    if (differences.size() > kNamedFields)
        name += u" and %1 more"_s.arg(differences.size() - kNamedFields);
    return name;
}

} // namespace

std::vector<FieldDifference> differingFields(const Plan &before, const Settings &beforeSettings,
                                             const Plan &after, const Settings &afterSettings,
                                             ByteUnit unit)
{
    std::vector<FieldDifference> differences;
    for (const Field &field : planFields()) {
        const FieldValue a = field.get(before);
        const FieldValue b = field.get(after);
        if (a == b)
            continue;
        const FieldValue inForceA = effectiveValue(before, beforeSettings, field);
        const FieldValue inForceB = effectiveValue(after, afterSettings, field);
        if (inForceA != inForceB)
            differences.push_back({&field, fieldValueText(field, inForceA, unit),
                                   fieldValueText(field, inForceB, unit)});
    }
    return differences;
}

QString Scenario::title() const
{
    return name.isEmpty() ? QString(letter) : letter + u' ' + name;
}

void ScenarioList::reset(const Plan &opened)
{
    m_opened = opened;
    m_openedEstimate = estimate(opened);
    m_all.clear();
    m_baseline = {};
    Q_EMIT changed();
}

QChar ScenarioList::freeLetter() const
{
    for (char16_t letter = u'A';; ++letter) {
        if (std::ranges::none_of(m_all, [&](const Scenario &one) { return one.letter == letter; }))
            return letter;
    }
}

std::optional<std::size_t> ScenarioList::find(const Plan &plan) const
{
    const auto found = std::ranges::find(m_all, plan, &Scenario::plan);
    if (found == m_all.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_all.begin());
}

void ScenarioList::pin(const Plan &plan, const Estimate &estimate, const QString &name)
{
    if (full() || find(plan))
        return;
    const QString difference =
        plan == m_opened
            ? u"as opened"_s
            : differenceName(differingFields(baselinePlan(), *baselineEstimate().settings, plan,
                                             *estimate.settings, ByteUnit::Binary));
    Scenario scenario{freeLetter(), name.isEmpty() ? difference : name.simplified(), plan,
                      estimate};
    const auto place = std::ranges::upper_bound(m_all, scenario.letter, {}, &Scenario::letter);
    m_all.insert(place, std::move(scenario));
    Q_EMIT changed();
}

void ScenarioList::rename(std::size_t index, const QString &name)
{
    m_all[index].name = name.simplified();
    Q_EMIT changed();
}

void ScenarioList::remove(std::size_t index)
{
    if (m_all[index].letter == m_baseline)
        m_baseline = {};
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(index));
    Q_EMIT changed();
}

void ScenarioList::setBaseline(std::optional<std::size_t> index)
{
    m_baseline = index ? m_all[*index].letter : QChar();
    Q_EMIT changed();
}

std::optional<std::size_t> ScenarioList::baseline() const
{
    const auto found = std::ranges::find(m_all, m_baseline, &Scenario::letter);
    if (found == m_all.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_all.begin());
}

const Plan &ScenarioList::baselinePlan() const
{
    const std::optional<std::size_t> index = baseline();
    return index ? m_all[*index].plan : m_opened;
}

const Estimate &ScenarioList::baselineEstimate() const
{
    const std::optional<std::size_t> index = baseline();
    return index ? m_all[*index].estimate : m_openedEstimate;
}

QString ScenarioList::baselineTitle() const
{
    const std::optional<std::size_t> index = baseline();
    return index ? m_all[*index].title() : u"As opened"_s;
}

QString ScenarioList::baselineName() const
{
    return baseline() ? QString(m_baseline) : u"the opened plan"_s;
}

} // namespace vramscope
