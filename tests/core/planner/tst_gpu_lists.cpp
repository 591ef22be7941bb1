// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machines whose GPUs are of several kinds (hardware.gpu_list).
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/llama_serving.h"
#include "core/estimate/peak_summary.h"
#include "core/estimate/verdict.h"
#include "core/llama_cpp/llama_split.h"
#include "core/model/parameters.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/field_text.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "core/solver/answer_sought.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

Plan servedOn(TextList gpus, Engine engine, WeightFormat format)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpus = std::ssize(gpus);
    plan.parallel.pipeline = std::ssize(gpus);
    plan.hardware.gpuList = std::move(gpus);
    plan.inference.engine = engine;
    plan.inference.weightFormat = format;
    plan.inference.maxModelLen = 8192;
    return plan;
}

const TextList kTwoKinds = {"rtx-3090", "rtx-3090", "rtx-3060-12gb"};

Plan llamaPlan()
{
    return servedOn(kTwoKinds, Engine::LlamaCpp, WeightFormat::Q4_K_M);
}

std::string whyBlocked(const Plan &plan)
{
    return whyNotComputed(estimate(plan));
}

} // namespace

class TestGpuLists : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    /// Each GPU holds what the page of a GGUF file gives it on the same devices.
    void layersGoByWhatIsFree()
    {
        Plan plan = llamaPlan();
        const Settings settings = resolve(plan).settings;
        QCOMPARE(std::ssize(settings.ofStages), 3);
        std::vector<LlamaDevice> devices;
        for (const ListedGpu &listed : settings.gpuList)
            devices.push_back({"", listed.capacity - settings.contextBytes});
        LlamaSettings flags;
        flags.context = 8192;
        const LlamaSplit split = splitModel(llamaModelOf(settings), flags, devices);
        QVERIFY(split.devices[0].model > split.devices[2].model * 3 / 2);
        for (std::int64_t stage = 0; stage < 3; ++stage) {
            plan.parallel.stage = stage;
            const Estimate it = estimate(plan);
            QVERIFY(it.computed && it.inference);
            QCOMPARE(it.stage, stage);
            QCOMPARE(it.inference->weights, split.devices[static_cast<std::size_t>(stage)].model);
            QCOMPARE(*it.capacity, settings.gpuList[static_cast<std::size_t>(stage)].capacity);
        }
    }

    /// The figures are of the GPU with the least to spare, in the window as in what compares plans.
    void theTightestGpuDecides()
    {
        for (const TextList &gpus :
             {kTwoKinds, TextList{"24", "16"}, TextList{"12", "24", "24"}, TextList{"48", "8"}}) {
            const Plan plan = servedOn(gpus, Engine::LlamaCpp, WeightFormat::Q4_K_M);
            const Estimate it = estimate(plan);
            QVERIFY2(it.computed, whyNotComputed(it).c_str());
            Bytes least = INT64_MAX;
            for (std::int64_t stage = 0; stage < std::ssize(gpus); ++stage) {
                Plan one = plan;
                one.parallel.stage = stage;
                least = std::min(least, *estimate(one).headroom);
            }
            QCOMPARE(*it.headroom, least);
            const Settings settings = resolve(plan).settings;
            const auto summary = peakSummary(settings, countParameters(settings.architecture));
            QVERIFY(summary);
            QCOMPARE(summary->device, it.peakDevice);
            QCOMPARE(summary->capacity, *it.capacity);
            QCOMPARE(summary->stage, it.stage);
        }
    }

    /// Where rounding to whole layers would overflow one GPU, others take its layers.
    void layersMoveWhereOneGpuWouldOverflow()
    {
        Plan plan =
            servedOn({"rtx-3090", "rtx-3090", "rtx-3060-12gb", "rtx-3060-12gb", "rtx-3060-12gb"},
                     Engine::LlamaCpp, WeightFormat::Q4_K_M);
        plan.model.preset = "command-a";
        plan.inference.maxModelLen = 4096;
        const Estimate it = estimate(plan);
        QVERIFY2(verdictOf(it) == Verdict::Fits, std::to_string(it.headroom.value_or(0)).c_str());
        Bytes weights = 0;
        for (std::int64_t stage = 0; stage < 5; ++stage) {
            plan.parallel.stage = stage;
            weights += estimate(plan).inference->weights;
        }
        Plan one = plan;
        one.parallel = {};
        one.hardware.gpuList.reset();
        one.hardware.gpus = 1;
        one.hardware.gpu = "h200-sxm-141gb";
        const Bytes whole = estimate(one).inference->weights;
        QVERIFY(std::abs(weights - whole) < whole / 100);
    }

    /// Pipeline stages of vLLM fill their GPUs; the one with the fewest tokens decides.
    void theFewestTokensDecide()
    {
        const TextList gpus = {"rtx-5090", "rtx-5070-ti"};
        Plan plan = servedOn(gpus, Engine::Vllm, WeightFormat::Fp8);
        plan.model.preset = "qwen3-8b";
        const Estimate it = estimate(plan);
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        plan.parallel.stage = 0;
        const Estimate first = estimate(plan);
        plan.parallel.stage = 1;
        const Estimate second = estimate(plan);
        QCOMPARE(it.inference->kvTokens,
                 std::min(first.inference->kvTokens, second.inference->kvTokens));
        QVERIFY(first.inference->kvTokens > second.inference->kvTokens);
        QCOMPARE(it.stage, 1);
    }

    /// Work that is divided evenly is that of the smallest GPU, and the plan says so.
    void evenWorkTakesTheSmallest()
    {
        Plan mixed = servedOn({"rtx-5090", "rtx-5070-ti"}, Engine::Vllm, WeightFormat::Fp8);
        mixed.model.preset = "qwen3-8b";
        mixed.parallel.pipeline.reset();
        mixed.parallel.tensor = 2;
        Plan alike = mixed;
        alike.hardware.gpuList.reset();
        alike.hardware.gpu = "rtx-5070-ti";
        const Estimate both = estimate(mixed);
        const Estimate same = estimate(alike);
        QVERIFY2(both.computed, whyNotComputed(both).c_str());
        QCOMPARE(both.peakDevice, same.peakDevice);
        QCOMPARE(*both.capacity, *same.capacity);
        QCOMPARE(both.inference->kvTokens, same.inference->kvTokens);
        const bool isTold = std::ranges::any_of(both.issues, [](const Issue &issue) {
            return issue.text.find("smallest") != std::string::npos;
        });
        QVERIFY(isTold);
    }

    /// Layers are handed on by copies: no communicator is made.
    void llamaCppHasNoCommunicators()
    {
        for (const std::int64_t gpus : {1, 2, 3}) {
            Plan plan = servedOn(TextList(static_cast<std::size_t>(gpus), "rtx-3090"),
                                 Engine::LlamaCpp, WeightFormat::Q4_K_M);
            QCOMPARE(resolve(plan).settings.ncclBytes, 0);
            plan.inference.engine = Engine::Vllm;
            plan.inference.weightFormat = WeightFormat::Fp8;
            QCOMPARE(resolve(plan).settings.ncclBytes > 0, gpus > 1);
        }
    }

    void theJobNamesEachKind()
    {
        const Plan plan = llamaPlan();
        const Estimate it = estimate(plan);
        const QString job = QString::fromStdString(jobText(plan, *it.settings));
        QVERIFY2(job.contains("2 × GeForce RTX 3090 24 GB + 1 × GeForce RTX 3060 12 GB"),
                 qPrintable(job));
        QVERIFY(listedGpuText(*it.settings).starts_with("GPU "));
        const Plan sizes = servedOn({"24", "16 GB"}, Engine::LlamaCpp, WeightFormat::Q4_K_M);
        const std::string said = jobText(sizes, resolve(sizes).settings);
        QVERIFY2(said.ends_with("1 × GPU of 24 GB + 1 × GPU of 16 GB"), said.c_str());
    }

    void aListSaysAll_data()
    {
        QTest::addColumn<QString>("changes");
        QTest::addColumn<QString>("says");
        QTest::newRow("a GPU beside it") << "hardware.gpu=rtx-3090"
                                         << "leave one of the two out";
        QTest::newRow("a capacity beside it") << "hardware.capacity_bytes=24GB"
                                              << "leave one of the two out";
        QTest::newRow("another count") << "hardware.gpus=4"
                                       << "names 3 GPUs";
        QTest::newRow("no such GPU") << "hardware.gpu_list=rtx-3090,rtx-3091"
                                     << "rtx-3091";
        QTest::newRow("no size") << "hardware.gpu_list=24,0"
                                 << "sizes in GB";
        QTest::newRow("a size beyond count") << "hardware.gpu_list=24,99999999999999999999"
                                             << "sizes in GB";
    }
    void aListSaysAll()
    {
        QFETCH(QString, changes);
        QFETCH(QString, says);
        Plan plan = llamaPlan();
        QVERIFY(setWritten(plan, changes.toStdString()).ok());
        const std::string why = whyBlocked(plan);
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
    }

    void aListOfThousandsIsRefused()
    {
        const std::string why = whyBlocked(
            servedOn(TextList(1025, "rtx-3090"), Engine::LlamaCpp, WeightFormat::Q4_K_M));
        QVERIFY2(why.find("1,024") != std::string::npos, why.c_str());
    }

    void aDocumentKeepsTheList()
    {
        const Plan plan = llamaPlan();
        const auto again = parsePlan(planJson(plan));
        QVERIFY(again.ok());
        QVERIFY(*again == plan);
    }

    void theFewestGpusAreOfOneKind()
    {
        const auto answer =
            answerSought(llamaPlan(), {.kind = Sought::Kind::FewestGpus, .field = {}});
        QVERIFY(!answer.ok());
        QVERIFY2(answer.error().detail.find("name one kind") != std::string::npos,
                 answer.error().detail.c_str());
    }

    /// The smallest GPU that holds a plan is sought among machines of one kind.
    void theSmallestGpuReplacesTheList()
    {
        const auto answer =
            answerSought(llamaPlan(), {.kind = Sought::Kind::SmallestGpu, .field = {}});
        QVERIFY(answer.ok());
        QVERIFY(!answer->plan.hardware.gpuList);
        QVERIFY2(verdictOf(estimate(answer->plan)) != Verdict::DoesNotFit,
                 answer->sentence.c_str());
    }
};

VRAMSCOPE_TEST(TestGpuLists)

#include "tst_gpu_lists.moc"
