// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/report/plan_settings.h"
#include "core/settings/checks.h"
#include "core/settings/field_conditions.h"
#include "core/table/terminal_table.h"
#include "tests/core/planner/field_samples.h"
#include "tests/support/test.h"
#include "ui/planner/plan_form.h"
#include "ui/support/text.h"

#include <QDirIterator>

#include <algorithm>
#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

std::vector<std::pair<QString, Plan>> plansIn(const QString &folder)
{
    std::vector<std::pair<QString, Plan>> plans;
    QDirIterator files(test::projectFile(folder), {u"*.vramplan"_s, u"*.json"_s}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        if (Result<Plan> plan = parsePlan(file.readAll().toStdString()))
            plans.emplace_back(files.fileName(), std::move(plan).value());
    }
    return plans;
}

/// What a report lists under the label of a field: the values of all fields that are called so.
std::vector<std::string> listed(const TextTable &table, const Field &field)
{
    std::vector<std::string> values;
    for (const auto &row : table.rows())
        if (row[0] == field.label)
            values.push_back(row[1]);
    return values;
}

bool isUnique(const Field &field)
{
    return std::ranges::count(planFields(), field.label, &Field::label) == 1;
}

/// A plan, its answer, and what a report lists of its settings.
struct Answered
{
    explicit Answered(Plan of)
        : plan(std::move(of))
    {
    }

    Plan plan;
    Estimate it = estimate(plan);
    TextTable stated = textRows(settingsTable(plan, *it.settings, true, ByteUnit::Binary));
    TextTable defaults = textRows(settingsTable(plan, *it.settings, false, ByteUnit::Binary));
};

/// Whether notes and report agree with the row of a field; what is wrong, or nothing.
QString disagreement(const Answered &answered, const Field &field)
{
    const auto &[plan, it, statedTable, defaultsTable] = answered;
    const Condition *broken = field.condition->broken(*it.settings);
    const bool waits = broken == &applies::training || broken == &applies::inference ||
                       broken == &applies::anyTraining || broken == &applies::anyInference ||
                       broken == &applies::rl;
    const FieldValue own = field.get(plan);
    const bool noted = std::ranges::any_of(
        it.issues, [&](const Issue &issue) { return issue.field == field.path.text(); });
    if (broken && !waits && asksForSomething(own) && !noted)
        return u"no note"_s;
    if (!isUnique(field) || field.path == "name")
        return {};
    const auto stated = listed(statedTable, field);
    const auto defaults = listed(defaultsTable, field);
    if (broken && !defaults.empty())
        return u"listed among the defaults"_s;
    if (isStated(own) != !stated.empty() && own != FieldValue(TextList{}))
        return u"stated, and not listed so"_s;
    if (!stated.empty() && stated.front().ends_with("(without effect)") != (broken != nullptr))
        return u"listed as "_s + toQString(stated.front());
    return {};
}

} // namespace

/// A setting without effect is never listed, hidden and silent at once: notes, report and form all
/// read the row of its field.
class TestSettingsWithoutEffect : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void areNotedAndMarkedInEveryShippedPlan();
    void areNotedAndMarkedWhateverIsStated();
    void areHiddenInTheForm();
    void ofServingAreNoneOfTraining();
};

void TestSettingsWithoutEffect::areNotedAndMarkedInEveryShippedPlan()
{
    const auto plans = plansIn(u"resources"_s);
    QVERIFY(plans.size() > 20);
    for (const auto &[name, plan] : plans) {
        const Answered answered(plan);
        for (const Field &field : planFields())
            QVERIFY2(disagreement(answered, field).isEmpty(),
                     qPrintable(name + u": "_s + toQString(field.path) + u' ' +
                                disagreement(answered, field)));
    }
}

void TestSettingsWithoutEffect::areNotedAndMarkedWhateverIsStated()
{
    int without = 0;
    for (const auto &[name, example] : plansIn(u"resources/examples"_s)) {
        for (const Field &field : planFields()) {
            Plan plan = example;
            QVERIFY(setField(plan, field, test::sampleValue(field)).ok());
            const Answered answered(std::move(plan));
            without += field.applies(*answered.it.settings) ? 0 : 1;
            QVERIFY2(disagreement(answered, field).isEmpty(),
                     qPrintable(name + u": "_s + toQString(field.path) + u' ' +
                                disagreement(answered, field)));
        }
    }
    QVERIFY(without > 200);
}

void TestSettingsWithoutEffect::areHiddenInTheForm()
{
    PlanForm form;
    const auto agrees = [&](const Plan &plan) {
        const Estimate it = estimate(plan);
        form.showPlan(plan, it, plan, it);
        for (const Field &field : planFields()) {
            const FieldRow *row = form.row(field.path);
            if (!row || field.path == "model.pipeline") // which the list of models shows
                continue;
            const bool objected = std::ranges::any_of(it.issues, [&](const Issue &issue) {
                return issue.severity != Issue::Severity::Note && issue.field == field.path.text();
            });
            const bool visible = row->isVisibleTo(&form);
            const bool applies = field.applies(*it.settings);
            if ((visible && !applies && !objected) ||
                (!visible && applies && isStated(field.get(plan))))
                return toQString(field.path);
        }
        return QString();
    };
    for (const auto &[name, plan] : plansIn(u"resources/examples"_s)) {
        QCOMPARE(agrees(plan), QString());
        for (const FieldPath path :
             {FieldPath("parallel.bucket.max_live_parameters"), FieldPath("batch.no_sync"),
              FieldPath("activations.offload"), FieldPath("inference.block_size")}) {
            Plan stated = plan;
            QVERIFY(setField(stated, fieldAt(path), test::sampleValue(fieldAt(path))).ok());
            QCOMPARE(agrees(stated), QString());
        }
    }
}

void TestSettingsWithoutEffect::ofServingAreNoneOfTraining()
{
    Plan serving;
    serving.model.preset = "llama-3-8b";
    serving.workload = Workload::Inference;
    const Estimate it = estimate(serving);
    const TextTable defaults =
        textRows(settingsTable(serving, *it.settings, false, ByteUnit::Binary));
    for (const Field &field : planFields())
        if (field.condition->broken(*it.settings) == &applies::training)
            QVERIFY2(!isUnique(field) || listed(defaults, field).empty(), field.path.text().data());
}

VRAMSCOPE_TEST(TestSettingsWithoutEffect)
#include "tst_settings_without_effect.moc"
