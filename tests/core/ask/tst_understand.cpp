// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The piece that the words made, or an empty one.
AskedPiece pieceOf(const Asked &asked, std::string_view text)
{
    const auto found = std::ranges::find(asked.pieces, text, &AskedPiece::text);
    return found == asked.pieces.end() ? AskedPiece() : *found;
}

bool isAssumed(const Asked &asked, FieldPath path)
{
    return std::ranges::any_of(asked.pieces, [path](const AskedPiece &piece) {
        return piece.state == AskedState::Assumed &&
               std::ranges::find(piece.fields, path) != piece.fields.end();
    });
}

std::string toldOf(const Asked &asked)
{
    std::string told = asked.whyNot;
    for (const AskedPiece &piece : asked.pieces)
        told += '\n' +
                std::string(piece.state == AskedState::Understood      ? "+ "
                            : piece.state == AskedState::NotUnderstood ? "? "
                                                                       : "~ ") +
                piece.text + ": " + piece.meaning;
    return told;
}

} // namespace

class TestUnderstand : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void sentencesBecomePlans_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QString>("task"); // "full", "lora", "qlora", "serve"
        QTest::addColumn<int>("length");   // 0: not asked for
        const auto row = [](const char *sentence, const char *model, const char *gpu, int gpus,
                            const char *task, int length) {
            QTest::newRow(sentence)
                << QString::fromUtf8(sentence) << QString::fromUtf8(model) << QString::fromUtf8(gpu)
                << gpus << QString::fromUtf8(task) << length;
        };
        row("Qwen3-32B full fine-tune on 8 H100, 8k", "qwen3-32b", "h100-sxm-80gb", 8, "full",
            8192);
        row("qlora llama 3.1 70b on 2x4090", "llama-3.1-70b", "rtx-4090", 2, "qlora", 0);
        row("llama 3.1 70b lora rank 32 on 2x4090", "llama-3.1-70b", "rtx-4090", 2, "lora", 0);
        row("serve deepseek-v3 on 8xh200 128k", "deepseek-v3", "h200-sxm-141gb", 8, "serve",
            131072);
        row("Qwen/Qwen3-32B q4_k_m", "qwen3-32b", "", 1, "serve", 0);
        row("llama 8b lora 4 a100-40 seq 4096 batch 2", "llama-3.1-8b", "a100-sxm-40gb", 4, "lora",
            4096);
        row("gpt-oss-120b vllm 1 h100", "gpt-oss-120b", "h100-sxm-80gb", 1, "serve", 0);
        row("Will qwen3 8b fit on a 5090?", "qwen3-8b", "rtx-5090", 1, "serve", 0);
        row("train mixtral 8x7b on 2 nodes of 8 H200", "mixtral-8x7b", "h200-sxm-141gb", 16, "full",
            0);
        row("gemma-3-27b-it inference 2 × L40S 32768 tokens", "gemma-3-27b", "l40s-48gb", 2,
            "serve", 32768);
        row("meta-llama/Llama-3.1-8B-Instruct sft H100 x 4 sequence length 16k", "llama-3.1-8b",
            "h100-sxm-80gb", 4, "full", 16384);
        row("serve llama-3.3-70b fp8 on 4xMI300X", "llama-3.1-70b", "mi300x-192gb", 4, "serve", 0);
        row("phi-4 lora on one RTX 4090, seq=2048", "phi-4", "rtx-4090", 1, "lora", 2048);
        row("qwen2.5 7b finetune 2x8 h100", "qwen2.5-7b", "h100-sxm-80gb", 16, "full", 0);
        row("train qwen3-32b on 16 H100, 2 nodes", "qwen3-32b", "h100-sxm-80gb", 16, "full", 0);
        row("train qwen3-32b on 8 H100, 2 nodes", "qwen3-32b", "h100-sxm-80gb", 16, "full", 0);
        row("deepseek r1 vllm h200x8", "deepseek-v3", "h200-sxm-141gb", 8, "serve", 0);
        row("qwen3-0.6b on a dgx spark", "qwen3-0.6b", "gb10-128gb", 1, "serve", 0);
        row("qwen3-8b zero-3 on 8 h100", "qwen3-8b", "h100-sxm-80gb", 8, "full", 0);
        row("qwen3-8b r16 on a 4090", "qwen3-8b", "rtx-4090", 1, "lora", 0);
        row("qwen3-8b 128 users on an l40s", "qwen3-8b", "l40s-48gb", 1, "serve", 0);
        row("Läuft qwen3-8b mit 4.096 Tokens auf zwei L40S?", "qwen3-8b", "l40s-48gb", 2, "serve",
            4096);
        row("单卡4090 lora微调 qwen3-8b", "qwen3-8b", "rtx-4090", 1, "lora", 0);
        row("hi, could you tell me if qwen3-8b (not qlora, plain lora) fits on my 4090? thanks",
            "qwen3-8b", "rtx-4090", 1, "lora", 0);
    }

    void sentencesBecomePlans()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, model);
        QFETCH(QString, gpu);
        QFETCH(int, gpus);
        QFETCH(QString, task);
        QFETCH(int, length);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        const Plan &plan = *asked.plan;
        QCOMPARE(QString::fromStdString(plan.model.preset.value_or("")), model);
        QCOMPARE(QString::fromStdString(plan.hardware.gpu.value_or("")), gpu);
        QCOMPARE(plan.hardware.gpus.value_or(0), gpus);
        const bool serves = task == u"serve"_s;
        QVERIFY(plan.workload == (serves ? Workload::Inference : Workload::Training));
        QCOMPARE(plan.adapters.kind == AdapterKind::Lora, task.endsWith(u"lora"_s));
        QCOMPARE(plan.adapters.baseQuantization == BaseQuantization::Nf4, task == u"qlora"_s);
        const auto stated = serves ? plan.inference.maxModelLen : plan.batch.sequenceLength;
        if (length > 0)
            QCOMPARE(stated.value_or(0), length);
        QCOMPARE(isAssumed(asked, serves ? FieldPath("inference.max_model_len")
                                         : FieldPath("batch.sequence_length")),
                 length == 0);
        // The planner has figures for it.
        const Estimate answer = estimate(plan);
        QVERIFY2(answer.computed, whyNotComputed(answer).c_str());
    }

    void everyPieceKnowsWhereItStands()
    {
        const std::string sentence = "Qwen3-32B full fine-tune on 8 H100, 8k blah";
        const Asked asked = understand(sentence);
        for (const AskedPiece &piece : asked.pieces) {
            if (piece.state != AskedState::Assumed)
                QCOMPARE(sentence.substr(piece.begin, piece.end - piece.begin), piece.text);
        }
        QCOMPARE(pieceOf(asked, "full fine-tune").fields,
                 (std::vector<FieldPath>{"workload", "adapters.kind"}));
        QCOMPARE(pieceOf(asked, "8k").meaning, std::string("sequence length 8,192"));
        QVERIFY(
            pieceOf(asked, "8 H100")
                .meaning.starts_with(
                    "8 × H100 SXM5 80 GB, the commonest H100; it may be another: H100 PCIe 80 GB"));
        QVERIFY(pieceOf(asked, "blah").state == AskedState::NotUnderstood);
        QVERIFY(asked.understood()); // without that word, which is told
        QVERIFY(!asked.plan->name);  // its job is what it is called
    }

    void whatIsNotSaidIsAsInANewPlan()
    {
        const Asked asked = understand("train qwen3-8b on 8 h100");
        QVERIFY(asked.understood());
        for (const FieldPath path :
             {FieldPath("batch.micro_batch"), FieldPath("activations.checkpointing"),
              FieldPath("parallel.strategy"), FieldPath("precision.regime")})
            QVERIFY2(isAssumed(asked, path), std::string(path.text()).c_str());
        QVERIFY(asked.plan->activations.checkpointing == Checkpointing::Full);
        QVERIFY(asked.plan->parallel.strategy == Strategy::Fsdp2);
        // On one GPU there is nothing to shard, and no model is trained beyond its positions.
        QVERIFY(!understand("train qwen3-8b on h100").plan->parallel.strategy);
        QCOMPARE(understand("train gpt2-small").plan->batch.sequenceLength.value_or(0), 1024);
    }

    // Nobody is told that it fits on a GPU that nobody named.
    void noGpuIsAssumed()
    {
        for (const char *sentence : {"qwen3-8b", "train qwen3-8b", "qwen3-8b q4_k_m",
                                     "lora qwen3-8b", "how much memory does qwen3-8b need"}) {
            const Asked asked = understand(sentence);
            QVERIFY2(asked.understood(), toldOf(asked).c_str());
            QVERIFY(!asked.plan->hardware.gpu && !asked.plan->hardware.capacity);
            QVERIFY(!isAssumed(asked, "hardware.gpu"));
            const Estimate answer = estimate(*asked.plan);
            QVERIFY2(answer.computed, whyNotComputed(answer).c_str());
            QVERIFY(!answer.capacity);
        }
    }

    // Where no task is said, the others are at hand.
    void whatIsDoneIsAskedBackBesideTheAnswer()
    {
        const Asked asked = understand("qwen3-8b on a 4090");
        QVERIFY(isAssumed(asked, "workload"));
        QCOMPARE(asked.versions.size(), std::size_t(2));
        QVERIFY(asked.versions.front().plan.adapters.kind == AdapterKind::Lora);
        QVERIFY(asked.versions.back().plan.workload == Workload::Training);
        // Each is what its words would make.
        QVERIFY(asked.versions.front().plan == *understand("qwen3-8b on a 4090, lora").plan);
        for (const char *sentence : {"serve qwen3-8b on a 4090", "qwen3-8b zero-3 8 h100"})
            QVERIFY2(understand(sentence).versions.empty(), sentence);
    }

    void aMachineIsKnownByItsSize_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<qint64>("gigabytes"); // of each card; 0: none is said
        QTest::addColumn<qint64>("gpus");
        QTest::addColumn<qint64>("host");
        const auto row = [](const char *sentence, qint64 gigabytes, qint64 gpus, qint64 host) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << gigabytes << gpus << host;
        };
        row("qwen3-8b on a 24 GB card", 24, 1, 0);
        row("qwen3-8b 2x 24GB", 24, 2, 0);
        row("qwen3-8b q8_0 in 16gb vram", 16, 1, 0);
        row("is 80 gb enough for qwen3-8b?", 80, 1, 0);
        row("qwen3-8b with 64gb ram", 0, 1, 64);
        row("qwen3-8b, 12 GB card and 32 GB of system memory", 12, 1, 32);
        row("four 48 gig gpus for qwen3-8b", 48, 4, 0);
    }

    void aMachineIsKnownByItsSize()
    {
        QFETCH(QString, sentence);
        QFETCH(qint64, gigabytes);
        QFETCH(qint64, gpus);
        QFETCH(qint64, host);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        const PlanHardware &hardware = asked.plan->hardware;
        const auto capacity = static_cast<double>(hardware.capacity.value_or(0));
        QVERIFY2(capacity >= 0.83e9 * double(gigabytes) && capacity <= 1.1e9 * double(gigabytes),
                 toldOf(asked).c_str());
        QCOMPARE(hardware.gpus.value_or(0), gpus);
        QCOMPARE(hardware.hostMemory.value_or(0) >> 30, host);
    }

    void aQuestionSeeksAValue_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<int>("kind"); // -1: none
        QTest::addColumn<QString>("field");
        const auto row = [](const char *sentence, std::optional<Sought::Kind> kind,
                            const char *field) {
            QTest::newRow(sentence)
                << QString::fromUtf8(sentence) << (kind ? static_cast<int>(*kind) : -1)
                << QString::fromUtf8(field);
        };
        using enum Sought::Kind;
        row("largest batch to train qwen3-8b on 8 h100", Largest, "batch.micro_batch");
        row("how long a context can I serve qwen3-8b with on a 4090", Largest,
            "inference.max_model_len");
        row("what context can qwen3-8b have on a 4090", Largest, "inference.max_model_len");
        row("how many users can a 4090 serve qwen3-8b to", Largest,
            "inference.concurrent_sequences");
        row("max lora rank for qwen3-8b on a 3090", Largest, "adapters.rank");
        row("how many h100 to train llama-3.1-70b", FewestGpus, "");
        row("what is the cheapest gpu for qwen3-8b", SmallestGpu, "");
        row("minimum vram for qwen3-8b", SmallestGpu, "");
        row("what can I run on a 3090?", Models, "");
        row("which model fits on a 4090", Models, "");
        row("4090 or 2x 3090 for qwen3-8b", Choice, "");
        row("how much vram for qwen3-8b", std::nullopt, "");
        row("qwen3-8b max len 4096 on a 4090", std::nullopt, "");
        row("how many h100 for llama-3.1-70b, does 64 fit?", std::nullopt, "");
        row("qwen3-8b at most 8k context on a 4090", std::nullopt, "");
    }

    void aQuestionSeeksAValue()
    {
        QFETCH(QString, sentence);
        QFETCH(int, kind);
        QFETCH(QString, field);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.sought ? static_cast<int>(asked.sought->kind) : -1, kind);
        if (!field.isEmpty())
            QCOMPARE(std::string(asked.sought->field.value()), field.toStdString());
    }

    void aServerIsSplitAsFarAsTheHeadsDivide()
    {
        const auto degrees = [](const char *sentence) {
            const PlanParallel parallel = understand(sentence).plan->parallel;
            return std::pair(parallel.tensor.value_or(0), parallel.data.value_or(1));
        };
        QCOMPARE(degrees("serve llama 3.1 70b on 8 h100"),
                 (std::pair<std::int64_t, std::int64_t>(8, 1)));
        QCOMPARE(degrees("serve qwen2.5-7b on 8 h100"),
                 (std::pair<std::int64_t, std::int64_t>(4, 2))); // 28 heads
        QCOMPARE(degrees("serve llama 3.1 70b on 8 h100 tp 4"),
                 (std::pair<std::int64_t, std::int64_t>(4, 2)));
    }

    void degreesGiveTheGpusThatNobodyCounted()
    {
        const Asked asked = understand("train llama-3.1-70b megatron tp8 pp 2 h100");
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.plan->hardware.gpus.value_or(0), 16);
        QCOMPARE(asked.plan->parallel.tensor.value_or(0), 8);
    }

    void aFieldHasOneValue_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("second");
        QTest::newRow("lengths") << u"qwen3-8b 8k h100 seq 4096"_s << u"seq 4096"_s;
        QTest::newRow("tasks") << u"full fine-tune lora qwen3-8b"_s << u"lora"_s;
        QTest::newRow("GPUs") << u"qwen3-8b 2 h100, 4 h200"_s << u"4 h200"_s;
        QTest::newRow("models") << u"qwen3-8b qwen3-32b"_s << u"qwen3-32b"_s;
        QTest::newRow("formats") << u"qwen3-8b bf16, fp32"_s << u"fp32"_s;
    }

    void aFieldHasOneValue()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, second);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY(!asked.understood());
        const bool isRefused = std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::Contradiction &&
                   (piece.meaning.find("contradicts") != std::string::npos ||
                    piece.meaning.find("second model") != std::string::npos);
        });
        QVERIFY2(isRefused, toldOf(asked).c_str());
        QVERIFY2(pieceOf(asked, second.toStdString()).state == AskedState::Contradiction ||
                     sentence.startsWith(u"train"_s),
                 toldOf(asked).c_str());
        // The same said twice is no contradiction.
        QVERIFY(understand("qwen3-8b qwen3-8b 8k 8192 tokens lora qlora").understood());
    }

    void reinforcementLearningTakesWordsOfTrainerAndEngine()
    {
        for (const char *text :
             {"qwen2.5-7b grpo lora rank 32 8xh100 fsdp inference.gpu_memory_utilization=0.4",
              "qwen2.5-7b lora grpo rank 32 8xh100 fsdp"}) {
            const Asked asked = understand(text);
            QVERIFY2(asked.plan, toldOf(asked).c_str());
            QVERIFY(asked.plan->workload == Workload::Rl);
            QVERIFY(asked.plan->adapters.kind == AdapterKind::Lora);
            QVERIFY(asked.plan->inference.engine == Engine::Vllm);
        }
        const Asked pooled = understand("grpo qwen2.5-7b on 8 h100 sglang");
        QVERIFY2(pooled.plan && pooled.plan->workload == Workload::Rl, toldOf(pooled).c_str());
        QVERIFY(pooled.plan->inference.engine == Engine::Sglang);
        const Asked critic = understand("ppo qwen2.5-7b on 8 h100");
        QVERIFY2(critic.plan && critic.plan->rl.critic == true, toldOf(critic).c_str());
        // From a server and back to training nothing of the engine stays.
        const Asked served = understand("serve qwen2.5-7b on 8 h100");
        const Asked learning = reworded("grpo", *served.plan);
        QVERIFY2(learning.plan && learning.plan->workload == Workload::Rl,
                 toldOf(learning).c_str());
        const Asked trained = reworded("full", *learning.plan);
        QVERIFY(trained.plan && trained.plan->workload == Workload::Training);
        QVERIFY(trained.plan->inference == PlanInference{});
        QVERIFY(trained.plan->rl == PlanRl{});
    }

    // The likeliest is answered, and the others are named.
    void ofSeveralModelsTheLikeliestIsMeant()
    {
        const Asked asked = understand("llama 70b on 8 h100");
        QVERIFY2(asked.plan && asked.plan->model.preset == "llama-3.1-70b", toldOf(asked).c_str());
        QVERIFY(std::ranges::find(asked.candidates, "llama-2-70b") != asked.candidates.end());
        QVERIFY2(pieceOf(asked, "llama 70b").meaning.find("it may be another: ") !=
                     std::string::npos,
                 toldOf(asked).c_str());
        // The name in full wins over longer ones that hold it.
        QVERIFY(understand("qwen3-30b-a3b").plan->model.preset == "qwen3-30b-a3b");
        QVERIFY(understand("gemma-2b").plan->model.preset == "gemma-2b");
        // A name that nobody knows is no other model of its size.
        for (const char *stranger :
             {"zorblatt-8b on an h100", "Zorblatt 8B on an h100", "someone/zorblatt-13b lora"})
            QVERIFY2(!understand(stranger).plan, stranger);
    }

    // The plan is of the model that was named, whoever's shape it has.
    void theNameThatWasAskedForIsShown()
    {
        const Asked asked = understand("serve llama-3.3-70b on 4 h100");
        QVERIFY2(asked.plan && asked.plan->model.preset == "llama-3.1-70b", toldOf(asked).c_str());
        QVERIFY(jobText(*asked.plan, resolve(*asked.plan).settings).starts_with("Llama 3.3 70B, "));
        Plan other = *asked.plan;
        other.model.preset = "qwen3-32b"; // the name goes with its model
        QVERIFY(jobText(other, resolve(other).settings).starts_with("Qwen3 32B, "));
    }

    void aToolBringsItsDefaults()
    {
        const Plan plan = *understand("qwen3-8b lora unsloth on a 4090").plan;
        QCOMPARE(plan.trainer, std::optional<std::string>("unsloth"));
        QVERIFY(plan.adapters.baseQuantization.value_or(BaseQuantization::None) ==
                BaseQuantization::None); // who says LoRA means no QLoRA
        QVERIFY(understand("qwen3-8b unsloth").plan->adapters.kind == AdapterKind::Lora);
        QCOMPARE(understand("serve qwen3-8b ollama").plan->inference.weightFormat,
                 std::optional(WeightFormat::Q4_K));
        // A word goes over a default.
        QCOMPARE(understand("qwen3-8b unsloth batch 1").plan->batch.microBatch,
                 std::optional<std::int64_t>(1));
        QVERIFY(understand("dpo llama-3.1-8b lora 4 h100").plan->objective == Objective::Dpo);
    }

    void noModelMakesNoPlan()
    {
        for (const char *text : {"", "   ", "on 8 h100", "full lora 8k", ",,,"}) {
            const Asked asked = understand(text);
            QVERIFY(!asked.plan);
            QVERIFY(asked.whyNot.starts_with("No model is named."));
        }
    }

    void anUnknownRepositoryIsNamed()
    {
        for (const char *name : {"hexgrad/Kokoro-82M", "k2-fsa/OmniVoice", "acme/writer-large"}) {
            const Asked asked = understand("lora of " + std::string(name) + " on 2 h100");
            QVERIFY(!asked.plan);
            QVERIFY2(asked.whyNot.find(name) != std::string::npos, asked.whyNot.c_str());
            QVERIFY(asked.whyNot.find("config.json") != std::string::npos);
        }
        for (const char *text : {"prefill/decode on 8 h100", "bf16/fp8 training", "24/48 gb"})
            QVERIFY(understand(text).whyNot.starts_with("No model is named."));
    }

    void whatIsNotKnownIsNamedWithWhatIsNear_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("says");
        QTest::newRow("task") << u"qloraxx qwen3-8b"_s << u"qloraxx"_s << u"'qlora'"_s;
        QTest::newRow("gpu") << u"qwen3-8b 8 h101-sxm-80gb"_s << u"h101-sxm-80gb"_s
                             << u"'h100-sxm-80gb'"_s;
        QTest::newRow("repository")
            << u"Qwen/Qwen3-33B"_s << u"Qwen/Qwen3-33B"_s << u"Qwen/Qwen3-32B"_s;
        QTest::newRow("number") << u"qwen3-8b 17"_s << u"17"_s << u"17 tokens"_s;
        QTest::newRow("field") << u"qwen3-8b batch.mikro_batch=4"_s << u"batch.mikro_batch=4"_s
                               << u"'batch.micro_batch'"_s;
        QTest::newRow("value") << u"qwen3-8b batch.micro_batch=0"_s << u"batch.micro_batch=0"_s
                               << u"it must be a whole number"_s;
        QTest::newRow("choice") << u"qwen3-8b optimizer.name=adamv"_s << u"optimizer.name=adamv"_s
                                << u"'adamw'"_s;
        QTest::newRow("of serving") << u"train qwen3-8b awq"_s << u"awq"_s << u"is of serving"_s;
        QTest::newRow("engine") << u"train qwen3-8b vllm"_s << u"vllm"_s << u"is of serving"_s;
        QTest::newRow("not computed")
            << u"serve qwen3-8b exl3 on a 4090"_s << u"exl3"_s << u"is not computed"_s;
        QTest::newRow("of training")
            << u"serve qwen3-8b zero-3"_s << u"zero-3"_s << u"is of training"_s;
        QTest::newRow("no GPUs") << u"qwen3-8b 0 h100"_s << u"0 h100"_s << u"counts 0 GPUs"_s;
        QTest::newRow("too many") << u"qwen3-8b 9000000 h100"_s << u"9000000 h100"_s
                                  << u"counts 9,000,000 GPUs"_s;
    }

    void whatIsNotKnownIsNamedWithWhatIsNear()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, word);
        QFETCH(QString, says);
        const Asked asked = understand(sentence.toStdString());
        const AskedPiece piece = pieceOf(asked, word.toStdString());
        QVERIFY2(piece.state != AskedState::Understood && piece.fields.empty(),
                 toldOf(asked).c_str());
        QVERIFY2(QString::fromStdString(piece.meaning).contains(says), toldOf(asked).c_str());
    }

    void aFormatThatIsNotComputedIsTold()
    {
        const Asked asked = understand("serve mlx-community/Qwen3-32B-MLX-6bit on an M4 Max 64GB");
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        const bool isTold = std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::NotUnderstood &&
                   piece.meaning.find("not computed") != std::string::npos;
        });
        QVERIFY2(isTold, toldOf(asked).c_str());
    }

    void gpusOfSeveralKindsAreAList_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("gpus");
        QTest::newRow("a plus") << "serve qwen3-32b q8_0 llama.cpp on 2x 3090 + 3x 3060 12GB"
                                << "rtx-3090,rtx-3090,rtx-3060-12gb,rtx-3060-12gb,rtx-3060-12gb";
        QTest::newRow("and") << "can I run llama 70b q4_k_m on a 3090 and a 4090"
                             << "rtx-3090,rtx-4090";
        QTest::newRow("sizes") << "qwen2.5-72b Q4_K_M on 24 + 16 GB cards"
                               << "24,16";
        QTest::newRow("a comma and") << "qwen3 32b q8_0 on RTX 5090, RTX 4090 and RTX 3090"
                                     << "rtx-5090,rtx-4090,rtx-3090";
        QTest::newRow("German") << "qwen3 32b q4_k_m auf einer 3090 und einer 4060 Ti 16GB"
                                << "rtx-3090,rtx-4060-ti-16gb";
        QTest::newRow("one kind twice") << "qwen3 32b q4_k_m on a 4090, 24 GB"
                                        << "";
        QTest::newRow("a choice") << "qwen3 32b q4_k_m on a 3090 or a 4090"
                                  << "";
        QTest::newRow("its host") << "qwen3 32b q4_k_m on a 3090 and 64 GB of RAM"
                                  << "";
    }
    void gpusOfSeveralKindsAreAList()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, gpus);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        QStringList listed;
        for (const std::string &name : asked.plan->hardware.gpuList.value_or(TextList()))
            listed.append(QString::fromStdString(name));
        QCOMPARE(listed.join(u','), gpus);
        if (gpus.isEmpty())
            return;
        QCOMPARE(asked.plan->hardware.gpus.value_or(0), std::ssize(*asked.plan->hardware.gpuList));
        QVERIFY(!asked.plan->hardware.gpu && !asked.plan->hardware.capacity);
        QVERIFY2(estimate(*asked.plan).computed, toldOf(asked).c_str());
    }

    void aPipelineRunsOnOneGpu()
    {
        const Asked asked = understand("flux dev on a 3090 and a 4090");
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        QVERIFY(!asked.plan->hardware.gpuList);
        QVERIFY(!verdictOf(estimate(*asked.plan)));
        QVERIFY2(toldOf(asked).find("runs on one") != std::string::npos, toldOf(asked).c_str());
    }

    /// Words that name one GPU go over the list of an open plan, and a list over its GPU.
    void aListAndAGpuReplaceEachOther()
    {
        const Asked list = understand("serve qwen3-32b q4_k_m on a 3090 and a 4090");
        QVERIFY(list.plan);
        const Asked one = reworded("on an RTX 5090", *list.plan);
        QVERIFY2(one.plan && !one.plan->hardware.gpuList, toldOf(one).c_str());
        QVERIFY(one.plan->hardware.gpu == "rtx-5090");
        const Asked again = reworded("on a 3090 and a 4090", *one.plan);
        QVERIFY2(again.plan && again.plan->hardware.gpuList, toldOf(again).c_str());
        QVERIFY(!again.plan->hardware.gpu);
    }

    void patchesAreAPicture_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("one word") << "qwen2.5-vl-7b lora 2xA40 images 1280x28x28 bs 1";
        QTest::newRow("stars") << "qwen2.5-vl-7b lora A40 max_pixels 1280*28*28";
        QTest::newRow("blanks") << "qwen2.5-vl-7b lora A40 1280 x 28 x 28 pixels";
    }
    void patchesAreAPicture()
    {
        QFETCH(QString, sentence);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        QCOMPARE(asked.plan->batch.images.value_or(0), 1);
        QCOMPARE(asked.plan->batch.imageWidth.value_or(0) *
                     asked.plan->batch.imageHeight.value_or(0),
                 1280 * 28 * 28);
    }

    void anOddNumberOfGpusHoldsOneModel_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<int>("stages");
        QTest::newRow("vLLM") << "llama 3.1 70b awq vllm on 3 A100 40GB" << 3;
        QTest::newRow("llama.cpp") << "llama 3.1 70b q6_k llama.cpp on 3 P40" << 3;
        QTest::newRow("two kinds") << "1x A100 80GB and 2x A100 40GB vllm llama 3.1 70b awq" << 3;
        QTest::newRow("four") << "llama 3.1 70b awq vllm on 4 A100 40GB" << 1;
    }
    void anOddNumberOfGpusHoldsOneModel()
    {
        QFETCH(QString, sentence);
        QFETCH(int, stages);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        QCOMPARE(asked.plan->parallel.pipeline.value_or(1), stages);
        QCOMPARE(asked.plan->parallel.data.value_or(1), 1);
        QVERIFY2(verdictOf(estimate(*asked.plan)) == Verdict::Fits, toldOf(asked).c_str());
    }

    void whatLoadsAModelServesIt()
    {
        const Asked asked = understand("bloom-7b1 in int8 with accelerate device_map auto, 2x A30");
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        QVERIFY(asked.plan->workload == Workload::Inference);
        QVERIFY(asked.plan->inference.engine == Engine::Hf);
        const Asked trains = understand("bloom-7b1 lora accelerate device_map auto on 2x A30");
        QVERIFY2(trains.plan && trains.plan->workload == Workload::Training,
                 toldOf(trains).c_str());
    }

    void generalFormatsAreThoseOfTheEngine_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("format");
        QTest::newRow("MLX") << "qwen3-32b 4bit mlx on M4 Max 64GB"
                             << "mlx-4bit";
        QTest::newRow("MLX, 8 bits") << "qwen3-32b 8-bit mlx M4 Max 64GB"
                                     << "mlx-8bit";
        QTest::newRow("llama.cpp") << "qwen3-32b 4-bit llama.cpp 3090"
                                   << "q4_k";
        QTest::newRow("vLLM") << "qwen3-32b 4-bit vllm 3090"
                              << "awq-int4-g128";
        QTest::newRow("1.58 bits") << "deepseek-r1 1.58bit 2x 4090 192 GB RAM"
                                   << "iq1_s";
    }
    void generalFormatsAreThoseOfTheEngine()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, format);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.plan && asked.plan->inference.weightFormat, toldOf(asked).c_str());
        QCOMPARE(
            QString::fromStdString(std::string(choiceText(*asked.plan->inference.weightFormat))),
            format);
    }

    void theLongestSequenceIsThatOfABatchOfOne()
    {
        const Asked asked = understand("max seq length for qlora llama 3.1 8b 24gb unsloth");
        QVERIFY2(asked.plan && asked.sought, toldOf(asked).c_str());
        QCOMPARE(asked.plan->batch.microBatch.value_or(1), 1);
        const Asked said = understand("max seq length qlora llama 3.1 8b 24gb unsloth batch 4");
        QVERIFY2(said.plan, toldOf(said).c_str());
        QCOMPARE(said.plan->batch.microBatch.value_or(1), 4);
    }

    void aLetterAmissIsReadAsTheWord()
    {
        for (const char *sentence : {"qlorra qwen3-8b 4090", "qlroa qwen3-8b 4090",
                                     "qwen3-8b fintuning with qloa on a 4090"}) {
            const Asked asked = understand(sentence);
            QVERIFY2(asked.understood() &&
                         asked.plan->adapters.baseQuantization == BaseQuantization::Nf4,
                     toldOf(asked).c_str());
        }
        // The piece keeps what was written.
        QVERIFY(pieceOf(understand("qlorra qwen3-8b"), "qlorra").state == AskedState::Understood);
    }

    void fieldsAreSetByTheirNames()
    {
        const Asked asked =
            understand("qwen3-8b batch.micro_batch=4 optimizer.name=lion 2 h100 trainer=hf");
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.plan->batch.microBatch.value_or(0), 4);
        QVERIFY(asked.plan->optimizer.name == OptimizerName::Lion);
        QVERIFY(asked.plan->trainer == "hf");
        QVERIFY(!isAssumed(asked, "batch.micro_batch"));
    }

    void pipelinesAreCalled()
    {
        const Asked asked = understand("flux.1-dev 1024x768 on a 4090 offload");
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.plan->diffusion.height.value_or(0), 768);
        QVERIFY(asked.plan->diffusion.offload == DiffusionOffload::Model);
        QVERIFY(estimate(*asked.plan).computed);
    }

    void filesAreForTheImport()
    {
        QVERIFY(understand("/data/config.json").kind == AskedKind::Path);
        QVERIFY(understand("plan.vramplan").kind == AskedKind::Path);
        QVERIFY(understand("{\"model_type\": \"llama\"}").kind == AskedKind::Document);
        QVERIFY(understand("vllm serve Qwen/Qwen3-8B").kind == AskedKind::CommandLine);
        QVERIFY(understand("--num-layers 32 --hidden-size 4096").kind == AskedKind::CommandLine);
        QVERIFY(understand("serve Qwen/Qwen3-8B with vllm").kind == AskedKind::Words);
        // Names of programs and flags stand in sentences too.
        for (const char *words :
             {"accelerate fsdp2 qwen2.5-14b full 8xL40S 4k", "deepspeed zero3 qwen3-8b 8 h100",
              "vllm serve qwen3-8b on a 4090 --max-model-len 8192",
              "serve qwen3-8b on 2x3090 with --gpu-memory-utilization 0.95"})
            QVERIFY2(understand(words).kind == AskedKind::Words, words);
        QVERIFY(!understand("/data/config.json").plan);
    }

    void theModelOfAFileNeedsNoName()
    {
        Plan stated;
        stated.model.preset = "qwen3-8b";
        stated.inference.weightFormat = WeightFormat::Bf16;
        const Asked asked = understand("lora 2 h100", stated);
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QVERIFY(asked.plan->model == stated.model);
        QVERIFY(!asked.plan->inference.weightFormat); // nothing is served
        QVERIFY(!understand("qwen3-32b", stated).understood());
        const Asked served = understand("serve fp8", stated);
        QVERIFY2(served.understood(), toldOf(served).c_str());
        QVERIFY(served.plan->inference.weightFormat == WeightFormat::Fp8);
    }

    void whatAFileStatesIsNotAssumed()
    {
        Plan stated;
        stated.model.preset = "qwen3-8b";
        stated.workload = Workload::Inference;
        stated.parallel.tensor = 2;
        stated.inference.maxModelLen = 4096;
        const Asked asked = understand("", stated);
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.plan->hardware.gpus.value_or(0), 2);
        QCOMPARE(asked.plan->inference.maxModelLen.value_or(0), 4096);
        for (const FieldPath path : {FieldPath("workload"), FieldPath("parallel.tensor"),
                                     FieldPath("inference.max_model_len")})
            QVERIFY2(!isAssumed(asked, path), std::string(path.text()).c_str());
    }

    void anyWordsInAnyOrderMakeSoundPieces()
    {
        static constexpr const char *kWords[] = {
            "qwen3-32b", "llama",    "8b",     "8",          "x",        "h100",
            "4090",      "nodes",    "of",     "lora",       "serve",    "8k",
            "seq",       "batch",    "zero",   "3",          "tp",       ",",
            "full",      "no",       "bf16",   "fp8",        "a100",     "40gb",
            "on",        "=",        "0",      "flux.1-dev", "2x8xh200", "batch.micro_batch=4",
            "gpus",      "\xC3\x97", "offload"};
        std::uint32_t state = 1;
        for (int round = 0; round < 250; ++round) {
            std::string text;
            for (int word = 0; word < 9; ++word) {
                state = state * 1664525U + 1013904223U;
                text += std::string(kWords[(state >> 16) % std::size(kWords)]) + ' ';
            }
            const Asked asked = understand(text);
            std::size_t end = 0;
            for (const AskedPiece &piece : asked.pieces) {
                if (piece.state == AskedState::Assumed)
                    continue;
                QVERIFY2(piece.begin >= end && piece.end > piece.begin, text.c_str());
                QCOMPARE(text.substr(piece.begin, piece.end - piece.begin), piece.text);
                QVERIFY2(piece.fields.empty() == (piece.state != AskedState::Understood),
                         text.c_str());
                end = piece.end;
            }
            QVERIFY2(asked.plan || !asked.whyNot.empty(), text.c_str());
        }
    }

    void wordsGoOverAnOpenPlan()
    {
        const Plan plan = *understand("qwen3-32b 8 h100 full seq 4096 no checkpointing").plan;
        const auto said = [&](std::string_view words) { return *reworded(words, plan).plan; };
        Plan longer = plan;
        longer.batch.sequenceLength = 16384;
        QVERIFY(said("16k") == longer);
        Plan other = plan;
        other.model.preset = "llama-3.1-8b";
        QVERIFY(said("llama-3.1-8b") == other);
        QVERIFY(said("llama 3.1 8b instead") == other);
        Plan split = plan;
        split.parallel.tensor = 2;
        split.parallel.data = 4; // GPUs stay as they are given
        QVERIFY(said("tp 2") == split);
        QVERIFY(said("") == plan);
    }

    void gpusSaidOverAnOpenPlanAreFilled()
    {
        const Plan trained = *understand("qwen3-32b 8 h100 tp 2").plan;
        const Plan more = *reworded("16 h200", trained).plan;
        QCOMPARE(more.hardware.gpu, std::optional<std::string>("h200-sxm-141gb"));
        QCOMPARE(more.hardware.gpus, std::optional<std::int64_t>(16));
        QCOMPARE(more.parallel.tensor, std::optional<std::int64_t>(2));
        QCOMPARE(more.parallel.data, std::optional<std::int64_t>(8));
        const Plan served = *understand("serve qwen3-32b 2 h100").plan;
        QCOMPARE(reworded("4 gpus", served).plan->parallel.tensor, std::optional<std::int64_t>(4));
        QCOMPARE(reworded("4 gpus tp 2", served).plan->parallel.data,
                 std::optional<std::int64_t>(2));
        const Plan sharded = *understand("qwen3-8b 8 h100 fsdp2").plan;
        QVERIFY(!reworded("1 gpu", sharded).plan->parallel.strategy); // nothing is left to shard
    }

    void anotherTaskOverAnOpenPlanHasItsUsualLayout()
    {
        Plan plan = *understand("qwen3-32b 8 h100 seq 4096").plan;
        plan.name = "Mine";
        const Plan served = *reworded("serve", plan).plan;
        QCOMPARE(served.name, plan.name);
        QCOMPARE(served.inference.maxModelLen, std::optional<std::int64_t>(4096));
        QCOMPARE(served.hardware.gpus, std::optional<std::int64_t>(8));
        const Plan adapted = *reworded("qlora", served).plan;
        QCOMPARE(adapted.batch.sequenceLength, std::optional<std::int64_t>(4096));
        QCOMPARE(adapted.adapters.rank, std::optional<std::int64_t>(16));
        const Plan full = *reworded("full", adapted).plan;
        QVERIFY(!full.adapters.baseQuantization);
        QVERIFY(estimate(full).computed);
    }

    void aPipelineOverAModelOfLanguageKeepsTheGpusAlone()
    {
        const Plan plan = *understand("qwen3-32b 1 4090 qlora").plan;
        const Asked pipeline = reworded("flux.1-dev", plan);
        QVERIFY2(pipeline.plan, pipeline.whyNot.c_str());
        QVERIFY(pipeline.plan->model.pipeline && !pipeline.plan->adapters.kind);
        QCOMPARE(pipeline.plan->hardware.gpu, plan.hardware.gpu);
        const Asked back = reworded("qwen3-8b lora", *pipeline.plan);
        QVERIFY2(back.plan, back.whyNot.c_str());
        QCOMPARE(back.plan->hardware.gpus, std::optional<std::int64_t>(1));
        QVERIFY(estimate(*back.plan).computed);
    }

    void adaptersOfAPipelineAreTraining_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<int>("rank");
        const auto row = [](const char *sentence, int rank) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << rank;
        };
        row("FLUX.1 dev LoRA rank 16 on a 4090", 16);
        row("FLUX.1 dev LoRA on a 4090", 16);
        row("flux.1-dev rank 64 h100", 64);
        row("fine-tune flux.1-schnell lora, 4090", 16);
        row("sd3-medium lora rank=8 on a 3090", 8);
        row("sd3.5-large LoRA fine-tuning on an h100", 16);
        row("lora r 32 sd3.5-medium l40s", 32);
        row("qwen-image lora on h100", 16);
        row("wan2.1-t2v-14b lora rank 128 h200", 128);
    }

    void adaptersOfAPipelineAreTraining()
    {
        QFETCH(QString, sentence);
        QFETCH(int, rank);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QVERIFY(asked.plan->workload == Workload::Training);
        QVERIFY(asked.plan->adapters.kind == AdapterKind::Lora);
        QCOMPARE(asked.plan->adapters.rank.value_or(0), rank);
        QCOMPARE(isAssumed(asked, "adapters.rank"), !sentence.contains(QString::number(rank)));
        const Estimate answer = estimate(*asked.plan);
        QVERIFY2(answer.computed, whyNotComputed(answer).c_str());
        // The same over an open plan that generates.
        const Plan open = *understand(asked.plan->model.pipeline.value() + " rtx 4090").plan;
        QVERIFY(resolve(open).settings.workload == Workload::Inference);
        const Asked again = reworded("lora rank 4", open);
        QVERIFY2(again.understood(), toldOf(again).c_str());
        QVERIFY(again.plan->workload == Workload::Training);
    }

    void aBaseThatIsNotComputedIsRefused_data()
    {
        QTest::addColumn<QString>("sentence");
        for (const char *sentence :
             {"qwen-image lora int8 h100", "sd3.5-large lora 8-bit base h100",
              "flux.1-dev int4 awq on a 4090", "flux.1-dev lora fp32 h200"})
            QTest::newRow(sentence) << QString::fromUtf8(sentence);
    }

    void aBaseThatIsNotComputedIsRefused()
    {
        QFETCH(QString, sentence);
        const Asked asked = understand(sentence.toStdString());
        if (!asked.understood()) {
            QVERIFY2(toldOf(asked).find("not computed") != std::string::npos,
                     toldOf(asked).c_str());
            return;
        }
        const Estimate answer = estimate(*asked.plan);
        QVERIFY2(!answer.computed, toldOf(asked).c_str());
        QVERIFY(!whyNotComputed(answer).empty());
    }

    /// Recipes checkpoint every block, which is told.
    void aTransformerIsTrained_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("format");
        QTest::addColumn<bool>("full");
        QTest::newRow("QLoRA") << "flux.1-dev qlora on a 4090"
                               << "nf4" << false;
        QTest::newRow("LoRA over NF4") << "flux.1-dev lora rank 16 nf4 4090"
                                       << "nf4" << false;
        QTest::newRow("LoRA over fp8") << "flux.1-dev lora fp8 4090"
                                       << "fp8" << false;
        QTest::newRow("all of it") << "train flux.1-dev h200"
                                   << "" << true;
        QTest::newRow("full") << "sd3.5 large full finetune 48GB"
                              << "" << true;
    }
    void aTransformerIsTrained()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, format);
        QFETCH(bool, full);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.plan, toldOf(asked).c_str());
        const Plan &plan = *asked.plan;
        QCOMPARE(plan.adapters.kind == AdapterKind::Lora, !full);
        QCOMPARE(
            plan.diffusion.transformerFormat
                ? QString::fromStdString(std::string(choiceText(*plan.diffusion.transformerFormat)))
                : QString(),
            format);
        QVERIFY2(estimate(plan).computed, toldOf(asked).c_str());
        const bool isTold = std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::Assumed &&
                   std::ranges::find(piece.fields, FieldPath("activations.checkpointing")) !=
                       piece.fields.end();
        });
        QVERIFY2(isTold, toldOf(asked).c_str());
    }

    /// Types of a transformer's GGUF file, offload and tiles, where parts of a name say the model.
    void wordsOfPipelinesAreRead()
    {
        const auto wordOf = [](const auto &choice) {
            return choice ? std::string(choiceText(*choice)) : std::string();
        };
        for (const auto &[sentence, format, offload] :
             {std::tuple{"flux gguf q4 on 12gb", "q4_k_s", ""},
              std::tuple{"flux q8 gguf 24gb group offload", "q8_0", "group"},
              std::tuple{"wan 14b q5_k_m gguf 24gb offload", "q5_k_m", "model"},
              std::tuple{"ltx-video nf4 sequential offload tiling 8gb", "nf4", "sequential"}}) {
            const Asked asked = understand(sentence);
            QVERIFY2(asked.plan, toldOf(asked).c_str());
            QCOMPARE(wordOf(asked.plan->diffusion.transformerFormat), std::string(format));
            QCOMPARE(wordOf(asked.plan->diffusion.offload), std::string(offload));
            QVERIFY2(estimate(*asked.plan).computed, toldOf(asked).c_str());
        }
        const Asked prodigy = understand("sdxl lora 12gb prodigy");
        QVERIFY2(prodigy.plan, toldOf(prodigy).c_str());
        QVERIFY(prodigy.plan->optimizer.name == OptimizerName::Prodigy);
        QVERIFY(estimate(*prodigy.plan).computed);
    }

    /// Sentences about U-Nets and whether common practice says that they fit.
    void stableDiffusionIsComputed_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char *sentence, bool fits) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << fits;
        };
        row("SDXL lora on 12 gb", true);
        row("sdxl lora 8-bit adam no checkpointing 12gb", false);
        row("kohya sdxl lora adamw8bit 12gb", true);
        row("sdxl dreambooth full unet 16GB adafactor bf16 batch 1", true);
        row("sdxl full finetune adafactor 16GB", false); // in fp32 under autocast
        row("sd 1.5 512x512 on 4gb", true);
        row("sdxl inference 8GB", false);
        row("sdxl inference 8GB model offload vae tiling", true);
    }
    void stableDiffusionIsComputed()
    {
        QFETCH(QString, sentence);
        QFETCH(bool, fits);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        const Estimate answer = estimate(*asked.plan);
        QVERIFY2(answer.computed, whyNotComputed(answer).c_str());
        QVERIFY2(*answer.fits == fits, QByteArray::number(qlonglong(answer.peakDevice)));
        const bool isWhole = sentence.contains(u"full");
        QCOMPARE(answer.settings->adapters.kind == AdapterKind::None &&
                     answer.settings->workload == Workload::Training,
                 isWhole);
        QCOMPARE(answer.settings->regime == Regime::PureBf16, sentence.contains(u"bf16"));
    }

    void theLargestBatchOfAUnetIsSought()
    {
        const Asked asked = understand("largest batch for sdxl lora at 1024 on a 4090");
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QVERIFY(asked.sought && asked.sought->field == FieldPath("batch.micro_batch"));
    }

    void aLengthIsTheModelsOwn_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<int>("length");
        QTest::addColumn<bool>("assumed");
        const auto row = [](const char *sentence, int length, bool assumed) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << length << assumed;
        };
        row("serve llama-3.1-8b on h100 131k", 131'072, true);
        row("serve qwen3-next-80b-a3b 2 h200 262k", 262'144, true);
        row("serve llama 8b 3.1 131k h100", 131'072, true); // a model known by its parts
        row("serve llama-3.1-8b h100 128k", 131'072, false);
        row("serve llama-3.1-8b h100 65k", 65'536, true);
        row("serve llama-3.1-8b h100 64k", 65'536, false);
        row("serve llama-3.1-8b h100 100k", 102'400, false);
        row("serve llama-3.1-8b h100 131072", 131'072, false);
        row("serve qwen3-next-80b-a3b 262144 2 h200", 262'144, false);
        row("qwen3-8b h100 seq 41k", 40'960, true);
        row("serve llama-3.1-8b 131072 h100", 131'072, false); // and not 131,072 of them
        row("serve qwen3-8b 32768 a100", 32'768, false);
        row("qwen3-8b h100 40k", 40'960, false);
        row("qwen3-8b h100 batch.sequence_length=41k", 41'984, false); // a field says what it says
    }

    void aLengthIsTheModelsOwn()
    {
        QFETCH(QString, sentence);
        QFETCH(int, length);
        QFETCH(bool, assumed);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        const Plan &plan = *asked.plan;
        const bool serves = plan.workload == Workload::Inference;
        const auto stated = serves ? plan.inference.maxModelLen : plan.batch.sequenceLength;
        QCOMPARE(stated.value_or(0), length);
        QCOMPARE(isAssumed(asked, serves ? FieldPath("inference.max_model_len")
                                         : FieldPath("batch.sequence_length")),
                 assumed);
    }

    void tokensOfARunAreCountedInThousands_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<qint64>("length");
        const auto row = [](const char *sentence, qint64 tokens, qint64 length) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << tokens << length;
        };
        row("qwen3-8b 8 h100 20B tokens", 20'000'000'000, 2048);
        row("qwen3-8b 8 h100 8k 1.5T tokens", 1'500'000'000'000, 8192);
        row("qwen3-8b 8 h100 500M tokens", 500'000'000, 2048);
        row("qwen3-8b 8 h100 run tokens 300k", 300'000, 2048);
        row("qwen3-8b 8 h100 training tokens=2B", 2'000'000'000, 2048);
        row("qwen3-8b 8 h100 run.tokens=20B", 20'000'000'000, 2048);
        row("train qwen3-8b 8 h100 4096 tokens", 0, 4096);
        row("serve llama-3.1-8b h100 20000000000 tokens", 20'000'000'000, 0);
    }

    void tokensOfARunAreCountedInThousands()
    {
        QFETCH(QString, sentence);
        QFETCH(qint64, tokens);
        QFETCH(qint64, length);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), toldOf(asked).c_str());
        QCOMPARE(asked.plan->run.tokens.value_or(0), tokens);
        QCOMPARE(asked.plan->batch.sequenceLength.value_or(0), length);
    }

    void halfPrecisionUnderZeroIsDeepSpeeds()
    {
        const auto regime = [](const char *sentence) {
            return understand(sentence).plan->precision.regime;
        };
        for (const char *sentence :
             {"llama-3-8b full ZeRO-3 8x3090 fp16", "fp16 zero-1 qwen3-8b 8 h100",
              "qwen3-8b zero stage 2 fp16 4 a100"})
            QVERIFY2(regime(sentence) == Regime::DeepSpeedFp16, sentence);
        QVERIFY(regime("llama-3-8b full ddp 8x3090 fp16") == Regime::AutocastFp16);
        QVERIFY(regime("llama-3-8b zero-3 8x3090 precision.regime=autocast-fp16") ==
                Regime::AutocastFp16);
        // In GiB: 2 Ψ of weights and of gradients, 4 Ψ of masters and 8 Ψ of moments over 8 GPUs.
        const Plan plan = *understand("llama-3-8b full ZeRO-3 8x3090 fp16").plan;
        const Estimate figures = estimate(plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        const Bytes states = figures.parametersTotal * 16 / 8; // beside a bucket of 1 GB
        QVERIFY2(figures.atRest > states && figures.atRest < states + states / 10,
                 std::to_string(figures.atRest).c_str());
        // Of 1,024 tokens the masters decide: 25.4 GiB are reserved, not 44.0 GiB as under
        // autocast.
        const auto peakOf = [](const char *sentence) {
            return estimate(*understand(sentence).plan);
        };
        QCOMPARE(formatBytes(peakOf("llama-3-8b full ZeRO-3 8x3090 fp16 seq 1024").peakReserved),
                 std::string("25.4 GiB"));
        QCOMPARE(formatBytes(peakOf("llama-3-8b full ZeRO-3 8x3090 seq 1024 "
                                    "precision.regime=autocast-fp16")
                                 .peakDevice),
                 std::string("43.6 GiB"));
        QVERIFY(reworded("zero-3", *understand("llama-3-8b ddp 8x3090 fp16").plan)
                    .plan->precision.regime == Regime::DeepSpeedFp16);
    }

    void hostileTextMakesNoAbsurdPlan()
    {
        for (const std::string &text :
             {std::string(100'000, 'x'), std::string("qwen3-8b 9999999999999k h100"),
              std::string("qwen3-8b 999999999B tokens h100"), std::string("qwen3-8b 20x tokens"),
              std::string("qwen3-8b \0\xFF\xC3", 12), std::string("\xFF\xFE qwen3-8b \xE4\xB8"),
              std::string("qwen3-8b 99999999999999999999 h100"), std::string("qwen3-8b x x x 8 x"),
              std::string("qwen3-8b = : =8 a.b="), std::string("qwen3-8b 1e400k 8xx 0x0x0"),
              std::string("qwen3-8b 1000000 nodes of 1000000 h100"),
              std::string("qwen3-8b 99999999 gb card"), std::string("qwen3-8b 1e9999 gb card")}) {
            const Asked asked = understand(text);
            QVERIFY(asked.plan || !asked.whyNot.empty());
            if (asked.plan) {
                QVERIFY(asked.plan->hardware.gpus.value_or(1) <= 1'000'000);
                QVERIFY(!estimate(*asked.plan).issues.empty() || estimate(*asked.plan).computed);
            }
        }
    }
};

VRAMSCOPE_TEST(TestUnderstand)
#include "tst_understand.moc"
