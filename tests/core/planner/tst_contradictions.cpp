// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/checks.h"
#include "core/settings/settings.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace vramscope;
using test::Random;

namespace {

bool bars(const Issue &issue)
{
    return issue.severity == Issue::Severity::Blocking;
}

/// What breaks a rule in an otherwise sound plan; gives the field to blame.
using Breakage = std::string_view (*)(Plan &, const Settings &);

constexpr std::array<Breakage, 11> kBreakages = {
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.overheads.allocConf = "max_split_size_mb=\"512\"";
        return "overheads.alloc_conf";
    },
    [](Plan &plan, const Settings &s) -> std::string_view {
        plan.parallel.tensor = s.architecture.heads + 1;
        return "parallel.tensor";
    },
    [](Plan &plan, const Settings &s) -> std::string_view {
        plan.parallel.pipeline = s.architecture.layers + 1;
        return "parallel.pipeline";
    },
    [](Plan &plan, const Settings &s) -> std::string_view {
        plan.hardware.gpus = s.gpus + 1;
        return "hardware.gpus";
    },
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.parallel.strategy = Strategy::Ddp;
        plan.parallel.sharding = Sharding::FullShard;
        return "parallel.sharding";
    },
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.batch.microBatch = 0;
        return "batch.micro_batch";
    },
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.batch.sequenceLength = -4096;
        return "batch.sequence_length";
    },
    [](Plan &plan, const Settings &s) -> std::string_view {
        plan.parallel.stage = s.pipeline;
        return "parallel.stage";
    },
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.parallel.data = 1'000'000'000'000;
        plan.parallel.tensor = 1'000'000'000'000;
        return "parallel";
    },
    [](Plan &plan, const Settings &s) -> std::string_view {
        plan.parallel.context = s.sequenceLength + 1;
        return "parallel.context";
    },
    [](Plan &plan, const Settings &) -> std::string_view {
        plan.overheads.reservedFactor = 0.5;
        return "overheads.reserved_factor";
    },
};

} // namespace

class TestContradictions : public test::Test
{
    Q_OBJECT

private slots:
    void eachGivesOneIssueWithItsFieldAndARemedy_data();
    void eachGivesOneIssueWithItsFieldAndARemedy();
    void aBrokenRuleNeverGivesFigures();
    void theQuickCheckAgreesWithTheIssues();
};

void TestContradictions::eachGivesOneIssueWithItsFieldAndARemedy_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    const auto add = [](const char *name, const char *rest, const char *field, const char *says) {
        QTest::newRow(name) << QByteArray(R"({"vramscope":1,"model":{"preset":"llama-3-8b"},)") +
                                   rest + '}'
                            << QString::fromLatin1(field) << QString::fromUtf8(says);
    };
    add("tensor does not divide the heads", R"("parallel":{"tensor":3})", "parallel.tensor",
        "32 attention heads do not divide");
    add("pipeline longer than the model", R"("parallel":{"pipeline":33})", "parallel.pipeline",
        "the model's 32 layers");
    add("pipeline longer than the model and virtual stages",
        R"("parallel":{"pipeline":33,"virtual_stages":2})", "parallel.pipeline", "32 layers");
    add("world", R"("hardware":{"gpus":8},"parallel":{"tensor":2,"pipeline":2})", "hardware.gpus",
        "= 4, but hardware.gpus is 8");
    add("large world", R"("hardware":{"gpus":2048},"parallel":{"strategy":"ddp","data":1024})",
        "hardware.gpus", "= 1,024, but hardware.gpus is 2,048");
    add("sharding under DDP", R"("parallel":{"strategy":"ddp","data":2,"sharding":"full_shard"})",
        "parallel.sharding", "choose strategy fsdp1 or fsdp2");
    add("offload of shards under DDP",
        R"("parallel":{"strategy":"ddp","data":2,"cpu_offload":true})", "parallel.cpu_offload",
        "choose strategy fsdp1, fsdp2 or zero3");
    add("FSDP's precision under DDP",
        R"("parallel":{"strategy":"ddp","data":2},"precision":{"regime":"fsdp-mixed-bf16"})",
        "precision.regime", "needs strategy fsdp1 or fsdp2");
    add("data parallel without a strategy", R"("parallel":{"data":2})", "parallel.strategy",
        "choose DDP, ZeRO or FSDP");
    add("shard group", R"("parallel":{"strategy":"fsdp2","data":8,"sharding":"hybrid_shard",
        "shard_group":3})",
        "parallel.shard_group", "8 data-parallel GPUs");
    add("experts of a dense model", R"("parallel":{"expert":2})", "parallel.expert", "no experts");
    add("context", R"("parallel":{"context":3})", "parallel.context", "does not divide by context");
    add("a stage that is not there", R"("parallel":{"stage":1})", "parallel.stage",
        "stages 0 to 0");
    add("layers of the stages", R"("parallel":{"pipeline":2,"layers_per_stage":[20,13]})",
        "parallel.layers_per_stage", "Adds up to 33 layers");
    add("virtual stages", R"("parallel":{"pipeline":4,"virtual_stages":3})",
        "parallel.virtual_stages", "do not divide");
    add("blocks", R"("activations":{"checkpointing":"block","blocks":40})", "activations.blocks",
        "32 layers");
    add("adapters without a rank", R"("adapters":{"kind":"lora","targets":["q"]})", "adapters.rank",
        "at least 1");
    add("quantised weights trained", R"("adapters":{"base_quantization":"nf4"})",
        "adapters.base_quantization", "choose adapters.kind lora");
    add("GPU", R"("hardware":{"gpu":"h100-99gb"})", "hardware.gpu", "Name one of the list");
    add("more than 64 bits hold", R"("batch":{"micro_batch":1000000,"sequence_length":100000000})",
        "", "more than 8 EiB");
    add("vLLM without a GPU", R"("workload":"inference","inference":{"engine":"vllm"})",
        "hardware.gpu", "name a GPU");
}

void TestContradictions::eachGivesOneIssueWithItsFieldAndARemedy()
{
    QFETCH(QByteArray, plan);
    QFETCH(QString, field);
    QFETCH(QString, says);
    const Result<Plan> read = parsePlan(plan.toStdString());
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
    const Estimate it = estimate(*read);
    QVERIFY(!it.computed && it.moments.empty() && it.peakAllocated == 0);
    std::vector<Issue> barring;
    std::ranges::copy_if(it.issues, std::back_inserter(barring), bars);
    QCOMPARE(std::ssize(barring), 1);
    QCOMPARE(QString::fromStdString(barring.front().field), field);
    QVERIFY2(QString::fromStdString(barring.front().text).contains(says),
             barring.front().text.c_str());
}

void TestContradictions::aBrokenRuleNeverGivesFigures()
{
    Random random(31);
    for (int trial = 0; trial < 2000; ++trial) {
        Plan plan =
            trial % 4 == 0 ? test::randomServingPlan(random) : test::randomTrainingPlan(random);
        const bool serving = plan.workload == Workload::Inference;
        const Breakage breakage = kBreakages[random() % kBreakages.size()];
        const std::string_view field = breakage(plan, resolve(plan).settings);
        if (serving && field == "parallel.sharding")
            continue; // serving has no strategy
        const Estimate it = estimate(plan);
        const QByteArray json = QByteArray::fromStdString(planJson(plan));
        QVERIFY2(!it.computed && it.moments.empty() && it.peakDevice == 0, json);
        QVERIFY2(std::ranges::any_of(it.issues,
                                     [&](const Issue &issue) {
                                         return issue.severity == Issue::Severity::Blocking &&
                                                issue.field == field && !issue.text.empty();
                                     }),
                 std::string(field).c_str() + json);
    }
}

void TestContradictions::theQuickCheckAgreesWithTheIssues()
{
    Random random(32);
    int sound = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        Plan plan = test::randomPlan(random);
        if (trial % 2 == 0)
            kBreakages[random() % kBreakages.size()](plan, resolve(plan).settings);
        const ResolvedPlan resolved = resolve(plan);
        const bool quick = soundPlan(plan, resolved.settings);
        QVERIFY2(quick == resolved.computable(), QByteArray::fromStdString(planJson(plan)));
        sound += quick ? 1 : 0;
    }
    QVERIFY(sound > 500 && sound < 1900);
}

VRAMSCOPE_TEST(TestContradictions)
#include "tst_contradictions.moc"
