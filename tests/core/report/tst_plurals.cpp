// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/print/fit_report.h"
#include "core/print/plan_diff_report.h"
#include "core/print/plan_report.h"
#include "core/print/project_report.h"
#include "core/projection/scaling.h"
#include "core/report/comparison_sections.h"
#include "core/report/html.h"
#include "core/report/plan_section.h"
#include "core/settings/settings.h"
#include "core/solver/fit.h"
#include "core/solver/projected_plan.h"
#include "tests/support/test.h"

#include <QRegularExpression>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// A number of one, and a word in the plural behind it, or behind one that describes it.
QStringList wrongPlurals(const std::string &text)
{
    static const QRegularExpression kOneOf(
        u"(?<![\\d=×·/+-] |[\\w.,=×/+-])1 ((?:[a-z-]+ )?[A-Za-z]+s)\\b"_s);
    static const QRegularExpression kSingular( // in the singular, or no noun of the number
        u"^(?:[a-z-]+ )?(?:bus|process|pass|loss|bias|ms|is|was|has|does|this|takes|fits|less|"
        "plus|as|class)$|^(?:of|in|a|the|on|at|for|to|and|with|from) "_s);
    QStringList wrong;
    for (auto found = kOneOf.globalMatch(QString::fromStdString(text)); found.hasNext();) {
        const QString words = found.next().captured(1);
        const bool isOneWord = !words.section(u' ', 0, 0).endsWith(u's');
        const QString noun = isOneWord ? words : words.section(u' ', 0, 0);
        if (!kSingular.match(noun).hasMatch())
            wrong += noun;
    }
    return wrong;
}

/// One layer with one head, one GPU, and one of all else that can be counted.
Plan planOfOne(const QByteArray &workload, const QByteArray &more, bool moe)
{
    const QByteArray experts =
        moe ? R"(,"num_local_experts":2,"num_experts_per_tok":1,"model_type":"mixtral")"
            : R"(,"model_type":"llama")";
    const Result<Plan> plan =
        parsePlan((R"({"vramscope":1,"workload":")" + workload + R"(","model":{"config":{
            "num_hidden_layers":1,"hidden_size":64,"num_attention_heads":1,
            "num_key_value_heads":1,"intermediate_size":128,"vocab_size":256,
            "max_position_embeddings":64)" +
                   experts + R"(}},"hardware":{"gpu":"h100-sxm-80gb","gpus":1},"run":{"tokens":1},
            "batch":{"micro_batch":1,"sequence_length":1,"accumulation_steps":1})" +
                   more + '}')
                      .toStdString());
    if (!plan)
        qWarning("%s", plan.error().text().c_str());
    return plan ? *plan : Plan();
}

} // namespace

class TestPlurals : public test::Test
{
    Q_OBJECT

private slots:
    void oneThingIsSingular_data();
    void oneThingIsSingular();
    void theCheckFindsPlurals();
};

void TestPlurals::theCheckFindsPlurals()
{
    QCOMPARE(wrongPlurals("of 1 layers and 1 attention heads, 1 GPUs, 11 steps, 2.1 tokens, 1 bus, "
                          "1 step, 1 of 3 layouts, 2,001 layers"),
             (QStringList{u"layers"_s, u"attention heads"_s, u"GPUs"_s}));
}

void TestPlurals::oneThingIsSingular_data()
{
    QTest::addColumn<QByteArray>("workload");
    QTest::addColumn<QByteArray>("more");
    QTest::newRow("training") << QByteArray("training") << QByteArray();
    QTest::newRow("pipeline and heads that do not divide")
        << QByteArray("training") << QByteArray(R"(,"parallel":{"pipeline":2,"tensor":2})");
    QTest::newRow("stages that do not add up")
        << QByteArray("training") << QByteArray(R"(,"parallel":{"layers_per_stage":[2]})");
    QTest::newRow("rl") << QByteArray("rl") << QByteArray(R"(,"rl":{"tensor":2})");
    for (const char *engine : {"vllm", "sglang", "trt-llm", "llama.cpp", "hf", "plain"}) {
        for (const int capacity : {80, 1}) {
            QTest::addRow("%s, %d GB", engine, capacity)
                << QByteArray("inference")
                << QByteArray(R"(,"inference":{"engine":")") + engine +
                       R"(","max_model_len":1,"concurrent_sequences":1,"mean_sequence_length":1,
                          "max_num_seqs":1,"max_num_batched_tokens":1})" +
                       (capacity == 1 ? R"(,"overheads":{"resident_bytes":85000000000})" : "");
        }
    }
}

void TestPlurals::oneThingIsSingular()
{
    QFETCH(QByteArray, workload);
    QFETCH(QByteArray, more);
    for (const bool moe : {false, true}) {
        const Plan plan = planOfOne(workload, more, moe);
        const Estimate needs = estimate(plan);
        std::string text = planEstimateText(plan, needs, "one.vramplan");
        for (const std::vector<std::string_view> &vary : {std::vector<std::string_view>{},
                                                          {"hardware.gpus"},
                                                          {"batch.micro_batch"},
                                                          {"inference.max_model_len"},
                                                          {"parallel"}}) {
            const Result<Fit> found = fit(plan, vary, 1);
            text += found ? fitText(plan, *found, "one.vramplan") : found.error().text();
        }
        const std::vector<std::int64_t> gpus{1};
        if (const auto projected = projectPlan(plan, gpus, {}))
            text += projectText(*projected, "one.vramplan");
        const EstimatedPlan side{"one.vramplan", plan, needs};
        if (needs.computed)
            text += planDiffText(side, side);
        Report report;
        addPlanSection(report, {plan, needs, "one.vramplan", 1});
        const std::vector<PlanSubject> both{{plan, needs, "one.vramplan", 1},
                                            {plan, needs, "other.vramplan", 2}};
        addPlansComparison(report, both);
        text += htmlBlocks(report, [](const Figure &) { return std::string(); });
        const QStringList wrong = wrongPlurals(text);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u", "_s)));
    }
}

VRAMSCOPE_TEST(TestPlurals)
#include "tst_plurals.moc"
