// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/exchange/import.h"
#include "core/settings/checkpoint_issues.h"
#include "core/settings/settings.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

using test::GgufWriter;

/// GGUF models as plans: the model by its keys, the weights by its tensors.
class TestImportGguf : public test::Test
{
    Q_OBJECT

private slots:
    void init() override;
    void modelsAreThoseOfTheirTensors_data();
    void modelsAreThoseOfTheirTensors();
    void whatStaysOnTheHostIsLeftOut();
    void anUnknownArchitectureIsNamed();
    void whatDoesNotCarryOverIsNamed_data();
    void whatDoesNotCarryOverIsNamed();
    void whatIsNoModelIsRefused();
    void otherEnginesDoNotReadIt();

private:
    [[nodiscard]] Result<Imported> imported(const GgufWriter &writer) const
    {
        writer.write(m_file);
        return importFile({}, m_file);
    }

    std::optional<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
};

namespace {

constexpr std::int32_t kF16 = 1;

/// A model of two or three layers whose tensors are named and shaped as llama.cpp's converter
/// writes them (gguf-py/gguf/constants.py, convert_hf_to_gguf.py).
class Model
{
public:
    Model(const char *architecture, std::uint32_t layers, std::uint32_t heads,
          std::uint32_t kvHeads)
        : writer(test::smallModel(architecture, layers, 256, heads, kvHeads))
        , m_prefix(std::string(architecture) + '.')
    {
        add("token_embd.weight", {256, 100});
        add("output_norm.weight", {256});
    }

    Model &key(const char *name, std::uint32_t value)
    {
        writer.u32(m_prefix + name, value);
        return *this;
    }
    Model &add(const std::string &name, const std::vector<std::int64_t> &ne)
    {
        std::uint64_t bytes = 2;
        for (const std::int64_t size : ne)
            bytes *= static_cast<std::uint64_t>(size);
        writer.tensor(name, kF16, ne, bytes);
        total += static_cast<Bytes>(bytes);
        return *this;
    }
    Model &head() { return add("output.weight", {256, 100}); }
    /// Of a layer: `width` is that of all queries, `kv` of all keys.
    Model &attention(int layer, std::int64_t width, std::int64_t kv, bool biases = false)
    {
        const std::string p = "blk." + std::to_string(layer) + '.';
        add(p + "attn_norm.weight", {256});
        const std::pair<const char *, std::vector<std::int64_t>> all[] = {
            {"attn_q", {256, width}},
            {"attn_k", {256, kv}},
            {"attn_v", {256, kv}},
            {"attn_output", {width, 256}}};
        for (const auto &[name, ne] : all) {
            add(p + name + ".weight", ne);
            if (biases)
                add(p + name + ".bias", {ne.back()});
        }
        return *this;
    }
    Model &dense(int layer, std::int64_t ffn, const char *norm = "ffn_norm")
    {
        const std::string p = "blk." + std::to_string(layer) + '.';
        if (norm)
            add(p + norm + ".weight", {256});
        return add(p + "ffn_gate.weight", {256, ffn})
            .add(p + "ffn_up.weight", {256, ffn})
            .add(p + "ffn_down.weight", {ffn, 256});
    }
    Model &experts(int layer, std::int64_t ffn, std::int64_t count, bool biases = false)
    {
        const std::string p = "blk." + std::to_string(layer) + '.';
        add(p + "ffn_gate_inp.weight", {256, count});
        add(p + "ffn_gate_exps.weight", {256, ffn, count});
        add(p + "ffn_up_exps.weight", {256, ffn, count});
        add(p + "ffn_down_exps.weight", {ffn, 256, count});
        if (biases)
            add(p + "ffn_gate_inp.bias", {count})
                .add(p + "ffn_gate_exps.bias", {ffn, count})
                .add(p + "ffn_up_exps.bias", {ffn, count})
                .add(p + "ffn_down_exps.bias", {256, count});
        return *this;
    }
    Model &of(int layer, const char *name, const std::vector<std::int64_t> &ne)
    {
        return add("blk." + std::to_string(layer) + '.' + name, ne);
    }

    GgufWriter writer;
    Bytes total = 0;

private:
    std::string m_prefix;
};

Model llama()
{
    Model model("llama", 2, 8, 2);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 256, 64).dense(i, 768);
    model.head().add("rope_freqs.weight", {16});
    return model;
}

Model qwen3()
{
    Model model("qwen3", 2, 8, 2);
    model.key("attention.key_length", 64).key("attention.value_length", 64);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 512, 128)
            .of(i, "attn_q_norm.weight", {64})
            .of(i, "attn_k_norm.weight", {64})
            .dense(i, 768);
    return model; // tied
}

Model qwen2()
{
    Model model("qwen2", 2, 8, 2);
    for (int i = 0; i < 2; ++i) {
        model.attention(i, 256, 64).dense(i, 768);
        model.of(i, "attn_q.bias", {256}).of(i, "attn_k.bias", {64}).of(i, "attn_v.bias", {64});
    }
    return model.head();
}

Model qwen3moe()
{
    Model model("qwen3moe", 2, 8, 2);
    model.key("expert_count", 8).key("expert_used_count", 2).key("expert_feed_forward_length", 128);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 256, 64)
            .of(i, "attn_q_norm.weight", {32})
            .of(i, "attn_k_norm.weight", {32})
            .of(i, "ffn_norm.weight", {256})
            .experts(i, 128, 8);
    return model.head();
}

Model mixtral()
{
    Model model("llama", 2, 8, 2);
    model.key("expert_count", 4).key("expert_used_count", 2);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 256, 64).of(i, "ffn_norm.weight", {256}).experts(i, 768, 4);
    return model.head();
}

Model gptOss()
{
    Model model("gpt-oss", 2, 8, 2);
    model.key("expert_count", 4)
        .key("expert_used_count", 2)
        .key("expert_feed_forward_length", 128)
        .key("attention.sliding_window", 128)
        .key("attention.key_length", 64)
        .key("attention.value_length", 64);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 512, 128, true)
            .of(i, "attn_sinks.weight", {8})
            .of(i, "post_attention_norm.weight", {256})
            .experts(i, 128, 4, true);
    return model.head();
}

Model gemma3()
{
    Model model("gemma3", 3, 8, 2);
    model.key("attention.key_length", 64)
        .key("attention.value_length", 64)
        .key("attention.sliding_window", 512);
    for (int i = 0; i < 3; ++i)
        model.attention(i, 512, 128)
            .of(i, "attn_q_norm.weight", {64})
            .of(i, "attn_k_norm.weight", {64})
            .of(i, "post_attention_norm.weight", {256})
            .of(i, "post_ffw_norm.weight", {256})
            .dense(i, 768);
    return model;
}

Model phi3()
{
    Model model("phi3", 2, 8, 2);
    for (int i = 0; i < 2; ++i)
        model.of(i, "attn_norm.weight", {256})
            .of(i, "attn_qkv.weight", {256, 256 + 2 * 64})
            .of(i, "attn_output.weight", {256, 256})
            .of(i, "ffn_norm.weight", {256})
            .of(i, "ffn_up.weight", {256, 2 * 768})
            .of(i, "ffn_down.weight", {768, 256});
    return model.head();
}

Model deepseek2()
{
    constexpr std::int64_t kRank = 64;
    constexpr std::int64_t kHeads = 8;
    Model model("deepseek2", 2, kHeads, 1);
    model.key("attention.kv_lora_rank", kRank)
        .key("attention.q_lora_rank", 96)
        .key("attention.key_length", kRank + 16)
        .key("attention.value_length", kRank)
        .key("attention.key_length_mla", 48)
        .key("attention.value_length_mla", 32)
        .key("rope.dimension_count", 16)
        .key("leading_dense_block_count", 1)
        .key("expert_count", 8)
        .key("expert_used_count", 2)
        .key("expert_shared_count", 1)
        .key("expert_feed_forward_length", 128);
    for (int i = 0; i < 2; ++i)
        model.of(i, "attn_norm.weight", {256})
            .of(i, "attn_q_a.weight", {256, 96})
            .of(i, "attn_q_a_norm.weight", {96})
            .of(i, "attn_q_b.weight", {96, kHeads * 48})
            .of(i, "attn_kv_a_mqa.weight", {256, kRank + 16})
            .of(i, "attn_kv_a_norm.weight", {kRank})
            .of(i, "attn_k_b.weight", {32, kRank, kHeads})
            .of(i, "attn_v_b.weight", {kRank, 32, kHeads})
            .of(i, "attn_output.weight", {kHeads * 32, 256});
    model.dense(0, 768);
    model.of(1, "ffn_norm.weight", {256})
        .experts(1, 128, 8)
        .of(1, "exp_probs_b.bias", {8})
        .of(1, "ffn_gate_shexp.weight", {256, 128})
        .of(1, "ffn_up_shexp.weight", {256, 128})
        .of(1, "ffn_down_shexp.weight", {128, 256});
    return model.head();
}

Model glm4moe()
{
    Model model("glm4moe", 3, 8, 2);
    model.key("nextn_predict_layers", 1)
        .key("attention.key_length", 32)
        .key("attention.value_length", 32)
        .key("leading_dense_block_count", 1)
        .key("expert_count", 8)
        .key("expert_used_count", 2)
        .key("expert_shared_count", 1)
        .key("expert_feed_forward_length", 128);
    for (int i = 0; i < 2; ++i)
        model.attention(i, 256, 64)
            .of(i, "attn_q.bias", {256})
            .of(i, "attn_k.bias", {64})
            .of(i, "attn_v.bias", {64})
            .of(i, "post_attention_norm.weight", {256});
    model.dense(0, 768, nullptr);
    model.experts(1, 128, 8)
        .of(1, "exp_probs_b.bias", {8})
        .of(1, "ffn_gate_shexp.weight", {256, 128})
        .of(1, "ffn_up_shexp.weight", {256, 128})
        .of(1, "ffn_down_shexp.weight", {128, 256});
    return model.head();
}

} // namespace

void TestImportGguf::init()
{
    Test::init();
    m_folder.emplace();
    m_file = m_folder->filePath(u"x.gguf"_s).toStdString();
}

void TestImportGguf::modelsAreThoseOfTheirTensors_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("modelType");
    const char *types[] = {"llama",   "qwen3",       "qwen2", "qwen3_moe",   "mixtral",
                           "gpt_oss", "gemma3_text", "phi3",  "deepseek_v3", "glm4_moe"};
    for (int i = 0; i < 10; ++i)
        QTest::newRow(types[i]) << i << QString::fromLatin1(types[i]);
}

/// Each part of the model has as many values as its tensors, and the plan's weights are their
/// bytes.
void TestImportGguf::modelsAreThoseOfTheirTensors()
{
    QFETCH(int, index);
    QFETCH(QString, modelType);
    constexpr Model (*kModels[])() = {llama,  qwen3,  qwen2, qwen3moe,  mixtral,
                                      gptOss, gemma3, phi3,  deepseek2, glm4moe};
    const Model model = kModels[index]();
    const auto read = imported(model.writer);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(*read->plan.inference.engine, Engine::LlamaCpp);
    QCOMPARE(*read->plan.workload, Workload::Inference);
    const ResolvedPlan resolved = resolve(read->plan);
    QCOMPARE(QString::fromStdString(resolved.settings.architecture.modelType), modelType);
    QCOMPARE(firstDifference(resolved.settings), std::string());
    const Estimate needs = estimate(read->plan);
    QVERIFY(needs.computed);
    const bool tied = resolved.settings.architecture.tiedEmbeddings;
    const Bytes embedding = 256 * 100 * 2;
    Bytes weights = 0;
    for (const Component &part : needs.moments.front().components)
        weights += part.category == Category::Parameters ? part.bytes : 0;
    QCOMPARE(weights, model.total - (tied ? 0 : embedding));
}

void TestImportGguf::whatStaysOnTheHostIsLeftOut()
{
    const auto read = imported(llama().writer);
    QVERIFY(read.ok());
    const auto left = leftOut(resolve(read->plan).settings);
    QCOMPARE(left.size(), std::size_t(1));
    QCOMPARE(left[0].bytes, std::int64_t(51'200));
    QVERIFY(left[0].words.find("stays on the host") != std::string::npos);
}

void TestImportGguf::anUnknownArchitectureIsNamed()
{
    GgufWriter writer = test::smallModel("newmodel", 2, 256, 8, 2);
    writer.tensor("blk.0.ffn_up.weight", kF16, {8, 8}, 128);
    const auto read = imported(writer);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QVERIFY(!read->plan.model.config);
    QVERIFY(read->plan.model.checkpoint); // its weights are known all the same
    QVERIFY(read->notes.front().text.find("\"newmodel\"") != std::string::npos);
}

void TestImportGguf::whatDoesNotCarryOverIsNamed_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QList<int>>("values");
    QTest::addColumn<QString>("words");
    QTest::newRow("widths by layer") << u"qwen3.feed_forward_length"_s << QList<int>{768, 512}
                                     << u"differs from layer to layer"_s;
    QTest::newRow("a layer without attention")
        << u"qwen3.attention.head_count_kv"_s << QList<int>{2, 0} << u"without attention"_s;
    QTest::newRow("a width below nothing")
        << u"qwen3.feed_forward_length"_s << QList<int>{-1, -1} << u"no number of at least 0"_s;
}

void TestImportGguf::whatDoesNotCarryOverIsNamed()
{
    QFETCH(QString, key);
    QFETCH(QList<int>, values);
    QFETCH(QString, words);
    GgufWriter writer;
    writer.text("general.architecture", "qwen3")
        .u32("qwen3.block_count", 2)
        .u32("qwen3.embedding_length", 256)
        .u32("qwen3.attention.head_count", 8)
        .numbers(key.toStdString(), {values[0], values[1]})
        .tensor("token_embd.weight", kF16, {256, 100}, 51'200);
    const auto read = imported(writer);
    QVERIFY(read.ok());
    const QString note = QString::fromStdString(read->notes.front().text);
    QVERIFY2(note.contains(words) && note.contains(key), qPrintable(note));
}

void TestImportGguf::whatIsNoModelIsRefused()
{
    const auto vocabulary = imported(test::smallModel("llama", 2, 256, 8, 2));
    QVERIFY(!vocabulary.ok());
    QVERIFY(vocabulary.error().text().find("no tensors") != std::string::npos);
    GgufWriter writer;
    writer.text("general.architecture", "clip").tensor("v.x.weight", kF16, {8}, 16);
    const auto projector = imported(writer);
    QVERIFY(!projector.ok());
    QVERIFY(projector.error().text().find("projector") != std::string::npos);
}

void TestImportGguf::otherEnginesDoNotReadIt()
{
    auto read = imported(llama().writer);
    QVERIFY(read.ok());
    read->plan.inference.engine = Engine::Hf;
    const ResolvedPlan resolved = resolve(read->plan);
    QVERIFY(!countsByCheckpoint(resolved.settings));
    QVERIFY(std::ranges::any_of(resolved.issues, [](const Issue &issue) {
        return issue.text.find("The files are GGUF") != std::string::npos;
    }));
}

VRAMSCOPE_TEST(TestImportGguf)
#include "tst_import_gguf.moc"
