// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_fit.h"
#include "core/llama_cpp/llama_flags.h"
#include "tests/support/test.h"

#include <cmath>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Where llama.cpp puts layers, tensors and caches: printed figures of its logs, and its own
/// arithmetic done slowly.
class TestLlamaSplit : public test::Test
{
    Q_OBJECT

private slots:
    void cachesAreThoseThatLogsPrint_data();
    void cachesAreThoseThatLogsPrint();
    void buffersOfLlama3AreThoseThatLogsPrint();
    void layersGoWhereSlowArithmeticPutsThem();
    void layersOfKnownSplits_data();
    void layersOfKnownSplits();
    void nothingIsLostOrCountedTwice();
    void rowsArePaddedAsCudaPadsThem();
    void overridesMoveTensorsAndNoCache();
    void patternsOfOverridesAreBounded();
    void rowsAddUpToTheMatrices();
    void theWindowKeepsItsCells_data();
    void theWindowKeepsItsCells();
    void statesAreInFp32ForEachSequence();
    void computeTermsShowTheirProducts();
    void flagsAreReadAndWritten();
    void aFlagThatIsWrongSaysWhatItTakes_data();
    void aFlagThatIsWrongSaysWhatItTakes();
    void machinesAreReadAsPeopleWriteThem();
};

namespace {

const TensorType &type(const char *name)
{
    return *findTensorType(name);
}

LlamaTensor layerTensor(std::int64_t layer, const std::string &module, const char *kind,
                        std::vector<std::int64_t> shape)
{
    LlamaTensor tensor;
    tensor.stored = {"blk." + std::to_string(layer) + '.' + module + ".weight", type(kind),
                     std::move(shape), 0};
    tensor.stored.bytes = bytesOf(tensor.stored.type, tensor.stored.shape)->value();
    tensor.place = LlamaPlace::Layer;
    tensor.layer = layer;
    tensor.routed = module.ends_with("_exps");
    tensor.ffn = module.starts_with("ffn_gate")   ? LlamaFfn::Gate
                 : module.starts_with("ffn_up")   ? LlamaFfn::Up
                 : module.starts_with("ffn_down") ? LlamaFfn::Down
                                                  : LlamaFfn::None;
    return tensor;
}

LlamaTensor placedTensor(const char *name, LlamaPlace place, const char *kind,
                         std::vector<std::int64_t> shape)
{
    LlamaTensor tensor;
    tensor.stored = {name, type(kind), std::move(shape), 0};
    tensor.stored.bytes = bytesOf(tensor.stored.type, tensor.stored.shape)->value();
    tensor.place = place;
    return tensor;
}

/// Layers that are all the same, without tensors.
LlamaModel caches(std::size_t layers, std::int64_t keys, std::int64_t values)
{
    LlamaModel model;
    model.layers.assign(layers, {keys, values, false, 0});
    model.trainedContext = 1 << 20;
    model.width = 1;
    return model;
}

/// Llama-3-8B as a Q4_K_M file has it.
LlamaModel llama3()
{
    LlamaModel model = caches(32, 1024, 1024);
    model.trainedContext = 8192;
    model.width = 4096;
    model.heads = 32;
    model.feedForward = 14336;
    model.vocabulary = 128256;
    model.tensors.push_back(
        placedTensor("token_embd.weight", LlamaPlace::Input, "Q4_K", {128256, 4096}));
    for (std::int64_t i = 0; i < 32; ++i) {
        const bool more = i < 4 || i > 27 || (i % 3 == 0 && i > 4);
        const char *const high = more ? "Q6_K" : "Q4_K";
        for (const char *norm : {"attn_norm", "ffn_norm"})
            model.tensors.push_back(layerTensor(i, norm, "F32", {4096}));
        model.tensors.push_back(layerTensor(i, "attn_q", "Q4_K", {4096, 4096}));
        model.tensors.push_back(layerTensor(i, "attn_k", "Q4_K", {1024, 4096}));
        model.tensors.push_back(layerTensor(i, "attn_v", high, {1024, 4096}));
        model.tensors.push_back(layerTensor(i, "attn_output", "Q4_K", {4096, 4096}));
        model.tensors.push_back(layerTensor(i, "ffn_gate", "Q4_K", {14336, 4096}));
        model.tensors.push_back(layerTensor(i, "ffn_up", "Q4_K", {14336, 4096}));
        model.tensors.push_back(layerTensor(i, "ffn_down", high, {4096, 14336}));
    }
    model.tensors.push_back(placedTensor("output_norm.weight", LlamaPlace::Output, "F32", {4096}));
    model.tensors.push_back(
        placedTensor("output.weight", LlamaPlace::Output, "Q6_K", {128256, 4096}));
    return model;
}

std::vector<LlamaDevice> machine(std::initializer_list<Bytes> free)
{
    std::vector<LlamaDevice> devices;
    for (const Bytes each : free)
        devices.push_back({"GPU", each});
    return devices;
}

double mib(Bytes bytes)
{
    return std::round(static_cast<double>(bytes) / static_cast<double>(kMiB) * 100) / 100;
}

/// The loop of load_tensors() with nothing clever: the first device whose summed share is above.
std::vector<std::int64_t> slowly(std::int64_t layers, std::int64_t ngl, std::vector<float> shares)
{
    std::vector<std::int64_t> devices;
    const std::int64_t offloaded = ngl < 0 || ngl > layers + 1 ? layers + 1 : ngl;
    float whole = 0;
    for (const float share : shares)
        whole += share;
    for (std::int64_t layer = 0; layer <= layers; ++layer) {
        const std::int64_t from = layers + 1 - offloaded;
        if (layer < from) {
            devices.push_back(-1);
            continue;
        }
        float sum = 0;
        std::int64_t device = 0;
        for (const float share : shares) {
            sum += share;
            if (sum / whole > float(layer - from) / float(offloaded))
                break;
            ++device;
        }
        devices.push_back(device);
    }
    return devices;
}

} // namespace

void TestLlamaSplit::cachesAreThoseThatLogsPrint_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("values");
    QTest::addColumn<int>("context");
    QTest::addColumn<int>("sequences");
    QTest::addColumn<QString>("keyType");
    QTest::addColumn<double>("printed"); // MiB, as "KV buffer size" prints it
    // ggml-org/llama.cpp#6122: Command-R on two GPUs, 12 and 28 layers.
    QTest::newRow("Command-R, 12 layers") << 12 << 8192 << 8192 << 4096 << 1 << u"f16"_s << 1536.0;
    QTest::newRow("Command-R, 28 layers") << 28 << 8192 << 8192 << 4096 << 1 << u"f16"_s << 3584.0;
    QTest::newRow("Command-R, all") << 40 << 8192 << 8192 << 4096 << 1 << u"f16"_s << 5120.0;
    // ggml-org/llama.cpp#27680: the window of DeepSeek-V4, 4,352 cells of keys alone.
    QTest::newRow("DeepSeek-V4, the window") << 43 << 512 << 0 << 4352 << 1 << u"f16"_s << 182.75;
    // ggml-org/llama.cpp#9390: -c 16384 -np 8 -ctk q4_0, expanded keys of 61 layers on 8 GPUs.
    QTest::newRow("DeepSeek, 8 layers") << 8 << 24576 << 16384 << 16384 << 8 << u"q4_0"_s << 5824.0;
    QTest::newRow("DeepSeek, 7 layers") << 7 << 24576 << 16384 << 16384 << 8 << u"q4_0"_s << 5096.0;
}

void TestLlamaSplit::cachesAreThoseThatLogsPrint()
{
    QFETCH(int, layers);
    QFETCH(int, keys);
    QFETCH(int, values);
    QFETCH(int, context);
    QFETCH(int, sequences);
    QFETCH(QString, keyType);
    QFETCH(double, printed);
    LlamaSettings settings;
    settings.context = context;
    settings.sequences = sequences;
    QVERIFY(setLlamaFlag(settings, "-ctk", keyType.toStdString()).ok());
    const LlamaModel model = caches(static_cast<std::size_t>(layers), keys, values);
    const auto split = splitModel(model, settings, machine({kGiB}));
    QCOMPARE(mib(split.devices[0].cache), printed);
}

/// "CUDA0 model buffer size = 4403.49 MiB", "CPU_Mapped model buffer size = 281.81 MiB", "CUDA0 KV
/// buffer size = 1024.00 MiB", "CUDA0 compute buffer size = 258.50 MiB", "CUDA_Host compute buffer
/// size = 24.01 MiB", "CUDA_Host output buffer size = 0.49 MiB" of Llama-3-8B Q4_K_M, -c 8192: many
/// threads of ggml-org/llama.cpp.
void TestLlamaSplit::buffersOfLlama3AreThoseThatLogsPrint()
{
    const auto split = splitModel(llama3(), {}, machine({24 * kGiB}));
    QCOMPARE(mib(split.devices[0].model), 4403.49);
    QCOMPARE(mib(split.host.model), 281.81);
    QCOMPARE(mib(split.devices[0].cache), 1024.0);
    QCOMPARE(mib(split.devices[0].compute), 258.5); // an estimate that this one meets
    QCOMPARE(mib(split.host.output), 0.49);
    QCOMPARE(split.context, std::int64_t(8192));
}

void TestLlamaSplit::layersGoWhereSlowArithmeticPutsThem()
{
    std::mt19937 random(7);
    const auto below = [&random](std::uint32_t most) { return std::int64_t(random() % most); };
    for (int round = 0; round < 4'000; ++round) {
        const std::int64_t layers = 1 + below(128);
        const std::int64_t ngl = below(static_cast<std::uint32_t>(layers + 4)) - 1;
        std::vector<float> shares(std::size_t(1 + below(8)));
        for (float &share : shares)
            share = round % 3 == 0 ? float(below(100)) : float(below(80) * kGiB + below(1U << 30U));
        if (std::ranges::all_of(shares, [](float share) { return share == 0; }))
            shares[0] = 1;
        QCOMPARE(devicesOfLayers(layers, ngl, shares), slowly(layers, ngl, shares));
    }
}

void TestLlamaSplit::layersOfKnownSplits_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("ngl");
    QTest::addColumn<QString>("shares");
    QTest::addColumn<QList<int>>("counts"); // host, then devices; the output is one of them
    QTest::newRow("all on one") << 32 << -1 << u"1"_s << QList<int>{0, 33};
    QTest::newRow("more than there are") << 32 << 99 << u"1"_s << QList<int>{0, 33};
    QTest::newRow("none") << 32 << 0 << u"1"_s << QList<int>{33, 0};
    QTest::newRow("the output alone") << 32 << 1 << u"1"_s << QList<int>{32, 1};
    QTest::newRow("as many as layers: the first stays") << 32 << 32 << u"1"_s << QList<int>{1, 32};
    QTest::newRow("two halves") << 32 << 33 << u"1,1"_s << QList<int>{0, 17, 16};
    QTest::newRow("three to one") << 32 << 33 << u"3,1"_s << QList<int>{0, 25, 8};
    // Command-R of #6122: 40 layers and the output, 12 layers on the smaller card.
    QTest::newRow("12 and 28 with the output") << 40 << 41 << u"12,29"_s << QList<int>{0, 12, 29};
    QTest::newRow("a device that takes none") << 32 << 33 << u"0,1"_s << QList<int>{0, 0, 33};
    QTest::newRow("8 of them") << 61 << 62 << u"1,1,1,1,1,1,1,1"_s
                               << QList<int>{0, 8, 8, 8, 7, 8, 8, 8, 7};
    QTest::newRow("half on the host") << 80 << 40 << u"24,16"_s << QList<int>{41, 24, 16};
    QTest::newRow("fractions") << 48 << -1 << u"0.7,0.2,0.1"_s << QList<int>{0, 35, 10, 4};
}

void TestLlamaSplit::layersOfKnownSplits()
{
    QFETCH(int, layers);
    QFETCH(int, ngl);
    QFETCH(QString, shares);
    QFETCH(QList<int>, counts);
    LlamaSettings settings;
    QVERIFY(setLlamaFlag(settings, "-ngl", std::to_string(ngl)).ok());
    QVERIFY(setLlamaFlag(settings, "-ts", shares.toStdString()).ok());
    std::vector<LlamaDevice> devices(settings.tensorSplit.size(), {"GPU", kGiB});
    const auto split =
        splitModel(caches(static_cast<std::size_t>(layers), 64, 64), settings, devices);
    QCOMPARE(std::ssize(split.layerDevice), layers + 1);
    for (int device = -1; device < std::ssize(devices); ++device)
        QCOMPARE(std::ranges::count(split.layerDevice, device), counts[device + 1]);
    QVERIFY(std::ranges::is_sorted(split.layerDevice)); // the host first, then device by device
}

void TestLlamaSplit::nothingIsLostOrCountedTwice()
{
    const LlamaModel model = llama3();
    Bytes stored = 0;
    for (const LlamaTensor &tensor : model.tensors)
        stored += tensor.stored.bytes; // all of them multiples of every padding
    for (int ngl = 0; ngl <= 33; ++ngl) {
        for (const auto mode : {LlamaSplitMode::None, LlamaSplitMode::Layer}) {
            LlamaSettings settings;
            settings.gpuLayers = ngl;
            settings.splitMode = mode;
            settings.mainGpu = 1;
            const auto split = splitModel(model, settings, machine({10 * kGiB, 20 * kGiB}));
            Bytes weights = split.host.model;
            Bytes cache = split.host.cache;
            for (const LlamaShare &share : split.devices) {
                weights += share.model;
                cache += share.cache;
            }
            QCOMPARE(weights, stored);
            QCOMPARE(cache, kGiB);
            if (mode == LlamaSplitMode::None)
                QCOMPARE(split.devices[0].total(), Bytes(0));
        }
    }
    // A tied model has its embedding once more for the output.
    LlamaModel tied = model;
    tied.tensors.pop_back();
    tied.tied = true;
    const auto split = splitModel(tied, {}, machine({20 * kGiB}));
    const Bytes embedding = tied.tensors.front().stored.bytes;
    QCOMPARE(split.host.model, embedding);
    QCOMPARE(split.devices[0].model, stored - model.tensors.back().stored.bytes);
}

void TestLlamaSplit::rowsArePaddedAsCudaPadsThem()
{
    // A row of 256 lacks as many for 512, another block of Q4_K; then multiples of 128 bytes.
    const LlamaTensor half = layerTensor(0, "ffn_up", "Q4_K", {3, 256});
    QCOMPARE(half.stored.bytes, Bytes(3 * 144));
    QCOMPARE(cudaBytes(half.stored), Bytes(640)); // 4 · 144 = 576
    QCOMPARE(cudaBytes(layerTensor(0, "ffn_up", "Q4_K", {3, 512}).stored), Bytes(896)); // 864
    QCOMPARE(cudaBytes(layerTensor(0, "ffn_up", "MXFP4", {1, 2880}).stored),
             Bytes(1664)); // gpt-oss: 90 + 6 blocks of 17 = 1,632
    QCOMPARE(cudaBytes(layerTensor(0, "norm", "F32", {100}).stored), Bytes(512));
}

// Each of these takes longer than the world is old where the search goes back and tries again.
void TestLlamaSplit::patternsOfOverridesAreBounded()
{
    const LlamaTensor tensor =
        layerTensor(0, "a_long_name_that_is_all_letters_aaaaaaaaaaaaaaaaaaa", "F16", {256, 256});
    for (const char *pattern : {"(.*)*y", "(a+)+$", "(a|aa)+b", "(x+x+)+y", "((.*)*)*\\d{3}",
                                "^(([a-z_])+.)+[A-Z]([a-z])+$", "(.?){150}#"}) {
        LlamaSettings settings;
        QVERIFY2(setLlamaFlag(settings, "-ot", std::string(pattern) + "=CPU").ok(), pattern);
        QCOMPARE(settings.overrides.size(), std::size_t(1));
        QVERIFY2(!settings.overrides.front().matches(tensor), pattern);
    }
    LlamaSettings many;
    std::string list;
    for (int i = 0; i < 100; ++i)
        list += (i == 0 ? "" : ",") + ("blk\\." + std::to_string(i)) +
                R"(\.ffn_(up|down|gate_up|gate)_(ch|)exps=CPU)";
    QVERIFY(setLlamaFlag(many, "-ot", list).ok()); // as --fit writes them
    for (int i = 0; i < 30; ++i)
        list += ",(.?){150}=CPU";
    QVERIFY(!setLlamaFlag(many, "-ot", list).ok());
}

void TestLlamaSplit::overridesMoveTensorsAndNoCache()
{
    LlamaModel model = caches(4, 128, 128);
    model.experts = 8;
    for (std::int64_t i = 0; i < 4; ++i) {
        model.tensors.push_back(layerTensor(i, "attn_q", "F16", {256, 256}));
        for (const char *part : {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"})
            model.tensors.push_back(layerTensor(i, part, "Q4_K", {8, 256, 512}));
    }
    constexpr Bytes kExperts = Bytes(3) * 8 * 256 * 288;
    constexpr Bytes kAttention = 256 * 256 * 2;
    const auto devices = machine({kGiB, kGiB});
    const auto onHost = [&](std::string_view flag, std::string_view value) {
        LlamaSettings settings;
        settings.context = 256;
        if (!setLlamaFlag(settings, flag, value).ok())
            return Bytes(-1);
        const auto split = splitModel(model, settings, devices);
        const Bytes cache = split.devices[0].cache + split.devices[1].cache;
        return split.host.cache == 0 && cache == Bytes(4) * 256 * 256 * 2 ? split.host.model
                                                                          : Bytes(-2);
    };
    QCOMPARE(onHost("--cpu-moe", ""), 4 * kExperts);
    QCOMPARE(onHost("--n-cpu-moe", "3"), 3 * kExperts);
    QCOMPARE(onHost("--n-cpu-moe", "0"), Bytes(0));
    QCOMPARE(onHost("-ot", "ffn_up_exps=CPU"), 4 * kExperts / 3);
    QCOMPARE(onHost("-ot", R"(blk\.[12]\.ffn_.*_exps=CPU,attn_q=CPU)"),
             2 * kExperts + 4 * kAttention);
    // To another device; the first pattern that finds a name counts.
    LlamaSettings settings;
    QVERIFY(setLlamaFlag(settings, "-ot", R"(blk\.0\.=CUDA1,blk\.0\.attn=CPU)").ok());
    const auto split = splitModel(model, settings, devices);
    QCOMPARE(split.host.model, Bytes(0));
    QCOMPARE(split.devices[0].model, 2 * (kExperts + kAttention)); // 5 with the output: 3 and 2
}

void TestLlamaSplit::rowsAddUpToTheMatrices()
{
    LlamaSettings settings;
    settings.splitMode = LlamaSplitMode::Row;
    settings.mainGpu = 1;
    const LlamaModel model = llama3();
    const auto split = splitModel(model, settings, machine({10 * kGiB, 20 * kGiB}));
    QCOMPARE(mib(split.devices[0].model + split.devices[1].model), 4403.49);
    QCOMPARE(split.devices[0].cache, Bytes(0)); // on the main one
    QCOMPARE(split.devices[1].cache, kGiB);
    const double share =
        double(split.devices[0].model) / double(split.devices[0].model + split.devices[1].model);
    QVERIFY(share > 0.31 && share < 0.34);
}

void TestLlamaSplit::theWindowKeepsItsCells_data()
{
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("context");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("sequences");
    QTest::addColumn<bool>("unified");
    QTest::addColumn<bool>("whole");
    QTest::addColumn<int>("cells");    // of the window
    QTest::addColumn<int>("context2"); // of all
    // DeepSeek-V4 with -ub 4096, ggml-org/llama.cpp#27680: pad(128 + 4096, 256).
    QTest::newRow("DeepSeek-V4") << 128 << 64000 << 4096 << 1 << false << false << 4352 << 64000;
    QTest::newRow("gpt-oss") << 128 << 8192 << 512 << 1 << false << false << 768 << 8192;
    // Command A, ggml-org/llama.cpp#14043: 240,000 cells beside.
    QTest::newRow("Command A") << 4096 << 240000 << 512 << 1 << false << false << 4608 << 240128;
    QTest::newRow("a short context") << 4096 << 1000 << 512 << 1 << false << false << 1024 << 1024;
    QTest::newRow("--swa-full") << 128 << 8192 << 512 << 1 << false << true << 8192 << 8192;
    QTest::newRow("four, each its own") << 128 << 8192 << 512 << 4 << false << false << 768 << 8192;
    QTest::newRow("four in one") << 128 << 8192 << 512 << 4 << true << false << 1024 << 8192;
}

void TestLlamaSplit::theWindowKeepsItsCells()
{
    QFETCH(int, window);
    QFETCH(int, context);
    QFETCH(int, batch);
    QFETCH(int, sequences);
    QFETCH(bool, unified);
    QFETCH(bool, whole);
    QFETCH(int, cells);
    QFETCH(int, context2);
    LlamaModel model = caches(4, 512, 0);
    model.window = window;
    model.layers[0].window = model.layers[2].window = true;
    LlamaSettings settings;
    settings.context = context;
    settings.microBatch = batch;
    settings.sequences = sequences;
    settings.unified = unified;
    settings.wholeWindow = whole;
    const auto split = splitModel(model, settings, machine({kGiB}));
    QCOMPARE(split.windowCells, std::int64_t(cells));
    QCOMPARE(split.context, std::int64_t(context2));
    const std::int64_t streams = unified ? 1 : sequences;
    QCOMPARE(split.devices[0].cache, Bytes(2 * 512 * 2) * (context2 + cells * streams));
    settings.offloadCache = false;
    const auto host = splitModel(model, settings, machine({kGiB}));
    QCOMPARE(host.host.cache, split.devices[0].cache);
    QCOMPARE(host.devices[0].cache, Bytes(0));
}

void TestLlamaSplit::statesAreInFp32ForEachSequence()
{
    LlamaModel model = caches(3, 0, 0);
    model.layers[1] = {256, 256, false, 0};
    model.layers[0].state = model.layers[2].state = 1000;
    LlamaSettings settings;
    settings.context = 512;
    settings.sequences = 2;
    const auto split = splitModel(model, settings, machine({kGiB}));
    QCOMPARE(split.devices[0].cache, Bytes(2 * 1000 * 4 * 2) + Bytes(512) * 512 * 2);
}

void TestLlamaSplit::computeTermsShowTheirProducts()
{
    LlamaSettings settings;
    settings.microBatch = 256;
    settings.flashAttention = false;
    const auto split = splitModel(llama3(), settings, machine({24 * kGiB}));
    Bytes mask = 0;
    Bytes largest = 0;
    for (const LlamaTerm &term : split.devices[0].terms) {
        QVERIFY(!term.formula.empty());
        if (term.name == "Mask of attention")
            mask = term.bytes;
        else
            largest = std::max(largest, term.bytes);
    }
    QCOMPARE(mask, Bytes(256) * 8192 * 4);
    QCOMPARE(largest, Bytes(256) * 8192 * 32 * 4); // scores, without flash attention
    QCOMPARE(split.devices[0].compute, mask + largest);
}

void TestLlamaSplit::flagsAreReadAndWritten()
{
    LlamaSettings settings;
    const std::pair<const char *, const char *> given[] = {
        {"-ngl", "30"},          {"-ts", "3,1"},     {"-sm", "row"},      {"-c", "16384"},
        {"-ub", "256"},          {"-np", "4"},       {"-ctk", "q8_0"},    {"-ctv", "q4_0"},
        {"--no-kv-offload", ""}, {"--swa-full", ""}, {"--n-cpu-moe", "1"}};
    for (const auto &[name, value] : given)
        QVERIFY2(setLlamaFlag(settings, name, value).ok(), name);
    QCOMPARE(QString::fromStdString(llamaFlags(settings)),
             uR"(-ngl 30 -ts 3,1 -sm row -ot "blk\.0\.ffn_(up|down|gate_up|gate)_(ch|)exps=CPU" )"
             u"-c 16384 -ub 256 -np 4 -ctk q8_0 -ctv q4_0 --no-kv-offload --swa-full"_s);
    QCOMPARE(llamaFlags({}), std::string());
    QVERIFY(setLlamaFlag(settings, "-ngl", "all").ok() && settings.gpuLayers == -1);
}

void TestLlamaSplit::aFlagThatIsWrongSaysWhatItTakes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    for (const auto &[name, value] :
         std::initializer_list<std::pair<const char *, const char *>>{{"-ngl", "many"},
                                                                      {"-ts", "3,x"},
                                                                      {"-ts", "-1"},
                                                                      {"-ts", "nan"},
                                                                      {"-sm", "tensor"},
                                                                      {"-mg", "-1"},
                                                                      {"-ot", "attn"},
                                                                      {"-ot", "(=CPU"},
                                                                      {"-ot", "attn=GPU"},
                                                                      {"-ot", "(a)\\1=CPU"},
                                                                      {"-ot", "(.?){600}y=CPU"},
                                                                      {"-ctk", "q6_K"},
                                                                      {"-c", "1e9"},
                                                                      {"-ub", "0"},
                                                                      {"-np", "0"},
                                                                      {"-fa", "maybe"},
                                                                      {"--n-cpu-moe", "x"},
                                                                      {"--other", ""}})
        QTest::addRow("%s %s", name, value)
            << QString::fromLatin1(name) << QString::fromLatin1(value);
}

void TestLlamaSplit::aFlagThatIsWrongSaysWhatItTakes()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    LlamaSettings settings;
    const auto set = setLlamaFlag(settings, name.toStdString(), value.toStdString());
    QVERIFY(!set.ok());
    QVERIFY(QString::fromStdString(set.error().detail).startsWith(name));
    QVERIFY(set.error().detail.ends_with('.'));
}

void TestLlamaSplit::machinesAreReadAsPeopleWriteThem()
{
    const auto read = parseMachine("24GiB, RTX 3090=23.5 GiB ,host 64 GiB,16gb");
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->devices.size(), std::size_t(3));
    QCOMPARE(read->devices[0].name, std::string("device 0"));
    QCOMPARE(read->devices[0].free, 24 * kGiB);
    QCOMPARE(read->devices[1].name, std::string("RTX 3090"));
    QCOMPARE(read->devices[1].free, 47 * kGiB / 2);
    QCOMPARE(read->devices[2].free, Bytes(16'000'000'000));
    QCOMPARE(*read->host, 64 * kGiB);
    for (const char *wrong : {"", "24GiB,,12GiB", "a card", "host", "-1GiB", "24 parsecs"})
        QVERIFY2(!parseMachine(wrong).ok(), wrong);
}

VRAMSCOPE_TEST(TestLlamaSplit)
#include "tst_llama_split.moc"
