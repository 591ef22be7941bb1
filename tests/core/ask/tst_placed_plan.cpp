// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/base/bytes.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

/// What follows from words that leave a part of their meaning to the rest of the plan.
class TestPlacedPlan : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void anOffloadMovesWhatTheStrategyCan_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("shards");
        QTest::addColumn<bool>("states");
        QTest::newRow("ZeRO-3") << "4 a6000 zero3 offload" << true << true;
        QTest::newRow("ZeRO-2") << "4 a6000 zero-2 cpu offload" << false << true;
        QTest::newRow("FSDP") << "4 a6000 fsdp offload to cpu" << true << false;
        QTest::newRow("one GPU") << "a6000 cpu offload" << false << true;
        QTest::newRow("parameters alone") << "4 a6000 zero3 param offload" << true << false;
        QTest::newRow("states alone") << "4 a6000 zero3 optimizer offload" << false << true;
        QTest::newRow("both") << "4 a6000 zero3 param offload optimizer offload" << true << true;
    }

    void anOffloadMovesWhatTheStrategyCan()
    {
        QFETCH(const QString, words);
        QFETCH(const bool, shards);
        QFETCH(const bool, states);
        const Asked asked = understand("mistral-7b full " + words.toStdString());
        QVERIFY(asked.understood());
        QCOMPARE(asked.plan->parallel.cpuOffload.value_or(false), shards);
        QCOMPARE(asked.plan->optimizer.offload.value_or(false), states);
        const Estimate figures = estimate(*asked.plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        for (const AskedPiece &piece : asked.pieces) // what it does not move it does not name
            QVERIFY2(!piece.meaning.ends_with(" off") &&
                         piece.meaning.find(" off,") == std::string::npos,
                     piece.meaning.c_str());
    }

    void whatOtherProgramsUseIsOfTheGpu_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<qint64>("mebibytes");
        const auto row = [](const char *words, qint64 mebibytes) {
            QTest::newRow(words) << words << mebibytes;
        };
        row("a 4090, the desktop uses 2 GB", 2048);
        row("a 4090; my desktop already takes about 1.5 GB of it", 1536);
        row("a 4090 where another vllm server holds 18 GiB", 18 * 1024);
        row("a 4090 with 3 GB used by another process", 3072);
        row("a 4090, 600 MB are in use by Xorg", 600);
        row("a 4090. Other users are using 10GB", 10240);
        // Of the run itself, of the host, of an earlier run:
        row("a 4090, it uses 20 GB", 0);
        row("a 4090, my other run took 20 GB", 0);
        row("a 4090, 64 GB of system memory", 0);
    }

    void whatOtherProgramsUseIsOfTheGpu()
    {
        QFETCH(const QString, words);
        QFETCH(const qint64, mebibytes);
        const Asked asked = understand("qlora llama 3 8b on " + words.toStdString());
        QVERIFY(asked.understood());
        QCOMPARE(asked.plan->hardware.gpu, std::optional<std::string>("rtx-4090"));
        QCOMPARE(asked.plan->hardware.systemBytes.value_or(0), mebibytes * kMiB);
        QVERIFY(!asked.plan->hardware.hostMemory || mebibytes == 0);
        QVERIFY(estimate(*asked.plan).computed);
    }

    void aPlanThatAFusedLossMakesFitIsReadWithIt()
    {
        const auto lossOf = [](const char *sentence) { return understand(sentence).plan->loss; };
        const Asked asked = understand("gemma 3 27b qlora 2048 on a 24 GB card");
        QVERIFY(asked.plan->loss == LossKind::LinearFused);
        QCOMPARE(estimate(*asked.plan).fits, std::optional(true));
        const auto isLoss = [](const AskedPiece &piece) {
            return piece.state == AskedState::Assumed &&
                   piece.fields == std::vector{FieldPath("loss")};
        };
        QCOMPARE(std::ranges::count_if(asked.pieces, isLoss), 1);
        // The plan with full logits is a link beside it.
        QCOMPARE(asked.versions.size(), std::size_t(1));
        QVERIFY(asked.versions.front().plan.loss == LossKind::HfPadded);
        QVERIFY(verdictOf(estimate(asked.versions.front().plan)) == Verdict::DoesNotFit);
        // It fits as it is, does not fit either way, or a tool or a word says the loss.
        QVERIFY(lossOf("gemma 3 27b qlora 2048 on an h100") == LossKind::HfPadded);
        QVERIFY(lossOf("gemma 3 27b qlora 2048 on an 8 GB card") == LossKind::HfPadded);
        QVERIFY(lossOf("gemma 3 27b qlora 2048 llama-factory 24 GB") == LossKind::HfPadded);
        QVERIFY(lossOf("gemma 3 27b qlora 2048 24 GB loss=hf-padded") == LossKind::HfPadded);
    }

    void aRepositoryIsANameByItself()
    {
        const auto engineOf = [](const char *sentence) {
            return understand(sentence).plan->inference.engine;
        };
        QVERIFY(engineOf("sglang serve Qwen/Qwen3-8B on a 4090") == Engine::Sglang);
        QVERIFY(engineOf("hf transformers Qwen/Qwen2.5-3B-Instruct on a 4090") == Engine::Hf);
        QVERIFY(engineOf("Qwen3-30B-A3B-4bit (mlx-community) m3 max 36gb") == Engine::Mlx);
        QVERIFY(engineOf("load_in_4bit codellama-34b titan rtx") == Engine::Hf);
        // A command line with words in parentheses behind it is a sentence.
        const Asked asked =
            understand("vllm serve Qwen/Qwen3-8B --max-model-len 16384 (4080 16gb)");
        QVERIFY(asked.plan->hardware.gpu == "rtx-4080-16gb" ||
                asked.plan->hardware.gpu == "rtx-4080");
        QCOMPARE(asked.plan->inference.maxModelLen.value_or(0), 16384);
    }

    void aRankThatIsSoughtIsOfAdapters()
    {
        const Asked asked = understand("max lora rank for llama 3.1 8b on 24 gb at 2048?");
        QVERIFY(asked.sought && asked.sought->field == FieldPath("adapters.rank"));
        QVERIFY(asked.plan->adapters.kind == AdapterKind::Lora);
        for (const AskedPiece &piece : asked.pieces) // what is sought is not assumed
            QVERIFY(piece.fields != std::vector{FieldPath("adapters.rank")});
        const Asked frames = understand("how long a video can wan2.1 1.3b make on 24GB at 480p");
        QVERIFY(frames.sought && frames.sought->field == FieldPath("diffusion.frames"));
    }

    void aSizeOfAFamilyIsReadBehindItsName_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("gpu");
        QTest::newRow("in parentheses") << "a single A100 (the 40GB version)"
                                        << "a100-sxm-40gb";
        QTest::newRow("no unit") << "M2 Ultra 192"
                                 << "apple-m2-ultra-192gb";
        QTest::newRow("behind words") << "Ryzen AI Max+ 395 mini pc w/ 64GB"
                                      << "strix-halo-64gb";
        QTest::newRow("of the host") << "rtx 3090 with 64GB RAM"
                                     << "rtx-3090";
        QTest::newRow("another than the cloud's") << "Colab Pro with the A100 (40GB)"
                                                  << "a100-sxm-40gb";
    }

    void aSizeOfAFamilyIsReadBehindItsName()
    {
        QFETCH(const QString, sentence);
        QFETCH(const QString, gpu);
        const Asked asked = understand("serve llama 3.1 8b on " + sentence.toStdString());
        QVERIFY(asked.understood());
        QCOMPARE(QString::fromStdString(asked.plan->hardware.gpu.value_or("")), gpu);
    }

    void sizesThatAreOfNoGpuChangeNone()
    {
        const Plan error =
            *understand("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
                        "total capacity of 23.64 GiB. mistral 7b v0.3 lora, 4090")
                 .plan;
        QVERIFY(error.hardware.gpu == "rtx-4090" && !error.hardware.capacity);
        QVERIFY(!error.hardware.hostMemory);
        const Plan host =
            *understand("H100 NVL, qwen2.5 32b full zero-3 offload, server has 744GB memory").plan;
        QVERIFY(host.hardware.gpu == "h100-nvl-94gb");
        QCOMPARE(host.hardware.hostMemory.value_or(0), Bytes(744) << 30);
        const Plan pair = *understand("llama 3 70b q4_k_m, 2x3090, 48GB").plan;
        QVERIFY(pair.hardware.gpu == "rtx-3090" && !pair.hardware.capacity);
        QVERIFY(!pair.hardware.hostMemory);
        const Plan sum = *understand("llama 3 70b, 160 gigs of vram (2x80)").plan;
        QCOMPARE(sum.hardware.gpus.value_or(0), 2);
        QVERIFY(sum.hardware.capacity.value_or(0) > 75'000'000'000);
    }

    void aNumberCountsWhatItCan()
    {
        const Plan plan = *understand("lora r=256 qwen2.5-3b 4096 bs 4 A6000").plan;
        QCOMPARE(plan.batch.sequenceLength.value_or(0), 4096);
        QCOMPARE(plan.batch.microBatch.value_or(0), 4);
        QCOMPARE(plan.hardware.gpus.value_or(0), 1);
        QCOMPARE(understand("full deepseek-v3 2048 H800 seq 4096").plan->hardware.gpus.value_or(0),
                 2048);
        QVERIFY(understand("the 70 billion parameter llama 3 on 8 h100")
                    .plan->model.preset->ends_with("70b"));
        QCOMPARE(understand("llama 4 scout, un million de tokens de contexte, 8 h100")
                     .plan->inference.maxModelLen.value_or(0),
                 1 << 20); // the model's own
    }

    void ofTwoValuesTheFirstStandsUnlessTheOtherIsAskedAbout()
    {
        const Asked works = understand("lora qwen3-8b a100 batch 2 ooms, batch 1 works");
        QVERIFY(works.understood());
        QCOMPARE(works.plan->batch.microBatch.value_or(0), 2);
        QVERIFY(std::ranges::any_of(works.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::NotUnderstood && piece.text == "batch 1" &&
                   piece.meaning.find("another value") != std::string::npos;
        }));
        const auto lengthOf = [](const char *sentence) {
            return understand(sentence).plan->batch.sequenceLength.value_or(0);
        };
        QCOMPARE(lengthOf("unsloth lora qwen3-8b a100: 24K works, does 32K?"), 32768);
        QCOMPARE(lengthOf("lora qwen3-8b a100 seq 24K"), 24576);
    }

    void programsAreNamedByTheirScripts_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("trainer");
        QTest::addColumn<bool>("learns");
        QTest::newRow("module") << "openrlhf.cli.train_dpo qwen3-8b 8 a100"
                                << "openrlhf" << false;
        QTest::newRow("script") << "trl ppo.py for qwen2.5-7b on an a100"
                                << "trl" << true;
        QTest::newRow("launcher") << "deepspeed z3 qwen3-8b 8 a100 (llamafactory)"
                                  << "llamafactory" << false;
        QTest::newRow("owner") << "unsloth/Qwen3-8B lora on a t4"
                               << "unsloth" << false;
        QTest::newRow("SFT of an RL trainer") << "verl fsdp_sft_trainer qwen3-8b 8 a100"
                                              << "verl" << false;
        QTest::newRow("owning") << "I own a 4090, lora of qwen3-8b"
                                << "" << false;
    }

    void programsAreNamedByTheirScripts()
    {
        QFETCH(const QString, sentence);
        QFETCH(const QString, trainer);
        QFETCH(const bool, learns);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY(asked.understood());
        QCOMPARE(QString::fromStdString(asked.plan->trainer.value_or("")), trainer);
        QCOMPARE(asked.plan->workload == Workload::Rl, learns);
    }

    void aSettingOfAToolThatPlansLackIsPassedOver()
    {
        const Asked asked = understand("verl grpo qwen2.5-7b 8 a100 rollout.n=5");
        QVERIFY(asked.understood());
        QVERIFY(!understand("qwen3-8b lora a100 batch.micro_bach=4").understood());
    }

    void layersOfAdaptersAreNamedOneByOne()
    {
        const auto targetsOf = [](const char *sentence) {
            return understand(sentence).plan->adapters.targets;
        };
        QVERIFY(targetsOf("lora on q_proj,v_proj llama-3-8b a6000") == (TextList{"q", "v"}));
        QVERIFY(targetsOf("lora llama-3-8b a6000 targets q, k, v and o") ==
                (TextList{"q", "k", "v", "o"}));
        QVERIFY(targetsOf("lora llama-3-8b a6000") == TextList{"all-linear"});
    }

    void vllmWithoutAGpuNeedsACacheForItsLoad()
    {
        const Asked asked =
            understand("VRAM to serve qwen3-8b with vllm, 8k, 16 concurrent requests");
        const Estimate figures = estimate(*asked.plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        QVERIFY(!verdictOf(figures));
        // 144 KiB a token: 2 × 36 layers × 8 heads × 128 × 2 bytes.
        const Bytes load = Bytes(16) * 8192 * 147'456;
        QVERIFY(figures.inference->kvCache >= load);
        QVERIFY(figures.inference->kvCache < load + load / 50);
    }

    void theBatchOfADiffusionTrainingIsItsMicroBatch()
    {
        const Plan training = *understand("sdxl lora 3090 batch 4 1024px adamw8bit").plan;
        QCOMPARE(training.batch.microBatch.value_or(0), 4);
        QVERIFY(!training.diffusion.images);
        QCOMPARE(training.diffusion.height.value_or(0), 1024);
        // What an open plan has stays where other words are said.
        QCOMPARE(reworded("rank 32", training).plan->batch.microBatch.value_or(0), 4);
        const Plan call = *understand("sdxl 3090 batch of 4").plan;
        QCOMPARE(call.diffusion.images.value_or(0), 4);
        const auto peakOf = [](const char *sentence) {
            return estimate(*understand(sentence).plan).peakAllocated;
        };
        QVERIFY(peakOf("sdxl lora 3090 batch 4") > peakOf("sdxl lora 3090"));
    }
};

VRAMSCOPE_TEST(TestPlacedPlan)
#include "tst_placed_plan.moc"
