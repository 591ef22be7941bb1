// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"
#include "core/exchange/import_notes.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <QJsonDocument>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestImportAxolotl : public test::Test
{
    Q_OBJECT

private slots:
    void anExampleBecomesThePlanThatItDescribes_data();
    void anExampleBecomesThePlanThatItDescribes();
    void anExampleNotesOnlyWhatDiffers();
    void whatIsNotStatedIsAxolotlsDefault();
    void shardsAreInTheTypeThatIsTrained_data();
    void shardsAreInTheTypeThatIsTrained();
    void aSettingBecomesItsField_data();
    void aSettingBecomesItsField();
    void whatPlansCannotSayIsNoted_data();
    void whatPlansCannotSayIsNoted();
    void valuesAreReadAsPythonReadsThem();
    void textThatMeansHarmIsRefused_data();
    void textThatMeansHarmIsRefused();

private:
    static constexpr const char *kHead = "base_model: meta-llama/Llama-3.1-8B\n"
                                         "learning_rate: 2e-5\n";

    static Imported imported(const std::string &text, const Plan &base = {})
    {
        auto read = importInto(base, kHead + text);
        return read ? std::move(*read) : Imported{{}, read.error().detail, {}};
    }
    static QStringList notes(const Imported &imported)
    {
        QStringList lines;
        for (const ImportNote &note : imported.notes) {
            if (!namesNoMemory(note))
                lines << QString::fromStdString(note.place + ": " + note.text);
        }
        return lines;
    }
    static QJsonObject stated(const Plan &plan)
    {
        return QJsonDocument::fromJson(QByteArray::fromStdString(planJson(plan))).object();
    }
};

void TestImportAxolotl::anExampleBecomesThePlanThatItDescribes_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QByteArray>("plan");
    QTest::newRow("LoRA on two GPUs") << u"axolotl_lora.yml"_s << 2 << QByteArray(R"({
        "vramscope": 1, "workload": "training", "trainer": "axolotl",
        "overheads": {"alloc_conf": "expandable_segments:True"},
        "model": {"preset": "llama-3.2-1b"}, "hardware": {"gpus": 2},
        "parallel": {"data": 2, "tensor": 1, "context": 1, "sequence": false, "strategy": "ddp"},
        "precision": {"regime": "autocast-bf16"},
        "optimizer": {"name": "adamw-8bit", "implementation": "fused"},
        "batch": {"micro_batch": 2, "sequence_length": 2048, "accumulation_steps": 2},
        "activations": {"checkpointing": "full", "attention": "flash", "kernels": "eager",
            "offload": false},
        "loss": "hf-padded",
        "adapters": {"kind": "lora", "rank": 16, "dropout": 0.05,
            "targets": ["gate", "down", "up", "q", "v", "k", "o"]}})");
    QTest::newRow("hybrid sharding beside tensor parallelism")
        << u"axolotl_hsdp_tp.yaml"_s << 0 << QByteArray(R"({
        "vramscope": 1, "workload": "training", "trainer": "axolotl",
        "overheads": {"alloc_conf": "expandable_segments:True"},
        "model": {"preset": "llama-3.1-8b"},
        "parallel": {"data": 8, "tensor": 2, "context": 1, "sequence": false, "strategy": "fsdp2",
            "sharding": "hybrid_shard", "shard_group": 4, "cpu_offload": false},
        "precision": {"regime": "fsdp-mixed-bf16", "weight_bytes": 2, "gradient_bytes": 2},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 1, "sequence_length": 2048, "accumulation_steps": 1},
        "activations": {"checkpointing": "none", "attention": "flash", "kernels": "eager",
            "offload": false},
        "loss": "linear-fused"})");
    QTest::newRow("QLoRA under FSDP1") << u"axolotl_qlora_fsdp.yaml"_s << 4 << QByteArray(R"({
        "vramscope": 1, "workload": "training", "trainer": "axolotl",
        "overheads": {"alloc_conf": "expandable_segments:True"},
        "model": {"preset": "qwen3-8b"}, "hardware": {"gpus": 4},
        "parallel": {"data": 4, "tensor": 1, "context": 1, "sequence": false, "strategy": "fsdp1",
            "sharding": "full_shard", "backward_prefetch": "none", "limit_all_gathers": true,
            "use_orig_params": false, "cpu_offload": true},
        "precision": {"regime": "fsdp-mixed-bf16", "weight_bytes": 2},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 1, "sequence_length": 2048, "accumulation_steps": 4},
        "activations": {"checkpointing": "full", "attention": "flash", "kernels": "eager",
            "offload": false},
        "loss": "hf-padded",
        "adapters": {"kind": "lora", "rank": 32, "targets": ["all-linear"],
            "base_quantization": "nf4-double", "dropout": 0.05}})");
    // Buckets are h², 0.9 h² and 10 h of the model's h = 6144.
    QTest::newRow("ZeRO-3 by the file's name") << u"axolotl_zero3.yaml"_s << 16 << QByteArray(R"({
        "vramscope": 1, "workload": "training", "trainer": "axolotl",
        "overheads": {"alloc_conf": "expandable_segments:True"},
        "model": {"preset": "mixtral-8x22b"}, "hardware": {"gpus": 16},
        "parallel": {"data": 16, "tensor": 1, "context": 1, "sequence": false, "strategy": "zero3",
            "cpu_offload": true, "bucket": {"reduce_bucket_size": 37748736,
                "prefetch_bucket_size": 33973862, "param_persistence_threshold": 61440,
                "max_live_parameters": 0, "max_reuse_distance": 0, "sub_group_size": 1,
                "overlap_comm": true}},
        "precision": {"regime": "deepspeed-bf16"},
        "optimizer": {"name": "adamw-8bit", "implementation": "fused"},
        "batch": {"micro_batch": 1, "sequence_length": 2048, "accumulation_steps": 1},
        "activations": {"checkpointing": "full", "attention": "flash", "kernels": "eager",
            "offload": false},
        "loss": "hf-padded"})");
}

void TestImportAxolotl::anExampleBecomesThePlanThatItDescribes()
{
    QFETCH(QString, file);
    QFETCH(int, gpus);
    QFETCH(QByteArray, plan);
    Plan base;
    if (gpus > 0)
        base.hardware.gpus = gpus;
    const auto read =
        importFile(base, test::projectFile("tests/data/exchange/"_L1 + file).toStdString());
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QCOMPARE(read->format, std::string("axolotl YAML"));
    QCOMPARE(QJsonDocument(stated(read->plan)).toJson(), QJsonDocument::fromJson(plan).toJson());
}

void TestImportAxolotl::anExampleNotesOnlyWhatDiffers()
{
    const auto of = [](const char *file) {
        Plan base;
        base.hardware.gpus = 16;
        return importFile(
            base,
            test::projectFile("tests/data/exchange/"_L1 + QLatin1StringView(file)).toStdString());
    };
    QCOMPARE(notes(*of("axolotl_hsdp_tp.yaml")), QStringList());
    const QStringList zero = notes(*of("axolotl_zero3.yaml"));
    QCOMPARE(zero.size(), 2);
    QVERIFY(zero[0].startsWith(u"line 6, unfrozen_parameters: trains a part of the model"_s));
    QVERIFY(zero[1].startsWith(u"line 20, optimizer: moves states to the host"_s));
}

void TestImportAxolotl::whatIsNotStatedIsAxolotlsDefault()
{
    Plan before; // of another file
    before.adapters.kind = AdapterKind::Lora;
    before.precision.weightBytes = 4;
    before.activations.checkpointing = Checkpointing::Full;
    before.hardware.gpus = 1;
    // An empty key is none, and without adapters their keys have no effect.
    const Imported read = imported("load_in_4bit: false\nlora_r: 8\nadapter:\nfsdp_config:\n"
                                   "a_key_of_tomorrow:\n",
                                   before);
    const Settings s = resolve(read.plan).settings;
    QCOMPARE(s.microBatch, std::int64_t(1));
    QCOMPARE(s.accumulationSteps, std::int64_t(1));
    QCOMPARE(s.sequenceLength, std::int64_t(512));
    QCOMPARE(s.optimizer.name, OptimizerName::AdamW);
    QCOMPARE(s.optimizer.implementation, OptimizerImplementation::Fused);
    QCOMPARE(s.checkpointing, Checkpointing::None);
    QCOMPARE(s.adapters.kind, AdapterKind::None);
    QCOMPARE(s.regime, Regime::AutocastBf16);
    QCOMPARE(s.weightBytes, std::int64_t(2)); // loaded in bf16
    QCOMPARE(s.loss, LossKind::HfPadded);
    QCOMPARE(notes(read).size(), 1); // plain attention
    QVERIFY(notes(read)[0].contains(u"leaves norms, embedding and head in fp32"_s));
}

void TestImportAxolotl::shardsAreInTheTypeThatIsTrained_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("weight");
    QTest::addColumn<int>("gradient");
    const auto row = [](const char *text, int weight, int gradient) {
        QTest::newRow(text) << QByteArray(text) << weight << gradient;
    };
    row("fsdp_config: {offload_params: false}\n", 4, 4); // accelerate makes them fp32
    row("fsdp_config: {version: 2, offload_params: false}\n", 2, 2);
    row("fsdp_version: 2\nfsdp: [full_shard]\n", 2, 2);
    row("fsdp: [full_shard]\nadapter: lora\nlora_r: 8\nlora_target_linear: true\n", 2, 4);
}

void TestImportAxolotl::shardsAreInTheTypeThatIsTrained()
{
    QFETCH(QByteArray, text);
    QFETCH(int, weight);
    QFETCH(int, gradient);
    Plan base;
    base.hardware.gpus = 8;
    const Imported read = imported(text.toStdString(), base);
    const auto resolved = resolve(read.plan);
    QVERIFY(resolved.computable());
    QCOMPARE(resolved.settings.weightBytes, std::int64_t(weight));
    QCOMPARE(resolved.settings.gradientBytes, std::int64_t(gradient));
}

void TestImportAxolotl::aSettingBecomesItsField_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("group");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QVariant>("value");
    const auto row = [](const char *text, const char *field, const QVariant &value) {
        const QStringList path = QString::fromUtf8(field).split(u'.');
        QTest::newRow(text) << QByteArray(text) << path.value(0) << path.value(1) << value;
    };
    row("bf16: full\n", "precision.regime", u"pure-bf16"_s);
    row("bf16: false\n", "precision.regime", u"fp32"_s);
    row("fp16: true\n", "precision.regime", u"autocast-fp16"_s);
    row("fp8: yes\n", "precision.linear", u"fp8"_s);
    row("deepspeed: a/zero2.json\nfp16: true\n", "precision.regime", u"deepspeed-fp16"_s);
    row("deepspeed: deepspeed_configs/zero2.json\n", "optimizer.offload", true);
    row("deepspeed: {train_batch_size: auto, zero_optimization: {stage: 2}}\n", "parallel.strategy",
        u"zero2"_s);
    row("deepspeed: {zero_optimization: {offload_optimizer: {device: cpu}}}\n", "optimizer.offload",
        true);
    row("deepspeed: my/ds-stage_1.json\n", "parallel.strategy", u"zero1"_s);
    row("fsdp:\n- shard_grad_op\n", "parallel.sharding", u"shard_grad_op"_s);
    row("fsdp_version: 2\nfsdp_config:\n  reshard_after_forward: false\n", "parallel.sharding",
        u"shard_grad_op"_s);
    row("optimizer: adamw_torch\n", "optimizer.implementation", u"foreach"_s);
    row("optimizer: paged_adamw_32bit\n", "optimizer.state_bytes", 4);
    row("optimizer: lion_8bit\n", "optimizer.name", u"lion"_s);
    row("gradient_checkpointing: offload\n", "activations.offload", true);
    row("gradient_checkpointing: unsloth\n", "activations.checkpointing", u"full"_s);
    row("flash_attention: true\n", "activations.attention", u"flash"_s);
    row("eager_attention: true\n", "activations.attention", u"eager-fp32-softmax"_s);
    row("torch_compile: true\n", "activations.kernels", u"compiled"_s);
    row("chunked_cross_entropy: true\n", "loss_chunks", 8);
    row("sequence_parallel_degree: 4\nflash_attention: true\n", "parallel.context", 4);
    row("context_parallel_size: 2\nsample_packing: true\n", "parallel.context_exchange",
        u"all-gather"_s);
    row("plugins: [axolotl.integrations.liger.LigerPlugin]\n"
        "liger_fused_linear_cross_entropy: true\n",
        "loss", u"linear-fused"_s);
    row("plugins: [axolotl.integrations.liger.LigerPlugin]\nliger_rms_norm: true\n"
        "liger_glu_activation: true\n",
        "activations.kernels", u"fused"_s);
    row("adapter: qlora\nload_in_4bit: true\n", "adapters.base_quantization", u"nf4-double"_s);
    row("adapter: lora\nlora_target_modules: [self_attn.q_proj, mlp.gate_up_proj]\n",
        "adapters.targets", QStringList{u"q"_s, u"gate"_s, u"up"_s});
    row("adapter: lora\nlora_target_modules: [lm_head]\nlora_target_linear: true\n",
        "adapters.targets", QStringList{u"all-linear"_s, u"head"_s});
    row("adapter: lora\nload_in_8bit: true\n", "adapters.base_quantization", u"int8"_s);
}

void TestImportAxolotl::aSettingBecomesItsField()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, group);
    QFETCH(QString, field);
    QFETCH(QVariant, value);
    const QJsonObject plan = stated(imported(text.toStdString()).plan);
    const QJsonValue found = field.isEmpty() ? plan[group] : plan[group].toObject()[field];
    QCOMPARE(found, QJsonValue::fromVariant(value));
}

void TestImportAxolotl::whatPlansCannotSayIsNoted_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("note");
    const auto row = [](const char *text, const char *note) {
        QTest::newRow(note) << QByteArray(text) << QString::fromUtf8(note);
    };
    row("a_key_of_tomorrow: 1\n", "line 3, a_key_of_tomorrow: is not known to the import");
    row("micro_batch_size: two\n", "line 3, micro_batch_size: is \"two\", which is not a whole");
    row("micro_batch_size: 0\n", "line 3, micro_batch_size: cannot be carried over: batch.micro");
    row("base_model: me/mine\n", "line 3, base_model: names me/mine, which is no model that plans");
    row("deepspeed: ours.json\n", "line 3, deepspeed: names ours.json, which stands elsewhere");
    row("deepspeed: zero3.json\nbase_model: me/mine\n",
        "line 3, deepspeed: zero_optimization.reduce_bucket_size is \"auto\", which depends");
    row("optimizer: galore_adamw\n", "line 3, optimizer: is \"galore_adamw\", which is no opt");
    row("attn_implementation: fp8\n", "line 3, attn_implementation: is \"fp8\", which is no att");
    row("rl: dpo\n", "line 3, rl: trains another way");
    row("liger_rms_norm: true\n", "line 3, liger_rms_norm: has no effect: plugins");
    row("adapter: qlora\n", "adapter: is qlora, which needs load_in_4bit: true.");
    row("adapter: lora\nload_in_4bit: true\n", "adapter: is lora, beside which load_in_4bit");
    row("adapter: lora\nlora_target_modules: [q_proj, embed_tokens]\n",
        "line 4, lora_target_modules: names embed_tokens, which is no matrix");
    row("adapter: lora\nlora_target_modules: 'layers.[\\d]+.(q|k)_proj'\n",
        "line 4, lora_target_modules: is a pattern");
    row("fsdp_config: {sharding_strategy: ODD}\n",
        "line 3, fsdp_config.sharding_strategy: is \"ODD\", which is no sharding");
    row("dp_shard_size: 0\n", "line 3, dp_shard_size: is out of range");
    row("batch_size: 8\n", "line 3, batch_size: decides nothing");
    row("sample_packing: true\nsdp_attention: true\n",
        "line 3, sample_packing: keeps packed samples apart by a mask");
}

void TestImportAxolotl::whatPlansCannotSayIsNoted()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, note);
    const QStringList lines = notes(imported(text.toStdString()));
    QVERIFY2(std::ranges::any_of(lines, [&](auto &line) { return line.startsWith(note); }),
             qPrintable(lines.join(u'\n')));
}

void TestImportAxolotl::valuesAreReadAsPythonReadsThem()
{
    const Plan plan = imported("sequence_len: &length 8_192\n"
                               "lora_r: *length\n"
                               "adapter: \"lora\"\n"
                               "bf16: Off\n"
                               "gradient_checkpointing: ON # as in YAML 1.1\n"
                               "datasets: &list [{path: a}]\n"
                               "test_datasets: *list\n"
                               "micro_batch_size: 1\n"
                               "micro_batch_size: +3\n")
                          .plan;
    QCOMPARE(plan.batch.sequenceLength, std::optional<std::int64_t>(8192));
    QCOMPARE(plan.adapters.rank, std::optional<std::int64_t>(8192));
    QCOMPARE(plan.precision.regime, std::optional(Regime::Fp32));
    QCOMPARE(plan.activations.checkpointing, std::optional(Checkpointing::Full));
    QCOMPARE(plan.batch.microBatch, std::optional<std::int64_t>(3));
}

void TestImportAxolotl::textThatMeansHarmIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("another tool's") << QByteArray("merge_method: ties\nbase_model: a/b\n")
                                    << QByteArray("YAML that the import does not know");
    QTest::newRow("broken") << QByteArray("base_model: a\n  bad: [1, 2\n")
                            << QByteArray("This is not YAML from line 2 on");
    QTest::newRow("several") << QByteArray("base_model: a\n---\nadapter: lora\n")
                             << QByteArray("line 2 on (a second document begins)");
    QTest::newRow("key") << QByteArray("base_model: a\n? [b]\n: c\n")
                         << QByteArray("a list or mapping is no key");
    QTest::newRow("deep") << QByteArray("base_model: ") + QByteArray(100'000, '[')
                          << QByteArray("not YAML from line 1 on");
    QByteArray many("base_model: a\n");
    for (int i = 0; i < 10'001; ++i)
        many += "k" + QByteArray::number(i) + ":\n";
    QTest::newRow("many") << many << QByteArray("more than 10,000 settings");
    QByteArray aliases("base_model: &a x\ndatasets:\n");
    for (int i = 0; i < 1001; ++i)
        aliases += "- *a\n";
    QTest::newRow("aliases") << aliases << QByteArray("more than 1,000 aliases");
}

void TestImportAxolotl::textThatMeansHarmIsRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto read = importInto({}, text.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QByteArray::fromStdString(read.error().detail).contains(says),
             read.error().detail.c_str());
}

VRAMSCOPE_TEST(TestImportAxolotl)
#include "tst_import_axolotl.moc"
