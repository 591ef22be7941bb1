// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "tests/core/ask/read_field.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

/// Words that take back others, launchers of training scripts, and text pasted from a terminal.
class TestCorrectedWords : public test::Test
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
        row("torchrun --nproc_per_node 4 tune.py qwen2.5-7b full fsdp, l40s", "hardware.gpus", "4");
        row("deepspeed --num_gpus 8 run_clm.py with llama-2-13b and zero3, v100 32gb",
            "hardware.gpus", "8");
        row("torchrun --nnodes 2 --nproc_per_node 8 tune.py, llama 3.1 70b full fsdp, h100",
            "hardware.gpus", "16");
        row("torchrun --nproc_per_node 8 tune.py, llama 3.1 70b full fsdp, 2 nodes of 8 h100",
            "hardware.gpus", "16");
        row("accelerate launch --num_machines 2 --num_processes 8 tune.py, qwen2.5-7b full, l40s",
            "hardware.gpus", "8");
        row("deepseek r1 fp8 on 2 h100 nodes", "hardware.gpus", "16");
        row("llama 3.3 70b vllm on an 8x h100 server", "hardware.gpus", "8");
        row("qwen3-32b vllm on one a100 box (4 gpus)", "hardware.gpus", "4");
        row("gemma 3 27b q4_k_m on one 4080 (sorry, I mean two of them)", "hardware.gpus", "2");
        row("the server has 8x v100 32gb but I may use just one of them, pythia 12b fp16",
            "hardware.gpus", "1");
        row("I sold my old 2080 and have a 3090 now: qwen3-14b q4_k_m", "hardware.gpu", "rtx-3090");
        row("moving from a 3080 to an rtx 5090, qwen3-32b q4_k_m", "hardware.gpu", "rtx-5090");
        row("qwen2.5-72b iq4_xs llama.cpp, 2080ti魔改22g", "hardware.gpu",
            "rtx-2080-ti-modded-22gb");
        row("qlora of llama 3.1 8b with a 4090 - hm, scratch that, with an rtx a6000",
            "hardware.gpu", "rtx-a6000-48gb");
        row("I tried a rented 3090 and it died. Now I have one h100 sxm: gemma 3 27b lora",
            "hardware.gpu", "h100-sxm-80gb");
        row("I have two used rtx 3090s for qwen3-32b q4_k_m", "hardware.gpus", "2");
        row("last term I used llama 2 13b there. this time qwen2.5-14b bf16 vllm on an a100 40gb",
            "model.preset", "qwen2.5-14b");
        row("the dgx a100 has eight 40 gb cards, llama 3.1 70b vllm", "hardware.gpu",
            "a100-sxm-40gb");
        row("NVIDIA A40, 46068 MiB / NVIDIA A40, 46068 MiB, qwen3-32b vllm", "hardware.gpus", "2");
        row("llama 3.2 3b at q8_0... sorry, I meant at f16, on a 1070", "inference.weight_format",
            "fp16");
        row("llama 3.1 8b vllm 4090, the 16-bit cache is too big, still with the kv cache in fp8?",
            "inference.kv_bytes_per_element", "1");
        row("I do not want to train, inference only: qwen3-8b on an a10", "workload", "inference");
        row("qwen3-30b-a3b q4_k_m on a 3090, or do I have to push experts to the cpu?",
            "inference.host_expert_layers", "");
        row("40 employees at the same moment, mistral small 24b fp8 vllm l40s",
            "inference.concurrent_sequences", "40");
        row("llama 8b vllm h100 for two hundred users", "inference.concurrent_sequences", "200");
        row("llama 8b vllm h100, there's a lot of 4k prompts", "inference.max_model_len", "4096");
        row("lora rank sixty-four of qwen2.5 7b, a6000", "adapters.rank", "64");
        row("qlora sur mistral-7b-v0.3, lot de 4, une 3090", "batch.micro_batch", "4");
        row("flags: --tensor-model-parallel-size 4 --bf16, llama 2 70b megatron, 64 a100 80gb",
            "parallel.tensor", "4");
        row("llama-3.1-8b lora r=8, grad ckpt on, 1x4090", "activations.checkpointing", "full");
        row("llama-3.2-1b volles finetuning in reines bf16, 3090", "precision.regime", "pure-bf16");
        row("sdxl lora mixed_precision bf16 on a 3060", "adapters.kind", "lora");
        row("flux.1-dev bf16 不开offload 5090", "diffusion.offload", "none");
        row("sgd instead of adamw, full finetune of qwen2.5-3b on an h100", "optimizer.name",
            "sgd");
        row("fsdp rather than ddp, llama 3 8b full on 4 a100", "parallel.strategy", "fsdp2");
        row("qwen3-8b fp8 instead of bf16 on a 4090 with vllm", "inference.weight_format", "fp8");
        row("mistral 7b full, fp32 master weights with bf16 autocast, h100", "precision.regime",
            "autocast-bf16");
        row("qlora with nf4 and double quantization, llama 3.1 8b, 3090",
            "adapters.base_quantization", "nf4-double");
        row("8bit (bitsandbytes) lora of mistral 7b on a 3090", "adapters.base_quantization",
            "int8");
        row("llama 3.1 70b awq vllm h100, kv cache left at 16 bit", "inference.weight_format",
            "awq-int4-g128");
        row("mixtral 8x7b instruct vllm 2 a100 80gb, 8192 tokens in total",
            "inference.max_model_len", "8192");
        row("qwen2.5 7b vllm l40s max len 1.2e4", "inference.max_model_len", "12000");
        row("phi-4 con vllm a 0,85 de utilización en una a6000", "inference.gpu_memory_utilization",
            "0.85");
        row("qwen2.5 72b gptq vllm 4x3090 tp 4, max-model-len 8k oom, lowered to 4k",
            "inference.max_model_len", "4096");
        row("trtllm-serve qwen3-8b --max_batch_size 16, single b200, kv in fp8",
            "inference.max_num_seqs", "16");
        row("qwen3 14b q5_k_m, rtx 4060 ti 16 go et 32 go de ram", "hardware.host_memory_bytes",
            "34359738368");
        row("| 0  NVIDIA A40  On |: phi-4 lora", "hardware.gpus", "1");
        row("llama 3.1 8b bf16 vllm a10g: larger than the available KV cache memory (4.5 GiB)",
            "inference.kv_cache_memory_bytes", "4831838208");
    }

    void aFieldIsRead()
    {
        QFETCH(const QString, sentence);
        QFETCH(const QString, field);
        QFETCH(const QString, value);
        QCOMPARE(test::readField(sentence, field), value);
    }

    /// "How much" is no question for a value where it is asked of a GPU.
    void howMuchIsOnEachGpu()
    {
        const Asked asked =
            understand("serve llama 3.1 70b on 4 h100, how much lands on each gpu?");
        QVERIFY2(asked.plan, asked.whyNot.c_str());
        QVERIFY(!asked.sought);
    }

    /// What another word takes back is shown as passed over.
    void whatIsReplacedIsShown()
    {
        const Asked asked = understand("sgd instead of adamw, full finetune of qwen2.5-3b on h100");
        QVERIFY(std::ranges::any_of(asked.pieces, [](const AskedPiece &piece) {
            return piece.text == "adamw" && piece.state == AskedState::NotUnderstood;
        }));
    }
};

VRAMSCOPE_TEST(TestCorrectedWords)
#include "tst_corrected_words.moc"
