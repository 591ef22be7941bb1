// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"
#include "core/exchange/import_notes.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"

#include <QJsonDocument>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestImportTrainer : public test::Test
{
    Q_OBJECT

private slots:
    void aLineBecomesThePlanThatItDescribes_data();
    void aLineBecomesThePlanThatItDescribes();
};

void TestImportTrainer::aLineBecomesThePlanThatItDescribes_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QStringList>("notes"); // how they begin
    // After TRL's trl/scripts/sft.py (Apache-2.0), with the launcher's part.
    QTest::newRow("LoRA of TRL") << QByteArray(R"(accelerate launch --num_processes 2 \
        trl/scripts/sft.py --model_name_or_path Qwen/Qwen2.5-0.5B --dataset_name trl-lib/Capybara \
        --learning_rate 2.0e-4 --num_train_epochs 1 --packing --per_device_train_batch_size 2 \
        --gradient_accumulation_steps 8 --gradient_checkpointing --bf16 --torch_dtype bfloat16 \
        --eval_strategy steps --eval_steps 100 --use_peft --lora_r 32 --lora_alpha 16 \
        --lora_target_modules q_proj v_proj --load_in_4bit --max_length 2048 \
        --output_dir Qwen2-0.5B-SFT --push_to_hub)")
                                 << QByteArray(R"({"vramscope": 1, "workload": "training",
        "trainer": "trl", "model": {"preset": "qwen2.5-0.5b"}, "hardware": {"gpus": 2},
        "parallel": {"data": 2, "strategy": "ddp"},
        "precision": {"regime": "autocast-bf16", "weight_bytes": 2},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 2, "sequence_length": 2048, "accumulation_steps": 8},
        "activations": {"checkpointing": "full", "kernels": "eager"},
        "loss": "linear-fused",
        "adapters": {"kind": "lora", "rank": 32, "targets": ["q", "v"], "dropout": 0.05,
            "base_quantization": "nf4", "weight_bytes": 2}})")
                                 << QStringList{u"loss: is counted as TRL computes it"_s};
    QTest::newRow("flags of accelerate launch, before the script")
        << QByteArray("accelerate launch --num_processes 4 --use_fsdp train.py "
                      "--model_name_or_path Qwen/Qwen2.5-0.5B --bf16 --dtype bfloat16 "
                      "--gradient_checkpointing --max_seq_length 1024")
        << QByteArray(R"({"vramscope": 1, "workload": "training",
        "trainer": "hf", "model": {"preset": "qwen2.5-0.5b"}, "hardware": {"gpus": 4},
        "parallel": {"data": 4, "strategy": "fsdp1"},
        "precision": {"regime": "fsdp-mixed-bf16"},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 8, "sequence_length": 1024, "accumulation_steps": 1},
        "activations": {"checkpointing": "full", "kernels": "eager"},
        "loss": "hf-padded"})")
        << QStringList();
    // After TRL's documentation of vLLM (Apache-2.0).
    QTest::newRow("GRPO of TRL") << QByteArray(R"(accelerate launch --num_processes 4 grpo.py \
        --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct --dataset_name trl-lib/tldr \
        --per_device_train_batch_size 8 --gradient_accumulation_steps 4 --num_generations 8 \
        --max_prompt_length 512 --max_completion_length 1024 --use_vllm --vllm_mode colocate \
        --vllm_gpu_memory_utilization 0.4 --vllm_tensor_parallel_size 2 --vllm_enable_sleep_mode \
        --beta 0.04 --torch_dtype bfloat16)")
                                 << QByteArray(R"({"vramscope": 1, "workload": "rl",
        "trainer": "trl", "model": {"preset": "qwen2.5-1.5b"}, "hardware": {"gpus": 4},
        "parallel": {"data": 4, "strategy": "ddp"},
        "precision": {"regime": "autocast-bf16", "weight_bytes": 2},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 8, "sequence_length": 1536, "accumulation_steps": 4},
        "activations": {"checkpointing": "full", "kernels": "eager"},
        "loss": "selective-log-softmax",
        "inference": {"engine": "vllm", "gpu_memory_utilization": 0.4, "max_num_seqs": 64,
            "max_num_batched_tokens": 4096},
        "rl": {"tensor": 2, "sleep_level": 2, "shared_process": true, "reference": true}})")
                                 << QStringList();
    QTest::newRow("GRPO with a server")
        << QByteArray(R"(accelerate launch --num_processes 2 \
        grpo.py --model_name_or_path Qwen/Qwen2.5-0.5B --per_device_train_batch_size 4 \
        --use_vllm --vllm_mode server --max_completion_length 512 --vllm_max_model_length 2048 \
        --use_peft --lora_target_modules q_proj v_proj --beta 0.1 --dtype bfloat16)")
        << QByteArray(R"({"vramscope": 1, "workload": "training",
        "trainer": "trl", "model": {"preset": "qwen2.5-0.5b"}, "hardware": {"gpus": 2},
        "parallel": {"data": 2, "strategy": "ddp"},
        "precision": {"regime": "autocast-bf16", "weight_bytes": 2},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 4, "sequence_length": 2048, "accumulation_steps": 1},
        "activations": {"checkpointing": "full", "kernels": "eager"},
        "loss": "selective-log-softmax",
        "adapters": {"kind": "lora", "rank": 16, "targets": ["q", "v"], "dropout": 0.05}})")
        << QStringList{u"--use-vllm: generates on GPUs of its own"_s};
    // After transformers' documentation of DeepSpeed (Apache-2.0), with another model.
    QTest::newRow("DeepSpeed") << QByteArray(R"(deepspeed --num_gpus=2 run_clm.py \
        --deepspeed tests/deepspeed/ds_config_zero3.json --model_name_or_path gpt2 \
        --per_device_train_batch_size 1 --output_dir output_dir --overwrite_output_dir --fp16 \
        --do_train --num_train_epochs 1 --block_size 512 --optim adafactor)")
                               << QByteArray(R"({"vramscope": 1, "workload": "training",
        "trainer": "hf", "model": {"preset": "gpt2"}, "hardware": {"gpus": 2},
        "parallel": {"data": 2, "strategy": "zero3"},
        "precision": {"regime": "deepspeed-fp16"},
        "optimizer": {"name": "adafactor", "implementation": "for-loop"},
        "batch": {"micro_batch": 1, "sequence_length": 512, "accumulation_steps": 1},
        "activations": {"kernels": "eager"},
        "loss": "hf-padded"})")
                               << QStringList{
                                      u"line 2, --deepspeed: names tests/deepspeed/ds_config_zero3"
                                      u".json, which is taken for ZeRO-3"_s,
                                      u"--gradient-checkpointing: is not stated"_s};
    QTest::newRow("FSDP, little stated")
        << QByteArray(
               "torchrun --nnodes 2 --nproc_per_node 8 train.py --model_name_or_path me/mine "
               "--fsdp 'full_shard auto_wrap offload' --gradient_checkpointing false "
               "--use_liger_kernel")
        << QByteArray(R"({"vramscope": 1, "workload": "training",
        "trainer": "hf", "model": {}, "hardware": {"gpus": 16},
        "parallel": {"data": 16, "strategy": "fsdp2", "sharding": "full_shard",
            "cpu_offload": true},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 8, "accumulation_steps": 1},
        "activations": {"checkpointing": "none", "kernels": "fused"},
        "loss": "linear-fused"})")
        << QStringList{u"line 1, --model-name-or-path: names me"_s,
                       u"--fsdp: is FSDP2 in transformers 5"_s, u"--bf16: is not stated"_s,
                       u"--max-length: is not stated"_s};
}

void TestImportTrainer::aLineBecomesThePlanThatItDescribes()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, plan);
    QFETCH(QStringList, notes);
    const auto read = importInto({}, line.toStdString());
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QStringList noted;
    for (const ImportNote &note : read->notes) {
        if (!namesNoMemory(note))
            noted << QString::fromStdString(note.place + ": " + note.text);
    }
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(planJson(read->plan))).toJson(),
             QJsonDocument::fromJson(plan).toJson());
    QVERIFY2(noted.size() == notes.size(), qPrintable(noted.join(u'\n')));
    for (qsizetype i = 0; i < notes.size(); ++i)
        QVERIFY2(noted[i].startsWith(notes[i]), qPrintable(noted[i]));
}

VRAMSCOPE_TEST(TestImportTrainer)
#include "tst_import_trainer.moc"
