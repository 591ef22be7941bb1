// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "core/solver/answer_sought.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

/// Words in an order, with words between them, or beside other figures than the plan's own.
class TestLooseWords : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aFieldIsRead_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        const auto row = [](const char *sentence, const char *field, const char *value) {
            QTest::newRow(sentence) << sentence << field << value;
        };
        row("llama 3.1 70b lora, the base stays in 8 bit", "adapters.base_quantization", "int8");
        row("llama 3.1 70b zero-3 sft with the optimizer on the cpu 8xh100", "optimizer.offload",
            "on");
        row("codestral 22b q5_k_m 7900 xt, k and v cache both at q8_0",
            "inference.kv_bytes_per_element", "1.0625");
        row("unsloth qwen3-8b lora load_in_4bit=False 4090", "adapters.base_quantization", "none");
        row("llama-3-70b-instruct-gptq as the base of a qlora, 4x a10g",
            "adapters.base_quantization", "gptq-int4-g128");
        row("torchtune llama2 13B_qlora_single_device 24 gb card", "adapters.kind", "lora");
        row("axolotl qwen3-8b lora deepspeed_configs/zero3_bf16.json 4x a10g", "parallel.strategy",
            "zero3");
        row("gpt-oss-20b vllm a10 for 25 developers at the same time",
            "inference.concurrent_sequences", "25");
        row("qwen3-8b vllm l40s, 15 of us but never more than five work with it at once",
            "inference.concurrent_sequences", "5");
        row("wir sind 30, gleichzeitig fragen aber höchstens 10, qwen3-8b vllm l40s",
            "inference.concurrent_sequences", "10");
        row("qwen2.5-14b hf a6000, prompts of 1500 + 500 new tokens", "inference.max_model_len",
            "2000");
        row("command-r vllm h100, 30 requests of 1500 in + 500 out", "inference.max_model_len",
            "2000");
        row("kimi linear vllm 8xh100, half a million tokens of context", "inference.max_model_len",
            "500000");
        row("qwen3-4b lora a800, sft runs with batch 4 but it dies with batch 2",
            "batch.micro_batch", "2");
        row("qwen2.5-32b awq vllm, tensor parallel across both a6000, 2x a6000", "parallel.tensor",
            "2");
        row("3 old gtx 1080 from a mining rig, llama 2 13b q8_0", "hardware.gpus", "3");
        row("2 boxes with 8 h100 each, deepseek-r1 sglang", "hardware.gpus", "16");
        row("4 tesla k80 (so 8 gpus), llama 3.1 70b q4_k_m", "hardware.gpus", "8");
        row("my laptop has an rtx 5090, mistral small 4 bit", "hardware.gpu",
            "rtx-5090-laptop-24gb");
        row("a 3g.40gb MIG slice of an H100, llama-3.1-8b fp8 vllm", "hardware.gpu",
            "h100-80gb-mig-3g.40gb");
        row("bloom vllm tp 8, DGX A100, the 40GB ones", "hardware.gpu", "a100-sxm-40gb");
        row("mac mini m4 with 32 gb ram, gemma-3-12b q8_0", "hardware.gpu", "apple-m4-32gb");
        row("starcoder2-7b lora quadro rtx 6000", "hardware.gpu", "quadro-rtx-6000-24gb");
        row("falcon3-10b qlora rtx 4080 super r=8", "adapters.rank", "8");
        row("glm 4.7 flash q6_k 5090", "model.preset", "glm-4.7-flash");
        row("glm 4.5 air 6bit mlx m1 ultra 128gb", "inference.weight_format", "mlx-6bit");
        row("lora qwen2-vl-7b, min_pixels 16*28*28, max_pixels 128*28*28", "batch.image_width",
            "448");
        row("wan2.1 t2v 14b 512x512x65 4090", "diffusion.frames", "65");
        row("llama 3.2 3b full fsdp two rtx 4080s", "hardware.gpu", "rtx-4080");
        row("qwen3-8b qlora 4090 4k tokens, one at a time", "batch.micro_batch", "1");
        row("nemotron super 49b exl3 3.0bpw 4090 fp16 cache", "inference.kv_bytes_per_element",
            "2");
        row("trl sft lora mistral nemo loaded in bfloat16 l40s", "precision.weight_bytes", "2");
        row("pythia-410m from scratch 8 a30s, 8 sequences of 2048 per gpu", "batch.micro_batch",
            "8");
        row("pythia-410m from scratch 8 a30s, 8 sequences of 2048 per gpu", "batch.sequence_length",
            "2048");
        row("grpo qwen3-1.7b trl a100, prompt 2048 + completion 1024", "batch.sequence_length",
            "3072");
        row("two of those chinese 48gb 4090s plus a 5090, qwen2.5 72b q6_k", "hardware.gpus", "3");
        row("llamafactory lora gemma-3-27b, 4 a100 40gb", "parallel.strategy", "ddp");
        row("axolotl qlora llama 3.3 70b 2xL40S", "hardware.gpu", "l40s-48gb");
        row("how many 4k chats at once with phi-4 fp8 on an a6000 vllm", "inference.max_model_len",
            "4096");
        row("kohya flux lora l40s 512,512", "diffusion.width", "512");
    }

    void aFieldIsRead()
    {
        QFETCH(const QString, sentence);
        QFETCH(const QString, field);
        QFETCH(const QString, value);
        const Asked asked = understand(sentence.toStdString());
        QVERIFY2(asked.understood(), asked.whyNot.c_str());
        const FieldValue read = findField(field.toStdString())->get(*asked.plan);
        QCOMPARE(QString::fromStdString(fieldWords(read)).remove(u','), value);
    }

    void whatIsAskedForIsSought()
    {
        const auto kindOf = [](const char *sentence) { return understand(sentence).sought->kind; };
        QVERIFY(kindOf("I buy used 3090s for qwen3-32b awq vllm. At what count can I stop?") ==
                Sought::Kind::FewestGpus);
        const Asked asked = understand("Wie lang darf der Kontext bei qwen3-8b q4_k_m auf einer "
                                       "3060 höchstens sein?");
        QVERIFY(asked.sought && asked.sought->kind == Sought::Kind::Largest);
        QCOMPARE(std::string_view(*asked.sought->field),
                 std::string_view("inference.max_model_len"));
    }

    void whatAMachineRunsIsTold()
    {
        const Asked asked = understand("smartest coding model for a 16 GB card");
        QVERIFY(asked.sought && asked.sought->kind == Sought::Kind::Models);
        QCOMPARE(asked.remarks.size(), std::size_t(1)); // which answers best is not known
        QVERIFY(asked.plan->inference.weightFormat == WeightFormat::Q4_K_M); // as files at home
        const Result<SoughtAnswer> answer = answerSought(*asked.plan, *asked.sought);
        QVERIFY(bool(answer));
        QVERIFY(verdictOf(estimate(answer->plan)) == Verdict::Fits);
        QVERIFY2(answer->sentence.find(" tokens)") != std::string::npos, answer->sentence.c_str());
        const Asked trained = understand("biggest model i can QLoRA on a 12gb 4070 super?");
        QVERIFY(trained.sought && trained.sought->kind == Sought::Kind::Models);
        // A datacentre card and a named engine serve what is published.
        QVERIFY(
            !understand("what models can I serve with vLLM on 4xL4?").plan->inference.weightFormat);
    }

    void otherFiguresAreNoMachines()
    {
        const auto capacityOf = [](const char *sentence) {
            return resolve(*understand(sentence).plan).settings.capacity;
        };
        const Bytes twelve = capacityOf("llama 7b lora 12 GB card");
        QVERIFY(twelve > 0);
        QCOMPARE(capacityOf("llama 7b lora: 9.5G for 200 steps, too much for a 12gb card?"),
                 twelve);
        QVERIFY(!understand("qwen3-8b qlora on 4x a10g, do I need 48 GB on ONE card or in total?")
                     .plan->hardware.gpu->starts_with("jetson"));
        QCOMPARE(capacityOf("llama 3.1 70b q4_k_m on 48?"), capacityOf("70b on a 48 GB card"));
    }

    void anOptimizerThatIsNotComputedIsRefused()
    {
        const Asked asked = understand("llama-3.2-3b full training with galore on a 3090");
        QVERIFY(!asked.understood());
        QVERIFY(std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::Contradiction && piece.text == "galore";
        }));
    }

    void expertsOnTheHostLeaveTheGpu()
    {
        const auto figuresOf = [](const char *sentence) {
            return estimate(*understand(sentence).plan);
        };
        const Estimate whole = figuresOf("qwen3-30b-a3b q4_k_m 3090 32k");
        for (const char *words :
             {"--cpu-moe", "-ot exps=CPU", "experts in ram", "-ot \".*ffn_.*_exps.*=CPU\""}) {
            const std::string sentence = "qwen3-30b-a3b q4_k_m 3090 32k " + std::string(words);
            const Estimate figures = figuresOf(sentence.c_str());
            QVERIFY2(figures.computed, words);
            // 29 of 30.5 billion parameters are routed experts.
            QVERIFY2(figures.inference->weights < whole.inference->weights / 10, words);
            QVERIFY2(figures.hostBytes > whole.inference->weights * 9 / 10, words);
        }
        const Estimate half = figuresOf("qwen3-30b-a3b q4_k_m 3090 32k --n-cpu-moe 24");
        QVERIFY(half.inference->weights > whole.inference->weights * 2 / 5);
        QVERIFY(half.inference->weights < whole.inference->weights * 3 / 5);
    }

    void aBatchThatNobodyNamesIsOneThatFits()
    {
        const Asked asked = understand("magistral small unsloth 4bit lora r=32 4096 24GB card");
        QCOMPARE(asked.plan->batch.microBatch.value_or(0) *
                     asked.plan->batch.accumulationSteps.value_or(1),
                 8); // as many sequences a step as Unsloth's 4 × 2
        QVERIFY(asked.plan->batch.microBatch < 4);
        QVERIFY(verdictOf(estimate(*asked.plan)) == Verdict::Fits);
        QCOMPARE(asked.versions.size(), std::size_t(1));
        QCOMPARE(asked.versions.front().plan.batch.microBatch.value_or(0), 4);
        // The tool's own where it fits, and the one that is named.
        QCOMPARE(understand("magistral small unsloth 4bit lora h100").plan->batch.microBatch, 4);
        QCOMPARE(understand("magistral small unsloth 4bit lora 4096 24GB batch 4")
                     .plan->batch.microBatch,
                 4);
    }

    void whatFitsStandsBesideWhatDoesNot()
    {
        const Asked copies = understand("llamafactory lora gemma-3-27b 4 a100 40gb");
        QVERIFY(verdictOf(estimate(*copies.plan)) == Verdict::DoesNotFit);
        QCOMPARE(copies.versions.size(), std::size_t(1));
        QVERIFY(copies.versions.front().plan.parallel.strategy == Strategy::Fsdp2);
        QVERIFY(verdictOf(estimate(copies.versions.front().plan)) != Verdict::DoesNotFit);

        const Asked experts = understand("qwen3-30b-a3b q4_k_m 12gb");
        QVERIFY(verdictOf(estimate(*experts.plan)) == Verdict::DoesNotFit);
        QCOMPARE(experts.versions.size(), std::size_t(1));
        Plan moved = experts.versions.front().plan;
        QVERIFY(verdictOf(estimate(moved)) == Verdict::Fits);
        --*moved.inference.hostExpertLayers; // the fewest
        QVERIFY(verdictOf(estimate(moved)) != Verdict::Fits);
        QVERIFY(understand("qwen3-30b-a3b q4_k_m 3090").versions.empty());
        QVERIFY(understand("qwen3-30b-a3b q4_k_m 12gb --n-cpu-moe 2").versions.empty());
    }

    void eachAssumptionIsToldOnce()
    {
        for (const char *sentence : {"magistral small unsloth 4bit lora 4096 24GB card",
                                     "qwen3-30b-a3b q4_k_m 12gb", "gemma 3 27b qlora 24 GB"}) {
            std::vector<FieldPath> told;
            for (const AskedPiece &piece : understand(sentence).pieces)
                if (piece.state == AskedState::Assumed)
                    told.insert(told.end(), piece.fields.begin(), piece.fields.end());
            for (const FieldPath field : told)
                QVERIFY2(std::ranges::count(told, field) == 1, sentence);
        }
    }

    void aFormatThatIsNotComputedIsNotLeftOut()
    {
        // Unsloth trains on four bits: figures of a base in 16 bits would be those of another job.
        const Plan plan = *understand("unsloth qwen3.5 9b 4090").plan;
        QVERIFY(plan.adapters.baseQuantization != BaseQuantization::None);
        QVERIFY(!estimate(plan).computed);
        // Its kernels and its offload are left out, which is told.
        const Asked whole = understand("unsloth qwen3.5 9b 16-bit lora h100");
        QVERIFY(estimate(*whole.plan).computed);
        QVERIFY(std::ranges::any_of(whole.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::Assumed &&
                   piece.meaning.starts_with("kernels at the usual value (Unsloth's own");
        }));
    }

    void aBatchOfPairsKeepsAPair()
    {
        for (const char *sentence :
             {"trl dpo qwen2.5-7b lora dtype bf16 24gb", "trl dpo qwen3-4b lora dtype bf16 16gb",
              "trl dpo qwen2.5-3b lora dtype bf16 12gb"}) {
            const Plan plan = *understand(sentence).plan;
            QVERIFY2(plan.batch.microBatch.value_or(0) >= 2, sentence);
        }
    }

    void aNumberThatMayCountGpusIsNoSize()
    {
        QVERIFY(!understand("llama 3.1 8b full fine-tune on 8").plan->hardware.capacity);
        QVERIFY(understand("70b on 48?").plan->hardware.capacity);
    }

    void llamaCppLoadsNoTowerByItself()
    {
        const auto isTextOnly = [](const char *sentence) {
            return understand(sentence).plan->model.textOnly.value_or(false);
        };
        QVERIFY(isTextOnly("gemma 3 12b q5_k_m llama.cpp 7800 xt"));
        QVERIFY(!isTextOnly("gemma 3 12b ollama 7800 xt"));
        QVERIFY(!isTextOnly("gemma 3 12b vllm l40s"));
    }

    void aSequenceHoldsItsImages()
    {
        const Plan plan =
            *understand("qwen2.5-vl-3b sft 8 a100 80gb, 8 images per sample 768x768").plan;
        QVERIFY(plan.batch.sequenceLength.value_or(0) >= 8 * 729);
        QVERIFY(estimate(plan).computed);
    }
};

VRAMSCOPE_TEST(TestLooseWords)
#include "tst_loose_words.moc"
