// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/asked_kind.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/exchange/asked_command.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "core/solver/answer_sought.h"
#include "tests/core/ask/read_field.h"
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
        row("flux lora nf4 on 24 gb", "diffusion.transformer_format", "nf4");
        row("embeddings with bge-m3 on an l4", "workload", "inference");
        row("llava-1.5-7b with one image on a t4", "workload", "inference");
        row("gemma-3-12b vllm a100, 2 images, 448px", "batch.image_height", "448");
        row("sdxl lora 768px 3090", "diffusion.height", "768");
        row("whisper-large-v3 fine-tune, 30 s of audio, batch 16", "batch.micro_batch", "16");
        row("fine-tune bge-m3 embeddings on an l4", "objective", "embedding");
        row("sentence-transformers bge-base, batch 64, 4090", "objective", "embedding");
        row("embed 64 texts of 512 tokens, bge-m3, t4", "inference.concurrent_sequences", "64");
        row("bge-m3 embeddings with sentence-transformers, t4", "inference.engine", "hf");
        row("bge-m3 embeddings with sentence-transformers, t4", "inference.weight_format", "fp32");
        row("reranker bge-reranker-v2-m3 on a 3060", "workload", "inference");
        row("wan 14b 4-bit lora on 48 gb", "diffusion.transformer_format", "nf4");
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
        row("kohya sdxl lora 1024 batch size 4, gradient checkpointing, 3090", "batch.micro_batch",
            "4");
        row("musubi wan 2.1 14b t2v lora on still images 512x512, 3090", "diffusion.frames", "1");
        row("qwen2.5 7b full, zero3, 8 a800, offload", "optimizer.offload", "on");
        row("qwen-image bf16 on one l40s, nothing offloaded", "diffusion.offload", "none");
        row("qwen2.5-14b gptq int4 vllm, 4080, gpu-memory-utilization .92",
            "inference.gpu_memory_utilization", "0.92");
        row("qwen3-8b vllm l40s, context of 32 thousand tokens", "inference.max_model_len",
            "32768");
        row("verl grpo qwen2.5-32b, 2 nodes with 8x h800 each, rollout.gpu_memory_utilization=0.6",
            "inference.gpu_memory_utilization", "0.6");
        row("verl grpo qwen2.5-32b, 2 nodes with 8x h800 each, rollout.gpu_memory_utilization=0.6",
            "hardware.gpus", "16");
        row("phi-4 from_pretrained torch_dtype=torch.float16", "inference.weight_format", "fp16");
        row("wan 2.1 text2video 1.3b, 832x480, 81 frames, 3060", "model.pipeline",
            "wan2.1-t2v-1.3b");
        row("tune run full_finetune_distributed --config llama3_1/8B_full, a100", "model.preset",
            "llama-3.1-8b");
        row("one of my two 3090s, qwen3-8b lora", "hardware.gpus", "1");
        row("two 4060 ti 16gb instead of one 3090, qwen3-8b qlora", "hardware.gpu",
            "rtx-4060-ti-16gb");
        row("qwen3-8b qlora on two 4060 ti 16gb instead of my 3090", "hardware.gpu",
            "rtx-4060-ti-16gb");
        row("instead of a 3090, two 4060 ti 16gb for qwen3-8b qlora", "hardware.gpus", "2");
        row("qwen3-8b qlora on a 4090 rather than a 3090", "hardware.gpu", "rtx-4090");
        row("two m40 24gb lying around, plus a 3060 12gb: llama 3.3 70b q5_k_m", "hardware.gpus",
            "3");
        row("qwen2.5-72b 全参微调，两台机器每台 8 张 a800", "hardware.gpus", "16");
        row("mistral small 24b q5_k_m, k and v both in q8_0, p40", "inference.weight_format",
            "q5_k_m");
        row("mistral small 24b q5_k_m, k and v both in q8_0, p40", "inference.kv_bytes_per_element",
            "1.0625");
        row("llama-4-scout unsloth ud-q2_k_xl on 2x 5090, 16k", "workload", "inference");
        row("llama-3.1-70b fsdp2 bf16 mixed precision 8 mi300x", "precision.regime",
            "fsdp-mixed-bf16");
        row("pythia-1.4b ddp, weights stay fp32, autocast bf16, 4 a10", "precision.regime",
            "autocast-bf16");
    }

    void aFieldIsRead()
    {
        QFETCH(const QString, sentence);
        QFETCH(const QString, field);
        QFETCH(const QString, value);
        QCOMPARE(test::readField(sentence, field), value);
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
        QCOMPARE(estimate(*asked.plan).fits, std::optional(true));
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
        const Plan plan = *understand("unsloth granite 4 h tiny 4090").plan;
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

    void fullBesideALengthIsNoTask()
    {
        const Plan plan = *understand("llama 3.1 8b fp8 with the full 128k window, one h200").plan;
        QCOMPARE(plan.workload, std::optional(Workload::Inference));
        QCOMPARE(plan.inference.maxModelLen, std::optional<std::int64_t>(131'072));
        QCOMPARE(understand("llama 3.1 8b full, 8 h200").plan->workload,
                 std::optional(Workload::Training));
    }

    void aLargestValueThatIsGivenIsNotSought()
    {
        const Asked asked = understand("qwen3 8b with vllm on an l40s, max model len 16384");
        QVERIFY(!asked.sought);
        QCOMPARE(asked.plan->inference.maxModelLen, std::optional<std::int64_t>(16'384));
        QVERIFY(understand("qwen3 8b with vllm on an l40s, max model len?").sought);
    }

    void aTrainerThatOnlyTrainsIsNotOvercomeByRun()
    {
        const Plan plan = *understand("unsloth qwen2.5-7b r=16 runs out of memory on a t4").plan;
        QCOMPARE(plan.workload, std::optional(Workload::Training));
        QCOMPARE(plan.adapters.rank, std::optional<std::int64_t>(16));
        // The library loads models to run them too.
        QCOMPARE(understand("run qwen2.5-7b with transformers on a t4").plan->workload,
                 std::optional(Workload::Inference));
    }

    void aMisspeltNameIsNotTheToolInIt()
    {
        const Asked asked = understand("mistal nemo 12b q8_0 on a 4080 super");
        QCOMPARE(asked.plan->model.preset, std::optional<std::string>("mistral-nemo"));
        QCOMPARE(asked.plan->trainer, std::nullopt);
        QCOMPARE(understand("llama 3.1 8b with nemo on 8 h100").plan->trainer,
                 std::optional<std::string>("nemo"));
    }

    void aBatchMayBeSaidPerGpu()
    {
        for (const char *sentence :
             {"pythia-410m from scratch on 8 a10g, ddp, 2048 tokens, 8 per gpu",
              "pythia-410m from scratch on 8 a10g, ddp, 2048 tokens, 8 per device"})
            QCOMPARE(understand(sentence).plan->batch.microBatch, std::optional<std::int64_t>(8));
        QVERIFY(understand("how big a gpu for gemma-3-12b-it lora, bs 1").sought);
    }

    void hybridShardingIsAShardingAndAGroup()
    {
        const Plan plan =
            *understand("olmo-2-7b pretraining on 32 h100, hybrid sharding, shard group 8").plan;
        QCOMPARE(plan.parallel.sharding, std::optional(Sharding::HybridShard));
        QCOMPARE(plan.parallel.shardGroup, std::optional<std::int64_t>(8));
        QVERIFY(estimate(plan).computed);
    }

    void picturesAreCountedWhateverTheyAreCalled()
    {
        for (const char *noun : {"images", "pictures", "photos", "screenshots"}) {
            const std::string sentence = "qwen3-vl-8b bf16 inference with four 1280x720 " +
                                         std::string(noun) + " in the prompt";
            QCOMPARE(understand(sentence).plan->batch.images, std::optional<std::int64_t>(4));
        }
    }

    void whatIsDeniedIsNotDone()
    {
        for (const char *denial : {"nothing offloaded", "no offload", "不用 offload"}) {
            const std::string sentence = "qwen2.5 7b full, zero3, 8 a800, " + std::string(denial);
            QVERIFY2(!understand(sentence).plan->optimizer.offload.value_or(false), denial);
        }
    }

    void theCheapestSingleGpuIsSought()
    {
        const Asked asked = understand("least expensive single gpu for lora on llama-3.1-8b");
        QVERIFY(asked.sought && asked.sought->kind == Sought::Kind::SmallestGpu);
    }

    void aCommandEndsWhereWordsBegin()
    {
        const std::string command = "vllm serve qwen3-8b --max-model-len 8192";
        for (const char *words : {" (one 4090)", " ; hardware: 4x H20", " # 2x a100"})
            QCOMPARE(commandIn(command + words).end, command.size());
        QCOMPARE(commandIn(command).end, command.size());
        const std::string quoted = "vllm serve qwen3-8b --hf-overrides '{ \"a\": 1; }'";
        QCOMPARE(commandIn(quoted).end, quoted.size());
        // What a shell runs before or after it, and its own arguments, are no words.
        for (const char *line :
             {"cd /models; vllm serve qwen3-8b",
              "export CUDA_VISIBLE_DEVICES=0,1; "
              "vllm serve qwen3-8b --max-model-len 8192",
              "vllm serve qwen3-8b   --max-model-len 8192   --tensor-parallel-size 2",
              "vllm serve qwen3-8b > log.txt 2>&1; tail -f log.txt"})
            QCOMPARE(commandIn(line).end, std::string_view(line).size());
        // A program with blanks behind it is no name of a file.
        QVERIFY(askedKind("./llama-cli -hf unsloth/Qwen3-4B-GGUF:Q8_0 -c 32768") !=
                AskedKind::Path);
        QVERIFY(askedKind("./plans/my run.vramplan") == AskedKind::Path);
    }

    void wordsBehindACommandGoOverIt()
    {
        const Result<AskedCommand> command =
            askedCommand("vllm serve qwen3-8b --max-model-len 8192 # 2x a100");
        QVERIFY(command && command->imported && command->asked.plan);
        QCOMPARE(command->asked.plan->inference.maxModelLen, std::optional<std::int64_t>(8192));
        QCOMPARE(command->asked.plan->hardware.gpus, std::optional<std::int64_t>(2));
        QVERIFY(std::ranges::none_of(command->asked.pieces, [](const AskedPiece &piece) {
            return piece.state == AskedState::NotUnderstood;
        }));
        const Result<AskedCommand> behind =
            askedCommand("2 nodes x 8 h100 80gb: vllm serve qwen3-8b --max-model-len 8192");
        QVERIFY(behind && behind->imported && behind->asked.plan);
        QCOMPARE(behind->asked.plan->hardware.gpus, std::optional<std::int64_t>(16));
        QVERIFY(std::ranges::none_of(behind->imported->notes, &ImportNote::asksForGpu));
        const Result<AskedCommand> alone = askedCommand("vllm serve qwen3-8b --max-model-len 8192");
        QVERIFY(alone && alone->imported &&
                std::ranges::any_of(alone->imported->notes, &ImportNote::asksForGpu));
        const Result<AskedCommand> prelude =
            askedCommand("cd /models; vllm serve qwen3-8b   --max-model-len 8192");
        QVERIFY(prelude && prelude->imported);
        QCOMPARE(prelude->imported->plan.inference.maxModelLen, std::optional<std::int64_t>(8192));
    }

    void pagedStatesMoveToTheHost()
    {
        const Plan plan = *understand("llama 3.1 8b full, bf16, paged adamw 8-bit, 4090").plan;
        QCOMPARE(plan.optimizer.name, std::optional(OptimizerName::AdamW8bit));
        QCOMPARE(plan.optimizer.offload, std::optional(true));
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
