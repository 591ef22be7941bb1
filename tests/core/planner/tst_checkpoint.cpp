// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/model/missing_parts.h"
#include "core/settings/checkpoint_issues.h"
#include "core/settings/settings.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Served weights by the tensors of a checkpoint. What the files of the catalogue's models hold is
/// listed by Transformers' own classes (tests/measure/checkpoints/stored.py).
class TestCheckpoint : public test::Test
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyModelIsWhatTransformersStores();
    void ranksHoldWhatTheFormulaCounts_data();
    void ranksHoldWhatTheFormulaCounts();
    void expertsAreMergedBesideTheWeights();
    void aNameThatSaysNothingIsWarnedOf();
    void namesSayWhatTensorsAreFor_data();
    void namesSayWhatTensorsAreFor();
    void aPartThatDiffersIsNamed();
    void anotherTypeIsCast();
    void enginesThatReadOtherFilesIgnoreIt();
    void filesThatAreQuantisedWhileTheyLoadAreCountedByTheFormat();
    void aQuantisedFileUnderAPlainFormatIsWarnedOf();
    void trainingOnlyComparesIt();
    void gptqIsRepackedByVllm();
    void packedExpertsAreWhatTheFormulaCounts();
    void aBrokenTableBarsTheFigures();

private:
    [[nodiscard]] Plan planOf(const QString &config, bool withTable = true) const;

    std::map<QString, QJsonArray> m_tables;
    std::map<QString, std::pair<qint64, qint64>> m_totals; ///< tensors, bytes
};

namespace {

QString place(const char *file)
{
    return test::projectFile(u"tests/measure/checkpoints/"_s) + QLatin1StringView(file);
}

std::string configText(const QString &config)
{
    QFile file(test::projectFile(u"resources/models/configs/"_s) + config);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string tableText(const QJsonArray &tensors, qint64 bytes)
{
    const QJsonObject table{{u"files"_s, 2},
                            {u"file_bytes"_s, bytes + 8},
                            {u"largest_file_bytes"_s, bytes + 8},
                            {u"tensors"_s, tensors}};
    return QJsonDocument(table).toJson(QJsonDocument::Compact).toStdString();
}

/// Layers from 0 to `last`.
QJsonArray layers(int last)
{
    QJsonArray ranges;
    ranges.append(QJsonArray{0, last});
    return ranges;
}

const Issue *warningOf(const Estimate &figures, std::string_view field = "model.checkpoint")
{
    for (const Issue &issue : figures.issues)
        if (issue.field == field && issue.severity == Issue::Severity::Warning)
            return &issue;
    return nullptr;
}

bool says(const Estimate &figures, std::string_view words)
{
    return std::ranges::any_of(figures.issues, [words](const Issue &issue) {
        return issue.text.find(words) != std::string::npos;
    });
}

Bytes bytesAt(const Estimate &figures, std::string_view moment, std::string_view name)
{
    for (const Moment &each : figures.moments)
        for (const Component &component : each.components)
            if (each.name == moment && component.name == name)
                return component.bytes;
    return 0;
}

} // namespace

void TestCheckpoint::initTestCase()
{
    for (const test::TableRow &row : test::readTable(place("stored.csv"))) {
        QJsonObject tensor{
            {u"name"_s, row.text("name")},
            {u"dtype"_s, row.text("dtype")},
            {u"shape"_s, QJsonDocument::fromJson(row.text("shape").toUtf8()).array()},
            {u"each"_s, row.number("each")}};
        if (const QJsonArray layers = QJsonDocument::fromJson(row.text("layers").toUtf8()).array();
            !layers.isEmpty())
            tensor[u"layers"_s] = layers;
        m_tables[row.text("config")].append(tensor);
    }
    for (const test::TableRow &row : test::readTable(place("stored_totals.csv")))
        m_totals[row.text("config")] = {row.number("tensors"), row.number("bytes")};
    QCOMPARE(m_tables.size(), std::size_t(109));
    QCOMPARE(m_totals.size(), m_tables.size());
}

Plan TestCheckpoint::planOf(const QString &config, bool withTable) const
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config = configText(config);
    if (withTable)
        plan.model.checkpoint = tableText(m_tables.at(config), m_totals.at(config).second);
    plan.hardware.capacity = 1000 * kGiB;
    plan.inference.engine = Engine::Hf;
    plan.inference.weightFormat = WeightFormat::Bf16;
    plan.inference.maxModelLen = 4096;
    plan.inference.meanSequenceLength = 4096;
    return plan;
}

void TestCheckpoint::everyModelIsWhatTransformersStores()
{
    int compared = 0;
    for (const auto &[config, total] : m_totals) {
        const Estimate figures = estimate(planOf(config));
        if (!figures.computed)
            continue; // a kind that is refused, with or without its files
        ++compared;
        QVERIFY2(!warningOf(figures),
                 qPrintable(config + u": "_s +
                            QString::fromStdString(warningOf(figures) ? warningOf(figures)->text
                                                                      : std::string())));
        QVERIFY2(figures.inference->weights == total.second, qPrintable(config));
        QCOMPARE(figures.settings->checkpoint->table.tensors(), total.first);
    }
    QCOMPARE(compared, 104);
}

void TestCheckpoint::ranksHoldWhatTheFormulaCounts_data()
{
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("expert");
    QTest::addColumn<bool>("vllm");
    QTest::newRow("one GPU") << 1 << 1 << 1 << false;
    QTest::newRow("vLLM") << 1 << 1 << 1 << true;
    QTest::newRow("two ranks") << 2 << 1 << 1 << true;
    QTest::newRow("eight ranks") << 8 << 1 << 1 << true;
    QTest::newRow("three stages") << 1 << 3 << 1 << true;
    QTest::newRow("both") << 4 << 2 << 1 << true;
    QTest::newRow("spread experts") << 4 << 1 << 4 << true;
}

/// Of models whose stored tensors are all in bf16 the formula holds to the byte, however they are
/// divided; what some store in fp32 (what corrects or makes their routing) it counts in 16 bits or
/// not at all.
void TestCheckpoint::ranksHoldWhatTheFormulaCounts()
{
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(int, expert);
    QFETCH(bool, vllm);
    int compared = 0;
    for (const auto &[config, tensors] : m_tables) {
        const bool plain = std::ranges::all_of(tensors, [](const QJsonValue &each) {
            const QString name = each.toObject()[u"name"_s].toString();
            return each.toObject()[u"dtype"_s] == u"BF16"_s && !name.contains(u"act_fn"_s) &&
                   !name.endsWith(u"layer_scalar"_s) && !name.endsWith(u"correction_bias"_s);
        });
        if (!plain)
            continue;
        const auto weights = [&, name = config](bool withTable) {
            Plan plan = planOf(name, withTable);
            plan.inference.engine = vllm ? Engine::Vllm : Engine::Hf;
            plan.parallel.tensor = tensor;
            plan.parallel.pipeline = pipeline;
            plan.parallel.expert = expert;
            plan.parallel.stage = pipeline - 1;
            const Estimate figures = estimate(plan);
            return figures.inference ? figures.inference->weights : -1;
        };
        const Bytes formula = weights(false);
        const Estimate figures = estimate(planOf(config, false));
        if (formula < 0 || std::ranges::any_of(figures.issues, leavesOutTowers))
            continue; // refused, or with a tower that only the files have
        ++compared;
        const Bytes stored = weights(true);
        QVERIFY2(stored == formula,
                 qPrintable(u"%1: %2 stored, %3 counted"_s.arg(config).arg(stored).arg(formula)));
    }
    QVERIFY2(compared >= (expert > 1 ? 10 : 60), qPrintable(QString::number(compared)));
}

/// tests/measure/checkpoints/loading.py: 262,144 bytes above the weights of its Qwen3-MoE.
void TestCheckpoint::expertsAreMergedBesideTheWeights()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.inference.engine = Engine::Hf;
    plan.inference.weightFormat = WeightFormat::Bf16;
    plan.inference.meanSequenceLength = 1;
    plan.model.config = R"({"model_type": "qwen3_moe", "hidden_size": 128, "intermediate_size": 352,
        "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 16,
        "vocab_size": 1000, "moe_intermediate_size": 64, "num_experts": 8,
        "num_experts_per_tok": 2, "max_position_embeddings": 512})";
    const auto expert = [](const char *name, const QJsonArray &shape) {
        return QJsonObject{{u"name"_s, u"model.layers.*.mlp.experts.*.%1_proj.weight"_s.arg(
                                           QLatin1StringView(name))},
                           {u"dtype"_s, u"BF16"_s},
                           {u"shape"_s, shape},
                           {u"layers"_s, layers(3)},
                           {u"each"_s, 8}};
    };
    plan.model.checkpoint = tableText(
        {expert("gate", {64, 128}), expert("up", {64, 128}), expert("down", {128, 64})}, 2'000'000);
    const Estimate figures = estimate(plan);
    QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
    QCOMPARE(bytesAt(figures, "load", "Experts being merged"), Bytes(262'144));
    QCOMPARE(bytesAt(figures, "serving", "Experts being merged"), Bytes(0));
}

void TestCheckpoint::aNameThatSaysNothingIsWarnedOf()
{
    const QString config = u"qwen3-8b.json"_s;
    Plan plan = planOf(config);
    QJsonArray tensors = m_tables.at(config);
    tensors.append(QJsonObject{{u"name"_s, u"model.layers.*.self_attn.lure.weight"_s},
                               {u"dtype"_s, u"BF16"_s},
                               {u"shape"_s, QJsonArray{1024, 1024}},
                               {u"layers"_s, layers(1)}});
    constexpr Bytes kMore = 2 * 2 * 1024 * 1024;
    plan.model.checkpoint = tableText(tensors, m_totals.at(config).second + kMore);
    const Estimate one = estimate(plan);
    const Issue *warning = warningOf(one);
    QVERIFY(warning);
    QVERIFY2(warning->text.starts_with("What 2 tensors are to the model is not known, from "
                                       "\"model.layers.*.self_attn.lure.weight\" on: 4.00 MiB"),
             warning->text.c_str());
    QCOMPARE(one.inference->weights, m_totals.at(config).second + kMore);
    const Bytes whole = estimate(planOf(config)).inference->weights;
    plan.parallel.tensor = 2;
    const Estimate two = estimate(plan);
    QVERIFY(warningOf(two)->text.ends_with("counted whole on every GPU."));
    QVERIFY(two.inference->weights > whole / 2 + kMore - kGiB && two.inference->weights < whole);
}

void TestCheckpoint::namesSayWhatTensorsAreFor_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("use");
    QTest::addColumn<int>("part");
    const auto row = [](const char *name, StoredUse use, ModelPart part = ModelPart::Other) {
        QTest::newRow(name) << QByteArray(name) << int(use) << int(part);
    };
    row("model.layers.*.self_attn.q_proj.weight", StoredUse::Model, ModelPart::Attention);
    row("language_model.model.layers.*.mlp.down_proj.weight_scale_inv", StoredUse::Model,
        ModelPart::Mlp);
    row("transformer.h.*.attn.c_attn.bias", StoredUse::Model, ModelPart::Attention);
    row("transformer.h.*.attn.bias", StoredUse::Mask);
    row("bert.encoder.layer.*.attention.self.query.weight", StoredUse::Model, ModelPart::Attention);
    row("bert.encoder.layer.*.output.LayerNorm.weight", StoredUse::Model, ModelPart::Norms);
    row("model.layers.*.self_attn.rotary_emb.inv_freq", StoredUse::Rotary);
    row("model.layers.*.mlp.up_proj.g_idx", StoredUse::Order, ModelPart::Mlp);
    row("model.layers.*.mlp.up_proj.weight.absmax", StoredUse::Model, ModelPart::Mlp);
    row("model.layers.*.mlp.up_proj.weight.quant_state.bitsandbytes__nf4", StoredUse::Text,
        ModelPart::Mlp);
    row("mtp.layers.*.self_attn.q_proj.weight", StoredUse::Prediction);
    row("model.visual.blocks.*.attn.qkv.weight", StoredUse::Tower);
    row("multi_modal_projector.linear_1.weight", StoredUse::Tower);
    row("model.embed_tokens.weight", StoredUse::Model, ModelPart::Embedding);
    row("lm_head.weight", StoredUse::Model, ModelPart::Head);
    row("model.norm.weight", StoredUse::Model, ModelPart::Norms);
    // What nobody knows is nothing else's.
    row("model.layers.*.self_attn.lure.weight", StoredUse::Unknown);
    row("sounds.layers.*.self_attn.q_proj.weight", StoredUse::Unknown);
    row("weight", StoredUse::Unknown);
    row("quant_state", StoredUse::Unknown);
    row("*", StoredUse::Unknown);
    row("model", StoredUse::Unknown);
    row("...", StoredUse::Unknown);
    row("", StoredUse::Unknown);
}

void TestCheckpoint::namesSayWhatTensorsAreFor()
{
    QFETCH(QByteArray, name);
    QFETCH(int, use);
    QFETCH(int, part);
    const std::string text = name.toStdString();
    const TensorMeaning meaning = meaningOf(text, {});
    QCOMPARE(int(meaning.use), use);
    QCOMPARE(int(meaning.part), part);
}

void TestCheckpoint::aPartThatDiffersIsNamed()
{
    const QString config = u"qwen3-8b.json"_s;
    Plan plan = planOf(config);
    QJsonArray tensors = m_tables.at(config);
    for (qsizetype i = 0; i < tensors.size(); ++i)
        if (tensors[i].toObject()[u"name"_s].toString().contains(u"up_proj"_s)) {
            tensors.removeAt(i);
            break;
        }
    plan.model.checkpoint = tableText(tensors, m_totals.at(config).second);
    const Estimate figures = estimate(plan);
    QVERIFY(warningOf(figures));
    QVERIFY2(warningOf(figures)->text.starts_with("Of the feed-forward the files hold "),
             warningOf(figures)->text.c_str());
}

void TestCheckpoint::anotherTypeIsCast()
{
    Plan plan = planOf(u"qwen3-8b.json"_s);
    plan.inference.weightFormat = WeightFormat::Fp32;
    const Estimate figures = estimate(plan);
    QCOMPARE(figures.inference->weights, 2 * m_totals.at(u"qwen3-8b.json"_s).second);
    QVERIFY(says(figures, "The engine casts "));
}

void TestCheckpoint::enginesThatReadOtherFilesIgnoreIt()
{
    Plan plan = planOf(u"qwen3-8b.json"_s);
    plan.inference.engine = Engine::LlamaCpp;
    plan.inference.weightFormat = WeightFormat::Q4_K;
    Plan without = plan;
    without.model.checkpoint.reset();
    QCOMPARE(estimate(plan).inference->weights, estimate(without).inference->weights);
    QVERIFY(says(estimate(plan), "llama.cpp reads GGUF files"));
}

void TestCheckpoint::filesThatAreQuantisedWhileTheyLoadAreCountedByTheFormat()
{
    Plan plan = planOf(u"qwen3-8b.json"_s);
    plan.inference.weightFormat = WeightFormat::Nf4;
    plan.inference.quantizeAtLoad = true;
    Plan without = plan;
    without.model.checkpoint.reset();
    QCOMPARE(estimate(plan).peakAllocated, estimate(without).peakAllocated);
    QVERIFY(says(estimate(plan), "they are quantised while they load"));
}

void TestCheckpoint::aQuantisedFileUnderAPlainFormatIsWarnedOf()
{
    const QString config = u"qwen3-8b.json"_s;
    Plan plan = planOf(config);
    QJsonArray tensors = m_tables.at(config);
    for (QJsonValueRef each : tensors) {
        QJsonObject tensor = each.toObject();
        if (tensor[u"name"_s].toString().endsWith(u"_proj.weight"_s))
            tensor[u"dtype"_s] = u"F8_E4M3"_s;
        each = tensor;
    }
    plan.model.checkpoint = tableText(tensors, m_totals.at(config).second);
    const Estimate figures = estimate(plan);
    QVERIFY(warningOf(figures, "inference.weight_format"));
    QVERIFY(figures.inference->weights < 6 * m_totals.at(config).second / 10);
    QVERIFY(!warningOf(figures)); // its elements are the model's
}

void TestCheckpoint::trainingOnlyComparesIt()
{
    Plan plan = planOf(u"qwen3-8b.json"_s);
    plan.workload = Workload::Training;
    Plan without = plan;
    without.model.checkpoint.reset();
    QCOMPARE(estimate(plan).peakAllocated, estimate(without).peakAllocated);
    QVERIFY(says(estimate(plan), "the files are compared with the model, and change no figure"));
}

/// Queries, keys and values, or gates and ups, lie in one tensor, and are repacked into another.
void TestCheckpoint::gptqIsRepackedByVllm()
{
    const QString config = u"qwen3-8b.json"_s; // h 4096, f 12288, 36 layers
    Plan plan = planOf(config);
    QJsonArray tensors;
    for (const QJsonValue &each : m_tables.at(config)) {
        QJsonObject tensor = each.toObject();
        const QString name = tensor[u"name"_s].toString();
        if (name.endsWith(u"_proj.weight"_s)) {
            const QJsonArray shape = tensor[u"shape"_s].toArray();
            tensor[u"name"_s] = name.chopped(6) + u"qweight"_s;
            tensor[u"dtype"_s] = u"I32"_s;
            tensor[u"shape"_s] = QJsonArray{shape[1].toInteger() / 8, shape[0]};
        }
        tensors.append(tensor);
    }
    plan.model.checkpoint = tableText(tensors, m_totals.at(config).second);
    plan.inference.engine = Engine::Vllm;
    plan.inference.weightFormat = WeightFormat::GptqInt4;
    const auto repacked = [&plan] {
        const Estimate figures = estimate(plan);
        for (const Component &component : figures.moments.front().components)
            if (component.name == "Matrix being repacked")
                return component.bytes;
        return Bytes(0);
    };
    QCOMPARE(estimate(plan).moments.front().name, std::string("load"));
    constexpr Bytes kPacked = Bytes(4096) * 2 * 12288 / 2;
    QCOMPARE(repacked(), kPacked);
    plan.hardware.gpu = "h100-sxm-80gb"; // whose kernels want it turned first
    QCOMPARE(repacked(), 2 * kPacked);
    plan.inference.weightFormat = WeightFormat::AwqInt4;
    QCOMPARE(repacked(), 17 * kPacked); // tests/measure/checkpoints/repacking.py
    plan.inference.weightFormat = WeightFormat::GptqInt4;
    plan.hardware.gpu.reset();
    plan.parallel.tensor = 4;
    QCOMPARE(repacked(), kPacked / 4);
    QCOMPARE(mappedWhileLoading(*estimate(plan).settings), Bytes(151'936) * 4096 * 2);
}

/// Blocks of 32 values in 16 bytes, with a scale of one; vLLM pads them to what its kernels take.
void TestCheckpoint::packedExpertsAreWhatTheFormulaCounts()
{
    const QString config = u"gpt-oss-20b.json"_s; // h and f_e 2880, 32 experts
    QJsonArray tensors;
    const auto add = [&tensors](QJsonObject tensor, const QString &end, const QJsonArray &shape) {
        tensor[u"name"_s] = tensor[u"name"_s].toString() + end;
        tensor[u"dtype"_s] = u"U8"_s;
        tensor[u"shape"_s] = shape;
        tensors.append(tensor);
    };
    for (const QJsonValue &each : m_tables.at(config)) {
        const QJsonObject tensor = each.toObject();
        const bool down = tensor[u"name"_s].toString().endsWith(u"experts.down_proj"_s);
        if (!down && !tensor[u"name"_s].toString().endsWith(u"experts.gate_up_proj"_s)) {
            tensors.append(tensor);
            continue;
        }
        const int rows = down ? 2880 : 5760;
        add(tensor, u"_blocks"_s, {32, rows, 90, 16});
        add(tensor, u"_scales"_s, {32, rows, 90});
    }
    Plan plan = planOf(config);
    plan.model.checkpoint = tableText(tensors, m_totals.at(config).second);
    plan.inference.weightFormat = WeightFormat::MxFp4;
    plan.inference.notConverted = {"embedding", "head", "router", "attention", "mlp"};
    for (const Engine engine : {Engine::Hf, Engine::Vllm}) {
        plan.inference.engine = engine;
        Plan without = plan;
        without.model.checkpoint.reset();
        const Estimate figures = estimate(plan);
        QVERIFY(!warningOf(figures));
        QCOMPARE(figures.inference->weights, estimate(without).inference->weights);
    }
    plan.inference.engine = Engine::Hf;
    // total_size of model.safetensors.index.json in openai/gpt-oss-20b.
    QCOMPARE(estimate(plan).inference->weights, Bytes(13'761'264'768));
}

void TestCheckpoint::aBrokenTableBarsTheFigures()
{
    Plan plan = planOf(u"qwen3-8b.json"_s);
    plan.model.checkpoint = R"({"files": 1})";
    const Estimate figures = estimate(plan);
    QVERIFY(!figures.computed);
    QVERIFY2(whyNotComputed(figures).find("model.checkpoint: The table of the checkpoint cannot be "
                                          "used: file_bytes must be") != std::string::npos,
             whyNotComputed(figures).c_str());
}

VRAMSCOPE_TEST(TestCheckpoint)
#include "tst_checkpoint.moc"
