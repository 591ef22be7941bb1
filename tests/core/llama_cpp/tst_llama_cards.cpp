// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_cards.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

/// Which cards hold a model alone.
class TestLlamaCards : public test::Test
{
    Q_OBJECT

private slots:
    void everyCardThatIsLargeEnough();
    void whatLeavesTheDeviceDoesNotCount();
    void noCardIsAnAnswerToo();
};

namespace {

/// One layer and an output of so many bytes together, without a cache.
LlamaModel modelOf(Bytes bytes)
{
    LlamaModel model;
    model.layers.assign(1, {0, 0, false, 0});
    model.trainedContext = 4096;
    model.width = 64;
    for (const LlamaPlace place : {LlamaPlace::Layer, LlamaPlace::Output}) {
        LlamaTensor tensor;
        tensor.stored = {"weight", *findTensorType("F16"), {bytes / 4}, bytes / 2};
        tensor.place = place;
        tensor.layer = place == LlamaPlace::Layer ? 0 : -1;
        model.tensors.push_back(tensor);
    }
    return model;
}

} // namespace

void TestLlamaCards::everyCardThatIsLargeEnough()
{
    const LlamaCards found = cardsFor(modelOf(Bytes(20) << 30), {}, gpuPresets());
    QVERIFY(found.needs > (Bytes(20) << 30) + kBesideLlama);
    QVERIFY(found.needs < (Bytes(21) << 30) + kBesideLlama);
    QVERIFY(!found.cards.empty());
    QVERIFY(found.cards.size() < gpuPresets().size());
    QVERIFY(std::ranges::is_sorted(found.cards, {}, &GpuPreset::capacity));
    const auto count = std::ranges::count_if(
        gpuPresets(), [&](const GpuPreset &card) { return card.capacity >= found.needs; });
    QCOMPARE(std::ssize(found.cards), count);
    QVERIFY(found.cards.front()->capacity >= found.needs);
}

void TestLlamaCards::whatLeavesTheDeviceDoesNotCount()
{
    const LlamaModel model = modelOf(Bytes(4) << 30);
    LlamaSettings onHost;
    onHost.gpuLayers = 0;
    onHost.tensorSplit = {1, 1};
    onHost.overrides.push_back({"all", [](const LlamaTensor &) { return true; }, -1});
    QCOMPARE(cardsFor(model, onHost, gpuPresets()).needs, cardsFor(model, {}, gpuPresets()).needs);
}

void TestLlamaCards::noCardIsAnAnswerToo()
{
    const LlamaCards found = cardsFor(modelOf(Bytes(1) << 43), {}, gpuPresets());
    QVERIFY(found.cards.empty());
    QVERIFY(found.needs > Bytes(1) << 43);
    QVERIFY(cardsFor(modelOf(64), {}, {}).cards.empty());
}

VRAMSCOPE_TEST(TestLlamaCards)
#include "tst_llama_cards.moc"
