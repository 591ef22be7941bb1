// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/exchange/import.h"
#include "core/exchange/import_notes.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"

#include <QJsonDocument>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestImportVerl : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void overridesBecomeThePlanThatTheyDescribe_data();
    void overridesBecomeThePlanThatTheyDescribe();
    void whatIsNotAnOverrideIsLeftOut();
};

void TestImportVerl::overridesBecomeThePlanThatTheyDescribe_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QStringList>("notes"); // how they begin
    // After verl's examples/grpo_trainer (Apache-2.0), with other sizes.
    QTest::newRow("GRPO under FSDP") << QByteArray(R"(set -x
model=Qwen/Qwen2.5-7B-Instruct
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=1024 \
    data.max_prompt_length=512 data.max_response_length=1024 \
    actor_rollout_ref.model.path=$model actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16 \
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.entropy_coeff=0 \
    actor_rollout_ref.actor.fsdp_config.param_offload=False \
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=32 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    actor_rollout_ref.rollout.n=5 actor_rollout_ref.ref.fsdp_config.param_offload=True \
    trainer.n_gpus_per_node=8 trainer.nnodes=2 $@)")
                                     << QByteArray(R"({"vramscope": 1, "workload": "rl",
        "trainer": "verl", "model": {"preset": "qwen2.5-7b"}, "hardware": {"gpus": 16},
        "parallel": {"data": 16, "strategy": "fsdp1"},
        "precision": {"regime": "fsdp-mixed-bf16"},
        "batch": {"micro_batch": 16, "sequence_length": 1536, "accumulation_steps": 5},
        "activations": {"checkpointing": "full", "kernels": "eager"}, "loss": "in-place",
        "inference": {"engine": "vllm", "gpu_memory_utilization": 0.6, "max_model_len": 1536,
            "max_num_seqs": 256, "max_num_batched_tokens": 8192},
        "rl": {"tensor": 2, "sleep_level": 2, "param_offload": false, "optimizer_offload": true,
            "reference": true, "reference_offload": true, "critic": false,
            "log_prob_micro_batch": 32, "sync_bucket_bytes": 2147483648}})")
                                     << QStringList{u": The loss is flash-attn's"_s};
    QTest::newRow("PPO under Megatron, with SGLang")
        << QByteArray(R"(python3 -m \
    verl.trainer.main_ppo --config-path=./config --config-name='ppo_megatron_trainer'\
    algorithm.adv_estimator=gae data.max_prompt_length=1024 data.max_response_length=1024 \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 \
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform \
    actor_rollout_ref.actor.megatron.param_offload=True \
    actor_rollout_ref.rollout.name=sglang actor_rollout_ref.rollout.gpu_memory_utilization=0.7 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 \
    actor_rollout_ref.rollout.free_cache_engine=False \
    actor_rollout_ref.rollout.max_model_len=null \
    algorithm.use_kl_in_reward=True trainer.n_gpus_per_node=8)")
        << QByteArray(R"({"vramscope": 1,
        "workload": "rl", "trainer": "verl", "model": {"preset": "qwen2.5-7b"},
        "hardware": {"gpus": 8},
        "parallel": {"data": 2, "tensor": 2, "pipeline": 2, "sequence": true,
            "strategy": "megatron-distributed-optimizer"},
        "precision": {"regime": "megatron-bf16"},
        "batch": {"micro_batch": 4, "sequence_length": 2048, "accumulation_steps": 32},
        "activations": {"checkpointing": "full", "kernels": "megatron-te"}, "loss": "in-place",
        "inference": {"engine": "sglang", "max_model_len": 2048,
            "sglang": {"mem_fraction_static": 0.7}},
        "rl": {"tensor": 4, "sleep_level": 0, "param_offload": true, "optimizer_offload": false,
            "reference": true, "reference_offload": false, "critic": true,
            "log_prob_micro_batch": 4, "sync_bucket_bytes": 2147483648}})")
        << QStringList{u": The loss is flash-attn's"_s, u"algorithm.adv_estimator: gae"_s};
    QTest::newRow("LoRA, batches by tokens, Ulysses") << QByteArray(R"(python3 -m \
    verl.trainer.main_ppo algorithm.adv_estimator=rloo data.max_prompt_length=2048 \
    data.max_response_length=6144 actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B \
    actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.model.use_fused_kernels=True \
    actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384 \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2 \
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16 \
    actor_rollout_ref.actor.use_kl_loss=true actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.enforce_eager=True actor_rollout_ref.rollout.n=4 \
    actor_rollout_ref.rollout.some_new_option=3)") << QByteArray(R"({"vramscope": 1,
        "workload": "rl", "trainer": "verl", "model": {"preset": "qwen2.5-0.5b"},
        "hardware": {"gpus": 8},
        "parallel": {"data": 4, "context": 2, "context_exchange": "ulysses", "strategy": "fsdp2"},
        "precision": {"regime": "fsdp-mixed-bf16", "weight_bytes": 2},
        "batch": {"micro_batch": 4, "sequence_length": 8192, "accumulation_steps": 64},
        "activations": {"checkpointing": "full", "kernels": "eager"}, "loss": "linear-fused",
        "adapters": {"kind": "lora", "rank": 32, "targets": ["all-linear"]},
        "inference": {"engine": "vllm", "gpu_memory_utilization": 0.5, "max_model_len": 8192,
            "max_num_seqs": 256, "max_num_batched_tokens": 8192, "cuda_graph_bytes": 0},
        "rl": {"tensor": 2, "sleep_level": 2, "param_offload": false, "optimizer_offload": false,
            "reference": false, "critic": false, "log_prob_micro_batch": 4,
            "sync_bucket_bytes": 2147483648}})") << QStringList{u"line"_s, u"line"_s, u"line"_s};
}

void TestImportVerl::overridesBecomeThePlanThatTheyDescribe()
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
        QVERIFY2(noted[i].startsWith(notes[i]), qPrintable(noted.join(u'\n')));
    Plan onCard = read->plan;
    onCard.hardware.gpu = "h200-sxm-141gb";
    const Estimate figures = estimate(onCard);
    QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
}

void TestImportVerl::whatIsNotAnOverrideIsLeftOut()
{
    const auto read =
        importInto({}, "python3 -m verl.trainer.main_ppo PATH.x actor_rollout_ref.model.path=gpt2 "
                       "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=many a=b -x.y=3");
    QVERIFY(read.ok());
    QCOMPARE(read->plan.model.preset, std::optional<std::string>("gpt2"));
    const bool named = std::ranges::any_of(read->notes, [](const ImportNote &note) {
        return note.place.find("ppo_micro_batch_size_per_gpu") != std::string::npos;
    });
    QVERIFY(named);
    const auto huge = importInto({}, "x actor_rollout_ref.model.path=gpt2 trainer.nnodes=4 "
                                     "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu="
                                     "9000000000000000000 actor_rollout_ref.rollout.n="
                                     "9000000000000000000 data.max_prompt_length="
                                     "9000000000000000000");
    QVERIFY(huge.ok());
    QVERIFY(!huge->plan.batch.microBatch); // beyond what a plan holds, and noted
}

VRAMSCOPE_TEST(TestImportVerl)
#include "tst_import_verl.moc"
