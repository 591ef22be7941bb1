// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/field.h"
#include "core/settings/settings.h"
#include "tests/core/planner/field_samples.h"
#include "tests/support/test.h"

#include <cmath>
#include <set>

using namespace vramscope;
using test::otherValues;
using test::sampleValue;

class TestField : public test::Test
{
    Q_OBJECT

private slots:
    void everyDeclaredFieldHasItsRow();
    void everyFieldHasItsPlaceInTheForm();
    void everyFieldHasWordsForAForm();
    void everyFieldKeepsWhatItIsGiven();
    void everyFieldRefusesOtherTypesAndSaysWhatItMayBe();
    void everyRangeEndsWhereItSays();
    void aRefusedValueChangesNothing();
    void groupSizesKnowOneGroupButNotNone();
    void listsRefuseUnknownAndRepeatedWords();
    void aConfigIsKeptWithoutWhiteSpaceAndInItsOrder();
    void unstatedFieldsShowTheDefaultInForce();
    void statedFieldsShowWhatThePlanSays();
};

void TestField::everyDeclaredFieldHasItsRow()
{
    QCOMPARE(planFields().size(), kFieldPaths.size());
    for (std::size_t i = 0; i < kFieldPaths.size(); ++i) {
        const Field &field = planFields()[i];
        QCOMPARE(field.path.text(), std::string_view(kFieldPaths[i]));
        QCOMPARE(findField(field.path), &field);
    }
    QCOMPARE(findField("batch"), nullptr);
}

void TestField::everyFieldHasItsPlaceInTheForm()
{
    const auto form = formFields();
    QCOMPARE(std::set(form.begin(), form.end()).size(), planFields().size());
    std::set<std::string_view> begun;
    for (std::size_t i = 0; i < form.size(); ++i) {
        QVERIFY(!form[i]->group.empty());
        if (i == 0 || form[i]->group != form[i - 1]->group)
            QVERIFY2(begun.insert(form[i]->group).second, form[i]->path.text().data());
    }
}

void TestField::everyFieldHasWordsForAForm()
{
    for (const Field &field : planFields()) {
        const std::string path(field.path);
        QVERIFY2(!field.label.empty() && field.label.size() < 30, path.c_str());
        QVERIFY2(field.help.size() > 15 && field.help.ends_with('.'), path.c_str());
        QVERIFY2(field.maximum < 9007199254740992.0, path.c_str());
    }
}

void TestField::everyFieldKeepsWhatItIsGiven()
{
    for (const Field &field : planFields()) {
        const std::string path(field.path);
        Plan plan;
        QVERIFY2(field.get(plan) == FieldValue(), path.c_str());
        QVERIFY2(setField(plan, field, sampleValue(field)).ok(), path.c_str());
        QVERIFY2(field.get(plan) == sampleValue(field), path.c_str());
        QVERIFY2(!(plan == Plan()), path.c_str());
        QVERIFY(setField(plan, field, {}).ok());
        QVERIFY2(plan == Plan(), path.c_str());
    }
}

void TestField::everyFieldRefusesOtherTypesAndSaysWhatItMayBe()
{
    for (const Field &field : planFields()) {
        for (const FieldValue &value : otherValues(field)) {
            Plan plan;
            const auto result = setField(plan, field, value);
            const std::string path(field.path);
            QVERIFY2(!result.ok(), path.c_str());
            QVERIFY2(result.error().detail.starts_with(path + " is "), path.c_str());
            QVERIFY2(result.error().detail.find("it must be") != std::string::npos, path.c_str());
            QVERIFY(plan == Plan());
        }
    }
}

void TestField::everyRangeEndsWhereItSays()
{
    for (const Field &field : planFields()) {
        const bool real = field.kind == FieldKind::Number;
        if (!real && field.kind != FieldKind::Count && field.kind != FieldKind::Size)
            continue;
        const auto accepts = [&](double value) {
            Plan plan;
            const FieldValue given = real ? FieldValue(value) : FieldValue(std::int64_t(value));
            return setField(plan, field, given).ok();
        };
        const double step = real ? 0.001 : 1;
        const std::string path(field.path);
        QVERIFY2(accepts(field.minimum) && accepts(field.maximum), path.c_str());
        QVERIFY2(!accepts(field.minimum - step) && !accepts(field.maximum + step), path.c_str());
        if (real)
            QVERIFY(!accepts(std::nan("")) && !accepts(HUGE_VAL));
    }
}

void TestField::aRefusedValueChangesNothing()
{
    Plan plan;
    plan.batch.microBatch = 4;
    QVERIFY(!setField(plan, *findField("batch.micro_batch"), std::int64_t(0)).ok());
    QCOMPARE(*plan.batch.microBatch, std::int64_t(4));
}

void TestField::groupSizesKnowOneGroupButNotNone()
{
    Plan plan;
    const Field &field = *findField("inference.group_size");
    QVERIFY(setField(plan, field, std::int64_t(-1)).ok());
    QVERIFY(setField(plan, field, std::int64_t(64)).ok());
    QVERIFY(!setField(plan, field, std::int64_t(0)).ok());
}

void TestField::listsRefuseUnknownAndRepeatedWords()
{
    Plan plan;
    const Field &field = *findField("adapters.targets");
    const auto unknown = setField(plan, field, TextList{"q", "gates"});
    QCOMPARE(
        unknown.error().detail,
        std::string(
            "adapters.targets holds \"gates\"; it must be a list out of q, k, v, o, "
            "gate, up, down, head, all-linear, in_proj, x_proj, out_proj, experts (did you mean "
            "'gate'?)."));
    QVERIFY(!setField(plan, field, TextList{"q", "q"}).ok());
    QVERIFY(setField(plan, field, TextList{}).ok());
    // One word is a list of it, as PEFT takes it.
    QVERIFY(setField(plan, field, std::string("all-linear")).ok());
    QCOMPARE(std::get<TextList>(field.get(plan)), TextList{"all-linear"});
    QVERIFY(!setField(plan, field, std::string("gates")).ok());
}

void TestField::aConfigIsKeptWithoutWhiteSpaceAndInItsOrder()
{
    Plan plan;
    const Field &field = *findField("model.config");
    QVERIFY(setField(plan, field, std::string("{ \"z\": 1,\n \"a\": [1, 2] }")).ok());
    QCOMPARE(*plan.model.config, std::string("{\"z\":1,\"a\":[1,2]}"));
    QVERIFY(!setField(plan, field, std::string("[1]")).ok());
    QVERIFY(!setField(plan, field, std::string("{\"a\": 1")).ok());
}

void TestField::unstatedFieldsShowTheDefaultInForce()
{
    Plan plan;
    plan.model.preset = "qwen3-8b";
    plan.parallel.data = 4;
    const auto effective = [&plan](const char *path) {
        return effectiveValue(plan, *findField(path));
    };
    QVERIFY(effective("workload") == FieldValue(std::string("training")));
    QVERIFY(effective("hardware.gpus") == FieldValue(std::int64_t(4)));
    QVERIFY(effective("hardware.gpu") == FieldValue());
    QVERIFY(effective("batch.sequence_length") == FieldValue(std::int64_t(2048)));
    QVERIFY(effective("loss") == FieldValue(std::string("hf-upcast")));
    QVERIFY(effective("model.norm") == FieldValue(std::string("rmsnorm")));
    QVERIFY(effective("model.qk_norm") == FieldValue(true));
    QVERIFY(effective("model.bias") == FieldValue(TextList{}));
    QVERIFY(effective("inference.max_model_len") == FieldValue(std::int64_t(40960)));
    QVERIFY(effective("parallel.stage") == FieldValue());
    plan.precision.regime = Regime::Fp32;
    QVERIFY(effective("loss") == FieldValue(std::string("cross-entropy-fp32")));
    plan.model.preset.reset();
    QVERIFY(effective("model.norm") == FieldValue());
}

void TestField::statedFieldsShowWhatThePlanSays()
{
    for (const Field &field : planFields()) {
        Plan plan;
        QVERIFY(setField(plan, field, sampleValue(field)).ok());
        QVERIFY2(effectiveValue(plan, field) == sampleValue(field), field.path.text().data());
    }
}

VRAMSCOPE_TEST(TestField)
#include "tst_field.moc"
