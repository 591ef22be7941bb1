// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/planner/estimate.h"
#include "core/planner/verdict.h"
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

    void aPlanThatAFusedLossMakesFitIsReadWithIt()
    {
        const auto lossOf = [](const char *sentence) { return understand(sentence).plan->loss; };
        const Asked asked = understand("gemma 3 27b qlora 2048 on a 24 GB card");
        QVERIFY(asked.plan->loss == LossKind::LinearFused);
        QVERIFY(verdictOf(estimate(*asked.plan)) == Verdict::Fits);
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
};

VRAMSCOPE_TEST(TestPlacedPlan)
#include "tst_placed_plan.moc"
