// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/field_conditions.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

ResolvedPlan resolved(const QByteArray &rest)
{
    const Result<Plan> plan =
        parsePlan(R"({"vramscope":1,"model":{"preset":"llama-3-8b"})" + rest.toStdString() + "}");
    if (!plan)
        qWarning("%s", plan.error().text().c_str());
    return plan ? resolve(*plan) : ResolvedPlan();
}

bool says(const ResolvedPlan &plan, Issue::Severity severity, std::string_view field)
{
    return std::ranges::any_of(plan.issues, [&](const Issue &issue) {
        return issue.severity == severity && issue.field == field && !issue.text.empty();
    });
}

} // namespace

class TestSettings : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void anEmptyPlanHasTheDocumentedDefaults();
    void aRegimeSetsTheBytesAndSingleSettingsOverrideIt();
    void aStrategyBringsThePrecisionAndTheOptimizerThatItIsUsedWith();
    void theGpuSetsCapacityAndWorkspace();
    void contradictionsNameTheirField_data();
    void contradictionsNameTheirField();
    void settingsWithoutEffectAreNotes_data();
    void settingsWithoutEffectAreNotes();
    void whatIsStatedForTheOtherWorkloadWaits();
    void everyConditionIsOfAField();
    void attentionFallsBackWhereNoFusedKernelTakesSharedKeys_data();
    void attentionFallsBackWhereNoFusedKernelTakesSharedKeys();
    void noSyncUnderShardingIsWarnedOf();
    void accelerateDecidesWhetherFsdp2KeepsWholeGradients();
    void thePeakFollowsTheReleaseOfAccelerate();
    void aGpuWithoutASizeIsNamed();
    void anUnknownModelIsOneIssueAndNoCrash();
    void aConfigWithoutAModelTypeSaysSo();
};

void TestSettings::anEmptyPlanHasTheDocumentedDefaults()
{
    const ResolvedPlan plan = resolved("");
    QVERIFY(plan.computable());
    QVERIFY(plan.issues.empty());
    const Settings &s = plan.settings;
    QCOMPARE(s.gpus, std::int64_t(1));
    QCOMPARE(s.capacity, Bytes(0));
    QVERIFY(s.strategy == Strategy::None && s.sharding == Sharding::FullShard);
    QVERIFY(s.regime == Regime::AutocastBf16 && s.loss == LossKind::HfUpcast);
    QVERIFY(s.optimizer.name == OptimizerName::AdamW);
    QVERIFY(s.optimizer.implementation == OptimizerImplementation::Foreach);
    QVERIFY(s.optimizer.zeroGrad == ZeroGrad::AfterStep);
    QCOMPARE(s.microBatch, std::int64_t(1));
    QCOMPARE(s.sequenceLength, std::int64_t(2048));
    QVERIFY(s.checkpointing == Checkpointing::None && s.attention == AttentionKind::Flash);
    QCOMPARE(s.maxModelLen, std::int64_t(8192));
    QCOMPARE(s.meanSequenceLength, std::int64_t(8192));
    QCOMPARE(s.maxNumBatchedTokens, std::int64_t(8192));
    QVERIFY(resolved(R"(,"precision":{"regime":"fp32"})").settings.loss ==
            LossKind::CrossEntropyFp32);
    QCOMPARE(resolved(R"(,"parallel":{"data":8,"strategy":"ddp"})").settings.gpus, std::int64_t(8));
    const QByteArray megatron =
        R"(,"parallel":{"tensor":4,"strategy":"megatron"},"precision":{"regime":"megatron-bf16"})";
    QCOMPARE(resolved(megatron).settings.expertTensor, std::int64_t(4));
}

void TestSettings::aRegimeSetsTheBytesAndSingleSettingsOverrideIt()
{
    const auto bytes = [](const QByteArray &precision) {
        const Settings s = resolved(R"(,"precision":{)" + precision + '}').settings;
        return std::array{s.weightBytes, s.gradientBytes, s.masterWeightBytes,
                          static_cast<std::int64_t>(s.optimizer.stateBytes)};
    };
    using Four = std::array<std::int64_t, 4>;
    QCOMPARE(bytes(R"("regime":"fp32")"), (Four{4, 4, 0, 4}));
    QCOMPARE(bytes(R"("regime":"pure-bf16")"), (Four{2, 2, 0, 2}));
    QCOMPARE(bytes(R"("regime":"megatron-bf16")"), (Four{2, 4, 4, 4}));
    QCOMPARE(bytes(R"("regime":"deepspeed-bf16")"), (Four{2, 2, 4, 4}));
    QCOMPARE(bytes(R"("regime":"pure-bf16","master_weight_bytes":4,"gradient_bytes":4)"),
             (Four{2, 4, 4, 4}));
}

void TestSettings::aStrategyBringsThePrecisionAndTheOptimizerThatItIsUsedWith()
{
    const auto of = [](const QByteArray &strategy) {
        return resolved(R"(,"parallel":{"data":8,"strategy":")" + strategy + R"("})").settings;
    };
    const Settings fsdp2 = of("fsdp2"); // fp32 shards, bf16 units
    QVERIFY(fsdp2.regime == Regime::FsdpMixedBf16);
    QCOMPARE(fsdp2.weightBytes, std::int64_t(4));
    QCOMPARE(fsdp2.computeBytes, std::int64_t(2));
    QCOMPARE(fsdp2.reduceBytes, std::int64_t(2)); // torchtitan states fp32, and its import too
    const Settings fsdp1 = of("fsdp1");           // as accelerate: reduced in bf16
    QVERIFY(fsdp1.regime == Regime::FsdpMixedBf16);
    QCOMPARE(fsdp1.reduceBytes, std::int64_t(2));
    QVERIFY(of("ddp").regime == Regime::AutocastBf16);
    QVERIFY(of("ddp").optimizer.implementation == OptimizerImplementation::Foreach);
    for (const char *zero : {"zero1", "zero2", "zero3"}) {
        QVERIFY(of(zero).regime == Regime::DeepSpeedBf16);
        QVERIFY(of(zero).optimizer.implementation == OptimizerImplementation::Fused);
        QCOMPARE(of(zero).bucket.subGroup, std::int64_t(1'000'000'000));
    }
    QVERIFY(
        resolved(R"(,"precision":{"regime":"deepspeed-bf16"})").settings.optimizer.implementation ==
        OptimizerImplementation::Fused);
}

void TestSettings::theGpuSetsCapacityAndWorkspace()
{
    const Settings ampere = resolved(R"(,"hardware":{"gpu":"a100-sxm-80gb"})").settings;
    QCOMPARE(ampere.capacity, Bytes(84986665370));
    QCOMPARE(ampere.cublasWorkspaceBytes, Bytes(2 * 8519680));
    const Settings hopper = resolved(R"(,"hardware":{"gpu":"h100-sxm-80gb"})").settings;
    QCOMPARE(hopper.cublasWorkspaceBytes, 69 * kMiB);
    const Settings stated =
        resolved(R"(,"hardware":{"gpu":"h100-sxm-80gb","capacity_bytes":1000})").settings;
    QCOMPARE(stated.capacity, Bytes(1000));
}

void TestSettings::contradictionsNameTheirField_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QByteArray>("field");
    const auto add = [](const char *name, const char *plan, const char *field) {
        QTest::newRow(name) << QByteArray(plan) << QByteArray(field);
    };
    add("world is not the GPUs", R"(,"hardware":{"gpus":8})", "hardware.gpus");
    add("data without a strategy", R"(,"parallel":{"data":2})", "parallel.strategy");
    add("sharding without FSDP",
        R"(,"parallel":{"data":2,"strategy":"ddp","sharding":"full_shard"})", "parallel.sharding");
    add("heads do not divide", R"(,"parallel":{"tensor":3})", "parallel.tensor");
    add("more stages than layers", R"(,"parallel":{"pipeline":64})", "parallel.pipeline");
    add("no such stage", R"(,"parallel":{"pipeline":2,"stage":2})", "parallel.stage");
    add("experts of a dense model", R"(,"parallel":{"expert":2})", "parallel.expert");
    add("sequence does not divide", R"(,"parallel":{"context":3})", "parallel.context");
    add("FSDP's regime alone", R"(,"precision":{"regime":"fsdp-mixed-bf16"})", "precision.regime");
    add("FSDP2 without shards",
        R"(,"parallel":{"data":2,"strategy":"fsdp2","sharding":"no_shard"})", "parallel.sharding");
    add("shard group does not divide",
        R"(,"parallel":{"data":4,"strategy":"fsdp2","sharding":"hybrid_shard","shard_group":3})",
        "parallel.shard_group");
    add("offload without FSDP", R"(,"parallel":{"cpu_offload":true})", "parallel.cpu_offload");
    add("LoRA without a rank", R"(,"adapters":{"kind":"lora","targets":["q"]})", "adapters.rank");
    add("training quantised weights", R"(,"adapters":{"base_quantization":"nf4"})",
        "adapters.base_quantization");
    add("accumulation in backward",
        R"(,"optimizer":{"implementation":"in-backward"},"batch":{"accumulation_steps":2})",
        "optimizer.implementation");
    add("unknown GPU", R"(,"hardware":{"gpu":"abacus"})", "hardware.gpu");
}

void TestSettings::contradictionsNameTheirField()
{
    QFETCH(QByteArray, plan);
    QFETCH(QByteArray, field);
    const ResolvedPlan it = resolved(plan);
    QVERIFY(!it.computable());
    QVERIFY(says(it, Issue::Severity::Blocking, field.toStdString()));
}

void TestSettings::settingsWithoutEffectAreNotes_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QByteArray>("field");
    const auto add = [](const char *name, const char *plan, const char *field) {
        QTest::newRow(name) << QByteArray(plan) << QByteArray(field);
    };
    add("every", R"(,"activations":{"every":2})", "activations.every");
    add("blocks", R"(,"activations":{"blocks":2})", "activations.blocks");
    add("chunks", R"(,"loss_chunks":4)", "loss_chunks");
    add("buckets", R"(,"parallel":{"bucket":{"reduce_bucket_size":1000}})",
        "parallel.bucket.reduce_bucket_size");
    add("ZeRO-3's of ZeRO-1",
        R"(,"parallel":{"data":2,"strategy":"zero1","bucket":{"max_live_parameters":1000000}})",
        "parallel.bucket.max_live_parameters");
    add("no_sync", R"(,"batch":{"no_sync":true})", "batch.no_sync");
    add("sequence parallel", R"(,"parallel":{"sequence":true})", "parallel.sequence");
    add("rank", R"(,"adapters":{"rank":8})", "adapters.rank");
    add("imbalance", R"(,"activations":{"load_imbalance":1.2})", "activations.load_imbalance");
}

void TestSettings::settingsWithoutEffectAreNotes()
{
    QFETCH(QByteArray, plan);
    QFETCH(QByteArray, field);
    const ResolvedPlan it = resolved(plan);
    QVERIFY(it.computable());
    QVERIFY(says(it, Issue::Severity::Note, field.toStdString()));
}

// A form that is switched to serving and back keeps what was set for training, without a word.
void TestSettings::whatIsStatedForTheOtherWorkloadWaits()
{
    const ResolvedPlan it = resolved(R"(,"workload":"inference","inference":{"engine":"plain"},
        "batch":{"micro_batch":4},"parallel":{"gradient_as_bucket_view":true})");
    for (const Issue &issue : it.issues)
        QVERIFY2(issue.text.find("Without effect") == std::string::npos, issue.field.c_str());
}

void TestSettings::everyConditionIsOfAField()
{
    int conditions = 0;
    for (const Field &field : planFields())
        conditions += field.condition != &applies::always ? 1 : 0;
    QVERIFY(conditions > 60);
    QVERIFY(fieldAt("parallel.bucket.max_live_parameters").condition == &applies::zero3);
    QVERIFY(fieldAt("hardware.gpu").condition == &applies::always);
}

void TestSettings::attentionFallsBackWhereNoFusedKernelTakesSharedKeys_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<bool>("falls");
    const auto row = [](const char *name, const char *more, bool falls) {
        QTest::newRow(name) << QByteArray(more) << falls;
    };
    row("16 bit", R"(,"precision":{"regime":"pure-bf16"})", false);
    row("fp32", R"(,"precision":{"regime":"fp32"})", true);
    row("autocast", R"(,"precision":{"regime":"autocast-bf16"})", false);
    row("fp32, keys repeated",
        R"(,"precision":{"regime":"fp32"},"activations":{"expanded_kv":true})", false);
    row("fp32, a kernel of one's own",
        R"(,"precision":{"regime":"fp32"},"activations":{"attention":"flash"})", false);
    row("fp32, a key for each head",
        R"(,"precision":{"regime":"fp32"},"model":{"preset":"llama-2-7b"})", false);
    row("16 bit before Ampere",
        R"(,"precision":{"regime":"autocast-fp16"},"hardware":{"gpu":"v100-sxm-16gb"})", true);
}

void TestSettings::attentionFallsBackWhereNoFusedKernelTakesSharedKeys()
{
    QFETCH(QByteArray, more);
    QFETCH(bool, falls);
    const auto plan = parsePlan(
        (R"({"vramscope":1,"workload":"training","batch":{"sequence_length":4096})" +
         (more.contains("preset") ? more : more + R"(,"model":{"preset":"llama-3-8b"})") + '}')
            .toStdString());
    QVERIFY(plan);
    const ResolvedPlan it = resolve(*plan);
    QCOMPARE(it.settings.attention, falls ? AttentionKind::Math : AttentionKind::Flash);
    QCOMPARE(says(it, Issue::Severity::Warning, "activations.attention"), falls);
}

void TestSettings::noSyncUnderShardingIsWarnedOf()
{
    const QByteArray plan = R"(,"parallel":{"data":8,"strategy":"fsdp2"},
        "batch":{"no_sync":true,"accumulation_steps":4})";
    QVERIFY(says(resolved(plan), Issue::Severity::Warning, "batch.no_sync"));
}

// no_sync of accelerate up to 1.10 looks for a method that FSDP2 does not have; accelerator.py of
// 1.6.0, 1.10.1 and 1.11.0.
void TestSettings::accelerateDecidesWhetherFsdp2KeepsWholeGradients()
{
    const auto planOf = [](const QByteArray &version) {
        return R"(,"trainer":"hf","parallel":{"data":8,"strategy":"fsdp2"},
            "batch":{"accumulation_steps":4})" +
               (version.isEmpty() ? QByteArray() : ",\"trainer_version\":\"" + version + '"');
    };
    for (const char *version : {"1.6", "1.8.1", "1.10.0", "1.10.1"}) {
        const ResolvedPlan old = resolved(planOf(version));
        QVERIFY2(!old.settings.noSync, version);
        QCOMPARE(old.settings.units, FsdpUnits::RootResharded);
    }
    QVERIFY(resolved(planOf("1.11.0")).settings.noSync);
    QVERIFY(resolved(planOf("1.12")).settings.noSync);
    QCOMPARE(resolved(planOf("1.14")).settings.units, FsdpUnits::HeadKept);
    // Unstated it is the newest, and what decides is said.
    const ResolvedPlan newest = resolved(planOf({}));
    QVERIFY(newest.settings.noSync);
    const auto warning =
        std::ranges::find(newest.issues, std::string("batch.no_sync"), &Issue::field);
    QVERIFY(warning != newest.issues.end());
    QVERIFY(warning->text.find("trainer_version") != std::string::npos);
    const ResolvedPlan wrong = resolved(planOf("newest"));
    QVERIFY(!wrong.computable());
    QVERIFY(says(wrong, Issue::Severity::Blocking, "trainer_version"));
}

/// Qwen3 8B in full under FSDP2 and transformers' Trainer, four micro-batches on eight GPUs. Up to
/// 1.10 no whole gradients stay, but embedding and head are gathered with the whole model
/// (fsdp_utils.py, fsdp2_prepare_model: units of their own from 1.14 on).
void TestSettings::thePeakFollowsTheReleaseOfAccelerate()
{
    const auto peakOf = [](const QByteArray &more) {
        const Result<Plan> plan = parsePlan((R"({"vramscope":1,"trainer":"hf",
            "model":{"preset":"qwen3-8b"},
            "hardware":{"gpu":"h100-sxm-80gb","gpus":8,"gpus_per_node":8},
            "parallel":{"strategy":"fsdp2","sharding":"full_shard","data":8},
            "precision":{"regime":"fsdp-mixed-bf16"},
            "optimizer":{"name":"adamw","implementation":"fused"},
            "activations":{"checkpointing":"full","attention":"flash","kernels":"eager"},
            "loss":"linear-fused",
            "batch":{"micro_batch":1,"sequence_length":4096,"accumulation_steps":4)" +
                                             more + '}')
                                                .toStdString());
        return plan ? estimate(*plan).peakAllocated : Bytes(-1);
    };
    const Bytes old = peakOf(R"(},"trainer_version":"1.10")");
    const Bytes oneStepOfNewest = peakOf(R"(,"no_sync":false})");
    const Bytes newest = peakOf("}");
    QCOMPARE(oneStepOfNewest, Bytes(21'599'299'584));
    const Bytes head = Bytes(151'936) * 4096 * 2; // in bf16
    QCOMPARE(old, oneStepOfNewest + 2 * head);
    QCOMPARE(peakOf(R"(,"no_sync":false},"trainer_version":"1.10.1")"), old);
    QVERIFY(newest > old + (8LL << 30)); // whole gradients
    QVERIFY(peakOf(R"(},"trainer_version":"1.12")") > old + (8LL << 30));
}

void TestSettings::aGpuWithoutASizeIsNamed()
{
    const ResolvedPlan served = resolved(
        R"(,"workload":"inference","inference":{"engine":"vllm"},"hardware":{"gpu":"h100-sxm-96gb"})");
    const auto issue = std::ranges::find(served.issues, std::string("hardware.gpu"), &Issue::field);
    QVERIFY(issue != served.issues.end());
    QVERIFY2(issue->text.find("H100 SXM5 96 GB") != std::string::npos, issue->text.c_str());
    QVERIFY2(issue->text.find("name a GPU") == std::string::npos, issue->text.c_str());
    QVERIFY(unknownCapacity(resolved("").settings).find("GPU's memory") != std::string::npos);
}

void TestSettings::anUnknownModelIsOneIssueAndNoCrash()
{
    Plan plan;
    plan.model.preset = "no-such-model";
    const ResolvedPlan it = resolve(plan);
    QVERIFY(!it.computable());
    QCOMPARE(it.issues.size(), std::size_t(1));
    QVERIFY(says(it, Issue::Severity::Blocking, "model.preset"));
    QCOMPARE(it.issues.front().text.find("model.preset"), std::string::npos);
    const ResolvedPlan none = resolve(Plan());
    QVERIFY(!none.computable());
    QVERIFY(says(none, Issue::Severity::Blocking, "model.preset"));
    QCOMPARE(none.issues.front().text.find("model.preset"), std::string::npos);
}

void TestSettings::aConfigWithoutAModelTypeSaysSo()
{
    const auto issueOf = [](const std::string &type) {
        Plan plan;
        plan.model.config = "{" + type +
                            R"("hidden_size":64,"num_hidden_layers":2,"vocab_size":1000,)"
                            R"("num_attention_heads":4,"intermediate_size":256})";
        const ResolvedPlan it = resolve(plan);
        return it.issues.size() == 1 ? it.issues.front().text : "";
    };
    for (const char *type : {"", R"("model_type":"",)", R"("model_type":" ",)"})
        QVERIFY(
            issueOf(type).starts_with("The config names no model_type, so the model is taken "));
    QVERIFY(issueOf(R"("model_type":"foo",)")
                .starts_with("model.config.model_type \"foo\" is not known, and a model of an "));
}

VRAMSCOPE_TEST(TestSettings)
#include "tst_settings.moc"
