// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_fit.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

/// What --fit changes: each step where it has to, and the most that fits.
class TestLlamaFit : public test::Test
{
    Q_OBJECT

private slots:
    void whatFitsIsLeft();
    void theContextShrinksFirst();
    void aGivenContextStays();
    void layersFillTheLastDeviceFirst();
    void noFurtherLayerWouldFit();
    void expertsGoToTheHostFirst();
    void givenLayersStay();
    void everyMachineIsKeptTo();
};

namespace {

/// `layers` of 64 MiB and an output of 64, with a cache of 4 KiB a token and layer.
LlamaModel sample(std::size_t layers, bool experts)
{
    LlamaModel model;
    model.layers.assign(layers, {1024, 1024, false, 0});
    model.trainedContext = 65'536;
    model.width = 64;
    model.feedForward = 64;
    model.vocabulary = 64;
    const auto add = [&model](const std::string &name, LlamaPlace place, std::int64_t layer,
                              Bytes bytes) {
        LlamaTensor tensor;
        tensor.stored = {name, *findTensorType("F16"), {bytes / 2}, bytes};
        tensor.place = place;
        tensor.layer = layer;
        model.tensors.push_back(tensor);
        return &model.tensors.back();
    };
    for (std::size_t i = 0; i < layers; ++i) {
        const auto layer = static_cast<std::int64_t>(i);
        const std::string prefix = "blk." + std::to_string(i) + '.';
        add(prefix + "attn_q.weight", LlamaPlace::Layer, layer, 16 * kMiB);
        const std::pair<const char *, LlamaFfn> parts[] = {
            {"ffn_gate", LlamaFfn::Gate}, {"ffn_up", LlamaFfn::Up}, {"ffn_down", LlamaFfn::Down}};
        for (const auto &[part, ffn] : parts) {
            LlamaTensor *tensor = add(prefix + part + (experts ? "_exps.weight" : ".weight"),
                                      LlamaPlace::Layer, layer, 16 * kMiB);
            tensor->ffn = ffn;
            tensor->routed = experts;
        }
    }
    add("output.weight", LlamaPlace::Output, -1, 64 * kMiB);
    model.experts = experts ? 8 : 0;
    model.expertsUsed = experts ? 2 : 0;
    return model;
}

std::vector<LlamaDevice> devices(std::initializer_list<Bytes> free)
{
    std::vector<LlamaDevice> all;
    for (const Bytes each : free)
        all.push_back({"GPU", each * kMiB});
    return all;
}

LlamaFitTargets targets(Bytes margin)
{
    return {margin * kMiB, 4096};
}

std::vector<Bytes> usedBy(const LlamaModel &model, const LlamaSettings &settings,
                          const std::vector<LlamaDevice> &all)
{
    std::vector<Bytes> used;
    for (const LlamaShare &share : splitModel(model, settings, all).devices)
        used.push_back(share.total());
    return used;
}

} // namespace

void TestLlamaFit::whatFitsIsLeft()
{
    const LlamaModel model = sample(16, false);
    LlamaSettings settings;
    settings.context = 4096;
    const auto fit = fitModel(model, settings, devices({4096}), targets(1024));
    QVERIFY(fit.fits);
    QCOMPARE(fit.settings.gpuLayers, std::int64_t(-1));
    QCOMPARE(fit.settings.context, std::int64_t(4096));
    QCOMPARE(fit.steps.size(), std::size_t(1));
}

void TestLlamaFit::theContextShrinksFirst()
{
    // 16 · 64 + 64 MiB of weights; a token takes 64 KiB, so 65,536 take 4 GiB.
    const LlamaModel model = sample(16, false);
    const auto all = devices({4096});
    const auto fit = fitModel(model, {}, all, targets(1024));
    QVERIFY(fit.fits);
    QCOMPARE(fit.settings.gpuLayers, std::int64_t(-1));
    QVERIFY(fit.settings.context > 4096 && fit.settings.context < 65'536);
    QCOMPARE(fit.settings.context % 256, std::int64_t(0));
    // The longest: another 512 cells are too many.
    LlamaSettings longer = fit.settings;
    longer.context += 512;
    QVERIFY(usedBy(model, longer, all)[0] > 3072 * kMiB);
}

void TestLlamaFit::aGivenContextStays()
{
    LlamaSettings settings;
    settings.context = 32'768;
    const auto fit = fitModel(sample(16, false), settings, devices({2560}), targets(512));
    QCOMPARE(fit.settings.context, std::int64_t(32'768));
    QVERIFY(fit.fits && fit.settings.gpuLayers > 0 && fit.settings.gpuLayers < 17);
}

void TestLlamaFit::layersFillTheLastDeviceFirst()
{
    LlamaSettings settings;
    settings.context = 4096; // 16 MiB a layer: 80 in all
    const LlamaModel model = sample(30, false);
    const auto all = devices({500, 1000});
    const auto fit = fitModel(model, settings, all, targets(100));
    QVERIFY(fit.fits);
    // 900 MiB take the output of 64 and ten layers of 80, 400 MiB five less the mask.
    QCOMPARE(fit.settings.tensorSplit.size(), std::size_t(2));
    QCOMPARE(fit.settings.tensorSplit[1], 11.0F);
    QCOMPARE(fit.settings.tensorSplit[0], 4.0F);
    QCOMPARE(fit.settings.gpuLayers, std::int64_t(15));
    const auto split = splitModel(model, fit.settings, all);
    QCOMPARE(std::ranges::count(split.layerDevice, 1), 11);
    QCOMPARE(std::ranges::count(split.layerDevice, 0), 4);
}

/// Every filling that is tried by hand: none has more layers on the last device.
void TestLlamaFit::noFurtherLayerWouldFit()
{
    const LlamaModel model = sample(24, false);
    for (Bytes free = 200; free <= 2000; free += 75) {
        LlamaSettings settings;
        settings.context = 4096;
        const auto all = devices({free});
        const auto fit = fitModel(model, settings, all, targets(64));
        std::int64_t most = 0;
        for (std::int64_t ngl = 1; ngl <= 25; ++ngl) {
            settings.gpuLayers = ngl;
            if (usedBy(model, settings, all)[0] <= (free - 64) * kMiB)
                most = ngl;
        }
        QCOMPARE(fit.settings.gpuLayers < 0 ? 25 : fit.settings.gpuLayers, most);
        QVERIFY(fit.fits);
    }
}

void TestLlamaFit::expertsGoToTheHostFirst()
{
    LlamaSettings settings;
    settings.context = 4096;
    const LlamaModel model = sample(16, true);
    const auto all = devices({1000});
    // All: 16 · 80 + 64 = 1,344 MiB; without experts 16 · 32 + 64 = 576.
    const auto fit = fitModel(model, settings, all, targets(100));
    QVERIFY(fit.fits);
    QCOMPARE(fit.settings.gpuLayers, std::int64_t(17)); // no layer is left on the host
    const auto split = splitModel(model, fit.settings, all);
    QCOMPARE(std::ranges::count(split.layerDevice, -1), 0);
    QVERIFY(split.host.model > 0 && split.host.model < 16 * 48 * kMiB);
    // 900 - 580 leave room for six layers' experts of 48, and a part of the seventh.
    QVERIFY(split.devices[0].model + 16 * kMiB > 64 * kMiB + 16 * 16 * kMiB + 6 * 48 * kMiB);
    QVERIFY(usedBy(model, fit.settings, all)[0] <= 900 * kMiB);
    QVERIFY(usedBy(model, fit.settings, all)[0] > 900 * kMiB - 49 * kMiB);
}

void TestLlamaFit::givenLayersStay()
{
    const LlamaModel model = sample(16, false);
    LlamaSettings settings;
    settings.context = 4096;
    settings.gpuLayers = 17;
    settings.gpuLayersStated = true;
    const auto fit = fitModel(model, settings, devices({500}), targets(100));
    QVERIFY(!fit.fits);
    QCOMPARE(fit.settings.gpuLayers, std::int64_t(17));
    QVERIFY(fit.steps.back().find("-ngl is given") != std::string::npos);
    QVERIFY(!fitModel(model, {}, {}, targets(100)).fits); // no device
}

/// Whatever the machine: no device is filled beyond its target, unless nothing at all fits there.
void TestLlamaFit::everyMachineIsKeptTo()
{
    for (const bool experts : {false, true}) {
        const LlamaModel model = sample(20, experts);
        for (Bytes first = 100; first <= 1600; first += 170) {
            for (Bytes second = 100; second <= 1600; second += 230) {
                LlamaSettings settings;
                settings.context = 4096;
                const auto all = devices({first, second, 300});
                const auto fit = fitModel(model, settings, all, targets(50));
                const auto used = usedBy(model, fit.settings, all);
                for (std::size_t i = 0; i < all.size(); ++i)
                    QVERIFY2(used[i] <= all[i].free - 50 * kMiB,
                             qPrintable(u"%1 %2 %3"_s.arg(first).arg(second).arg(i)));
                QVERIFY(fit.fits);
            }
        }
    }
}

VRAMSCOPE_TEST(TestLlamaFit)
#include "tst_llama_fit.moc"
