// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_split.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

using test::GgufWriter;

/// A model as the keys and tensors of a GGUF file say it.
class TestLlamaModel : public test::Test
{
    Q_OBJECT

private slots:
    void init() override;
    void layersAreThoseOfTheKeys();
    void latentAttentionKeepsKeysAlone();
    void windowsFollowTheArchitecture_data();
    void windowsFollowTheArchitecture();
    void aListSaysWhichLayersSlide();
    void anUnknownWindowIsSaid();
    void recurrentLayersKeepAState();
    void predictionLayersAreNotLoaded();
    void tensorsGoToTheirPlaces();
    void whatIsNoModelSaysSo();

private:
    [[nodiscard]] Result<LlamaModel> modelOf(const GgufWriter &writer) const
    {
        const auto file = m_place / "x.gguf";
        writer.write(file);
        const auto read = readCheckpoint(file);
        return read ? llamaModel(*read) : Result<LlamaModel>(read.error());
    }

    std::optional<QTemporaryDir> m_folder;
    std::filesystem::path m_place;
};

namespace {

/// As llama.cpp's set_swa_pattern() counts it.
std::string windows(const LlamaModel &model)
{
    std::string text;
    for (const LlamaLayer &layer : model.layers)
        text += layer.window ? 'w' : '.';
    return text;
}

GgufWriter withTensor(GgufWriter writer)
{
    writer.tensor("token_embd.weight", 0, {256, 100}, 102'400);
    return writer;
}

} // namespace

void TestLlamaModel::init()
{
    Test::init();
    m_folder.emplace();
    m_place = m_folder->path().toStdString();
}

void TestLlamaModel::layersAreThoseOfTheKeys()
{
    const auto model = modelOf(withTensor(test::smallModel("llama", 4, 256, 8, 2)));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE(model->layers.size(), std::size_t(4));
    for (const LlamaLayer &layer : model->layers) {
        QCOMPARE(layer.keyWidth, std::int64_t(64)); // 256 / 8 heads · 2
        QCOMPARE(layer.valueWidth, std::int64_t(64));
        QVERIFY(!layer.window && layer.state == 0);
    }
    QCOMPARE(model->vocabulary, std::int64_t(100));
    QCOMPARE(model->trainedContext, std::int64_t(4096));
    QVERIFY(model->tied);
    // Widths of their own, and heads by layer; no heads, no cache.
    GgufWriter writer;
    writer.text("general.architecture", "qwen3")
        .u32("qwen3.block_count", 3)
        .u32("qwen3.embedding_length", 256)
        .u32("qwen3.attention.head_count", 8)
        .numbers("qwen3.attention.head_count_kv", {2, 0, 4})
        .u32("qwen3.attention.key_length", 128)
        .u32("qwen3.attention.value_length", 96);
    const auto other = modelOf(withTensor(writer));
    QVERIFY(other.ok());
    QCOMPARE(other->layers[0].keyWidth, std::int64_t(256));
    QCOMPARE(other->layers[1].keyWidth, std::int64_t(0));
    QCOMPARE(other->layers[2].valueWidth, std::int64_t(384));
}

void TestLlamaModel::latentAttentionKeepsKeysAlone()
{
    GgufWriter writer = test::smallModel("deepseek2", 2, 256, 16, 1);
    writer.u32("deepseek2.attention.key_length", 576)
        .u32("deepseek2.attention.value_length", 512)
        .u32("deepseek2.attention.key_length_mla", 192)
        .u32("deepseek2.attention.value_length_mla", 128)
        .u32("deepseek2.attention.kv_lora_rank", 512);
    const auto model = modelOf(withTensor(writer));
    QVERIFY(model.ok());
    QCOMPARE(model->layers[0].keyWidth, std::int64_t(576));
    QCOMPARE(model->layers[0].valueWidth, std::int64_t(0));
}

void TestLlamaModel::windowsFollowTheArchitecture_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("pattern");
    QTest::newRow("gemma2") << u"gemma2"_s << u"w.w.w.w."_s;
    QTest::newRow("gemma3") << u"gemma3"_s << u"wwwww.ww"_s;
    QTest::newRow("gpt-oss") << u"gpt-oss"_s << u"w.w.w.w."_s;
    QTest::newRow("cohere2") << u"cohere2"_s << u"www.www."_s;
    QTest::newRow("smallthinker") << u"smallthinker"_s << u".www.www"_s;
    QTest::newRow("phi3, switched off") << u"phi3"_s << u"........"_s;
    QTest::newRow("llama, without") << u"llama"_s << u"........"_s;
}

void TestLlamaModel::windowsFollowTheArchitecture()
{
    QFETCH(QString, architecture);
    QFETCH(QString, pattern);
    GgufWriter writer = test::smallModel(architecture.toStdString(), 8, 256, 8, 2);
    if (architecture != u"llama")
        writer.u32(architecture.toStdString() + ".attention.sliding_window", 512);
    const auto model = modelOf(withTensor(writer));
    QVERIFY(model.ok());
    QCOMPARE(QString::fromStdString(windows(*model)), pattern);
    QVERIFY(model->notes.empty());
}

void TestLlamaModel::aListSaysWhichLayersSlide()
{
    GgufWriter writer = test::smallModel("gemma4", 5, 256, 8, 2);
    writer.u32("gemma4.attention.sliding_window", 512)
        .flags("gemma4.attention.sliding_window_pattern", {true, true, false, true, false})
        .u32("gemma4.attention.key_length", 64)
        .u32("gemma4.attention.key_length_swa", 32)
        .u32("gemma4.attention.shared_kv_layers", 2);
    const auto model = modelOf(withTensor(writer));
    QVERIFY(model.ok());
    QCOMPARE(windows(*model), std::string("ww.w."));
    QCOMPARE(model->layers[0].keyWidth, std::int64_t(64));  // 32 · 2
    QCOMPARE(model->layers[2].keyWidth, std::int64_t(128)); // 64 · 2
    QCOMPARE(model->layers[3].keyWidth, std::int64_t(0));   // shares those of others
}

void TestLlamaModel::anUnknownWindowIsSaid()
{
    GgufWriter writer = test::smallModel("newmodel", 4, 256, 8, 2);
    writer.u32("newmodel.attention.sliding_window", 512);
    const auto model = modelOf(withTensor(writer));
    QVERIFY(model.ok());
    QCOMPARE(model->notes.size(), std::size_t(1));
    QVERIFY(model->notes[0].find("not known") != std::string::npos);
    QCOMPARE(windows(*model), std::string("...."));
}

void TestLlamaModel::recurrentLayersKeepAState()
{
    // Mamba: (4 - 1) · (512 + 2 · 1 · 16) + 16 · 512.
    GgufWriter writer = test::smallModel("jamba", 3, 256, 8, 2);
    writer.u32("jamba.ssm.conv_kernel", 4)
        .u32("jamba.ssm.inner_size", 512)
        .u32("jamba.ssm.state_size", 16)
        .u32("jamba.ssm.group_count", 1)
        .tensor("blk.0.ssm_in.weight", 0, {8}, 32)
        .tensor("blk.1.attn_k.weight", 0, {8}, 32)
        .tensor("blk.2.ssm_in.weight", 0, {8}, 32)
        .tensor("blk.2.attn_k.weight", 0, {8}, 32);
    const auto model = modelOf(writer);
    QVERIFY(model.ok());
    constexpr std::int64_t kState = 3 * (512 + 32) + 16 * 512;
    QCOMPARE(model->layers[0].state, kState);
    QCOMPARE(model->layers[0].keyWidth, std::int64_t(0));
    QCOMPARE(model->layers[1].state, std::int64_t(0));
    QCOMPARE(model->layers[1].keyWidth, std::int64_t(64));
    QCOMPARE(model->layers[2].state, kState); // both, as in Falcon-H1
    QCOMPARE(model->layers[2].keyWidth, std::int64_t(64));
    // LFM2: width · (3 - 1).
    GgufWriter short_ = test::smallModel("lfm2", 1, 256, 8, 2);
    short_.u32("lfm2.shortconv.l_cache", 3).tensor("blk.0.shortconv.conv.weight", 0, {8}, 32);
    const auto lfm2 = modelOf(short_);
    QVERIFY(lfm2.ok());
    QCOMPARE(lfm2->layers[0].state, std::int64_t(512));
}

void TestLlamaModel::predictionLayersAreNotLoaded()
{
    GgufWriter writer = test::smallModel("glm4moe", 3, 256, 8, 2);
    writer.u32("glm4moe.nextn_predict_layers", 1)
        .tensor("blk.1.ffn_up_exps.weight", 0, {8, 8}, 256)
        .tensor("blk.2.ffn_up_exps.weight", 0, {8, 16}, 512)
        .tensor("blk.2.nextn.eh_proj.weight", 0, {8}, 32);
    const auto model = modelOf(writer);
    QVERIFY(model.ok());
    QCOMPARE(model->layers[2].keyWidth, std::int64_t(0));
    const LlamaDevice device{"GPU", 1 << 30};
    const auto split = splitModel(*model, {}, {&device, 1});
    QCOMPARE(split.devices[0].model + split.host.model, Bytes(256));
    QVERIFY(split.notes.front().find("multi-token prediction, 544 B") != std::string::npos);
}

void TestLlamaModel::tensorsGoToTheirPlaces()
{
    GgufWriter writer = test::smallModel("llama", 2, 256, 8, 2);
    writer.tensor("token_embd.weight", 0, {256, 100}, 102'400)
        .tensor("rope_freqs.weight", 0, {32}, 128)
        .tensor("blk.1.ffn_gate_up_exps.weight", 0, {8, 8, 2}, 512)
        .tensor("blk.1.ffn_gate_inp.weight", 0, {8, 2}, 64)
        .tensor("blk.0.ffn_down_chexps.weight", 0, {8, 8, 2}, 512)
        .tensor("blk.0.ffn_up_shexp.weight", 0, {8, 8}, 256)
        .tensor("output_norm.weight", 0, {256}, 1'024)
        .tensor("output.weight", 0, {256, 100}, 102'400);
    const auto model = modelOf(writer);
    QVERIFY(model.ok() && !model->tied);
    const auto find = [&](std::string_view name) {
        return *std::ranges::find_if(model->tensors, [name](const LlamaTensor &tensor) {
            return tensor.stored.name == name;
        });
    };
    QCOMPARE(find("token_embd.weight").place, LlamaPlace::Input);
    QCOMPARE(find("rope_freqs.weight").place, LlamaPlace::Every);
    QCOMPARE(find("output.weight").place, LlamaPlace::Output);
    QCOMPARE(find("blk.1.ffn_gate_up_exps.weight").ffn, LlamaFfn::GateUp);
    QVERIFY(find("blk.1.ffn_gate_up_exps.weight").routed);
    QVERIFY(find("blk.0.ffn_down_chexps.weight").routed);
    QVERIFY(!find("blk.1.ffn_gate_inp.weight").routed);
    QVERIFY(!find("blk.0.ffn_up_shexp.weight").routed);
    QCOMPARE(find("blk.0.ffn_up_shexp.weight").layer, std::int64_t(0));
}

void TestLlamaModel::whatIsNoModelSaysSo()
{
    GgufWriter projector;
    projector.text("general.architecture", "clip").tensor("v.x.weight", 0, {8}, 32);
    QVERIFY(modelOf(projector).error().text().find("projector") != std::string::npos);
    QVERIFY(!modelOf(test::smallModel("llama", 2, 256, 8, 2)).ok()); // a vocabulary
    QVERIFY(!modelOf(withTensor(GgufWriter())).ok());
    GgufWriter endless;
    endless.text("general.architecture", "llama")
        .u32("llama.block_count", 0xFFFFFFFFU)
        .u32("llama.embedding_length", 256);
    QVERIFY(modelOf(withTensor(endless)).error().text().find("block_count") != std::string::npos);
}

VRAMSCOPE_TEST(TestLlamaModel)
#include "tst_llama_model.moc"
