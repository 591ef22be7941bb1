// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/base/shipped_documents.h"
#include "core/estimate/estimate.h"
#include "core/exchange/export.h"
#include "core/exchange/import.h"
#include "core/exchange/import_notes.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestImport : public test::Test
{
    Q_OBJECT

private slots:
    void aFileBecomesThePlanThatItDescribes_data();
    void aFileBecomesThePlanThatItDescribes();
    void eachImportIsAPlanThatCanBeComputed_data();
    void eachImportIsAPlanThatCanBeComputed();
    void whatIsNotKnownIsNotedWithItsPlace_data();
    void whatIsNotKnownIsNotedWithItsPlace();
    void keysThatBearOnNoMemoryAreCountedInOneNote();
    void parametersOnTheHostAreCarriedOver();
    void drivesAreNotTheHost();
    void deepSpeedKeepsMasterWeightsInTheirType();
    void megatronAccumulatesFp16InItsOwnType();
    void everyKeyIsCarriedOverNotedOrCounted();
    void filesAreAppliedOntoOneAnother();
    void theDropoutOfAConfigIsCarriedOver();
    void theModelOfMegatronArgumentsCountsItsParameters();
    void megatronsLocalLayersHaveOneAttention();
    void deepSpeedWithoutAStageIsPlainDataParallel();
    void lossParallelIsTorchtitansDefaultBesideTensorParallel_data();
    void lossParallelIsTorchtitansDefaultBesideTensorParallel();
    void float8IsOnWhereTorchtitanSwitchesItOn_data();
    void float8IsOnWhereTorchtitanSwitchesItOn();
    void vllmsReadableNumbersAreCounts_data();
    void vllmsReadableNumbersAreCounts();
    void aServingLineBringsItsOwnDegreesGpusAndName();
    void aServingLineKeepsWhatThePublishedWeightsAreIn();
    void aServingLineSaysWhatItsFeaturesChange_data();
    void aServingLineSaysWhatItsFeaturesChange();
    void speculationComesBackAsItWas_data();
    void speculationComesBackAsItWas();
    void limitsOfImagesComeBackAsTheyWere();
    void notesOnWhatBearsOnNoMemoryAreToldApart();
    void theModuleThatPythonStartsIsNoSetting();
    void textsThatAreNoConfigSayWhatTheyAre_data();
    void textsThatAreNoConfigSayWhatTheyAre();
    void aLongListOfUnknownKeysStaysReadable();
    void eachKeyThatDoesNotAffectMemoryIsListedOnce();
    void eachOptionOfAnEngineIsListedOnce();
};

namespace {

std::filesystem::path sample(const QString &name)
{
    return test::projectFile("tests/data/exchange/"_L1 + name).toStdString();
}

Plan withModel(const char *preset, std::int64_t gpus = 0)
{
    Plan plan;
    plan.model.preset = preset;
    if (gpus > 0)
        plan.hardware.gpus = gpus;
    return plan;
}

QStringList notesOf(const Imported &imported)
{
    QStringList notes;
    for (const ImportNote &note : imported.notes)
        notes << QString::fromStdString(note.place + ": " + note.text);
    return notes;
}

} // namespace

void TestImport::aFileBecomesThePlanThatItDescribes_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("onto"); // preset
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QByteArray>("plan"); // all that the plan states, but for the model's config
    QTest::newRow("DeepSpeed") << u"ds_zero3.json"_s << QByteArray("llama-3.1-8b") << 0
                               << QByteArray(R"({"vramscope": 1, "workload": "training",
            "model": {"preset": "llama-3.1-8b"},
            "parallel": {"data": 8, "strategy": "zero3", "bucket": {"reduce_bucket_size": 16777216,
                "prefetch_bucket_size": 15099494, "max_live_parameters": 1000000000,
                "max_reuse_distance": 1000000000,
                "param_persistence_threshold": 40960, "sub_group_size": 1000000000,
                "overlap_comm": true}},
            "precision": {"regime": "deepspeed-bf16"},
            "optimizer": {"name": "adamw", "implementation": "fused", "offload": true},
            "batch": {"micro_batch": 2, "accumulation_steps": 4}})");
    QTest::newRow("torchtitan") << u"titan_new.toml"_s << QByteArray() << 0
                                << QByteArray(R"({"vramscope": 1, "workload": "training",
            "trainer": "torchtitan",
            "model": {"preset": "llama-3.1-70b"},
            "parallel": {"data": 32, "tensor": 8, "pipeline": 1, "context": 1, "sequence": true,
                "strategy": "fsdp2", "sharding": "hybrid_shard", "shard_group": 16},
            "precision": {"regime": "fsdp-mixed-bf16", "reduce_bytes": 4, "linear": "fp8"},
            "optimizer": {"name": "adamw", "implementation": "fused"},
            "batch": {"micro_batch": 8, "sequence_length": 8192, "accumulation_steps": 2},
            "activations": {"checkpointing": "full", "attention": "flash",
                "kernels": "compiled"},
            "loss": "loss-parallel"})");
    QTest::newRow("torchtitan, older layout, on 32 GPUs")
        << u"titan_old.toml"_s << QByteArray("gpt2") << 32
        << QByteArray(R"({"vramscope": 1, "workload": "training",
            "trainer": "torchtitan",
            "model": {"preset": "llama-3.1-8b"}, "hardware": {"gpus": 32},
            "parallel": {"data": 8, "tensor": 2, "pipeline": 1, "context": 2, "sequence": true,
                "strategy": "fsdp2", "sharding": "full_shard"},
            "precision": {"regime": "fsdp-mixed-bf16", "reduce_bytes": 4},
            "optimizer": {"name": "adamw", "implementation": "fused"},
            "batch": {"micro_batch": 2, "sequence_length": 8192},
            "activations": {"checkpointing": "selective-op", "attention": "flash",
                "kernels": "eager"},
            "loss": "loss-parallel"})");
    QTest::newRow("Megatron-LM") << u"megatron_gpt.sh"_s << QByteArray() << 0
                                 << QByteArray(R"({"vramscope": 1, "workload": "training",
            "model": {"norm": "layernorm", "gated_mlp": false, "bias": ["qkv", "o", "mlp"],
                "learned_positions": 8192, "vocab_size_padded": 131584},
            "hardware": {"gpus": 8, "gpus_per_node": 8},
            "parallel": {"data": 2, "tensor": 4, "pipeline": 1,
                "strategy": "megatron-distributed-optimizer"},
            "precision": {"regime": "megatron-bf16"},
            "optimizer": {"name": "adam", "implementation": "fused"},
            "batch": {"micro_batch": 2, "sequence_length": 8192, "accumulation_steps": 2},
            "activations": {"checkpointing": "none", "attention": "flash",
                "kernels": "megatron-te", "dropout": 0.1, "attention_dropout": 0.1},
            "loss": "vocab-parallel"})");
    QTest::newRow("Megatron-LM with experts")
        << u"megatron_moe.sh"_s << QByteArray() << 0 << QByteArray(R"({"vramscope": 1,
            "workload": "training",
            "model": {"norm": "rmsnorm", "gated_mlp": true, "bias": [], "learned_positions": 0,
                "vocab_size_padded": 102400},
            "hardware": {"gpus": 32, "gpus_per_node": 8},
            "parallel": {"data": 16, "tensor": 2, "pipeline": 1, "expert": 8, "expert_tensor": 1,
                "dispatcher": "allgather", "sequence": true, "strategy": "megatron-distributed-optimizer",
                "optimizer_instances": 2},
            "precision": {"regime": "megatron-bf16"},
            "optimizer": {"name": "adam", "implementation": "fused"},
            "batch": {"micro_batch": 1, "sequence_length": 4096, "accumulation_steps": 16},
            "activations": {"checkpointing": "every-k", "every": 3, "attention": "flash",
                "kernels": "megatron-te", "dropout": 0, "attention_dropout": 0, "experts": "loop"},
            "loss": "vocab-parallel-fused"})");
    QTest::newRow("vLLM")
        << u"vllm_serve.sh"_s << QByteArray() << 0
        << QByteArray(R"({"vramscope": 1, "name": "Llama 3.1 70B", "workload": "inference",
            "model": {"preset": "llama-3.1-70b"}, "hardware": {"gpus": 4},
            "parallel": {"tensor": 4},
            "inference": {"engine": "vllm", "kv_bytes_per_element": 1,
                "gpu_memory_utilization": 0.92, "max_model_len": 32768, "max_num_seqs": 128}})");
    QTest::newRow("vLLM in Python")
        << u"vllm_llm.py"_s << QByteArray() << 0
        << QByteArray(R"({"vramscope": 1, "name": "Qwen2.5 32B", "workload": "inference",
            "model": {"preset": "qwen2.5-32b"}, "hardware": {"gpus": 2}, "parallel": {"tensor": 2},
            "inference": {"engine": "vllm", "weight_format": "bf16", "max_model_len": 16384,
                "cuda_graph_bytes": 0}})");
    QTest::newRow("config.json") << u"gemma3_config.json"_s << QByteArray("gpt2") << 0
                                 << QByteArray(R"({"vramscope": 1, "model": {},
            "inference": {"weight_format": "bf16"}})");
}

void TestImport::aFileBecomesThePlanThatItDescribes()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, onto);
    QFETCH(int, gpus);
    QFETCH(QByteArray, plan);
    const Plan base = onto.isEmpty() ? Plan() : withModel(onto.constData(), gpus);
    const auto imported = importFile(base, sample(file));
    QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
    QJsonObject read =
        QJsonDocument::fromJson(QByteArray::fromStdString(planJson(imported->plan))).object();
    QJsonObject model = read["model"_L1].toObject();
    model.remove("config"_L1);
    read["model"_L1] = model;
    QCOMPARE(QJsonDocument(read).toJson(), QJsonDocument::fromJson(plan).toJson());
}

void TestImport::eachImportIsAPlanThatCanBeComputed_data()
{
    QTest::addColumn<QString>("file");
    for (const char *name :
         {"ds_zero3.json", "titan_new.toml", "megatron_gpt.sh", "megatron_moe.sh", "vllm_serve.sh",
          "vllm_llm.py", "gemma3_config.json", "axolotl_lora.yml", "axolotl_hsdp_tp.yaml",
          "axolotl_qlora_fsdp.yaml", "axolotl_zero3.yaml", "trainer_trl.sh"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TestImport::eachImportIsAPlanThatCanBeComputed()
{
    QFETCH(QString, file);
    Plan base = withModel("llama-3.1-8b");
    base.hardware.gpu = "h100-sxm-80gb";
    const auto imported = importFile(base, sample(file));
    QVERIFY(imported.ok());
    const auto again = parsePlan(planJson(imported->plan));
    QVERIFY2(again.ok(), again ? "" : again.error().detail.c_str());
    QVERIFY(*again == imported->plan);
    for (const Issue &issue : resolve(*again).issues)
        QVERIFY2(issue.severity != Issue::Severity::Blocking, issue.text.c_str());
    QVERIFY(resolve(*again).computable());
}

void TestImport::whatIsNotKnownIsNotedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("note");
    const auto row = [](const char *text, const char *note) {
        QTest::newRow(note) << QByteArray(text) << QString::fromUtf8(note);
    };
    row(R"({"zero_optimization": {"stage": 2, "new_knob": 1}})",
        "zero_optimization.new_knob: is not known to the import and is left out.");
    row(R"({"zero_optimization": {"stage": 4}})", "zero_optimization.stage: is 4; ZeRO has");
    row(R"({"zero_optimization": {"stage": "two"}})",
        "zero_optimization.stage: is \"two\", which is not a whole number");
    row(R"({"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {}})",
        "train_micro_batch_size_per_gpu: is \"auto\", which is decided elsewhere");
    row(R"({"zero_optimization": {"stage": 2}, "communication_data_type": "int8"})",
        "communication_data_type: is \"int8\"; known are fp32, fp16, bf16. It is left out.");
    row("per_device_train_batch_size: 1\ngradient_checkpointing: true\nlearning_rate: 1e-4\n",
        "learning_rate: does not bear on memory.");
    row(R"({"train_micro_batch_size_per_gpu": -3})",
        "train_micro_batch_size_per_gpu: cannot be carried over: batch.micro_batch is -3");
    row(R"({"zero_optimization": {"stage": 3, "reduce_bucket_size": 1e300}})",
        "zero_optimization.reduce_bucket_size: is 1e+300, which is not a whole number");
    row(R"({"optimizer": {"type": "Novel"}, "zero_optimization": {"stage": 1}})",
        "optimizer.type: is \"Novel\"; known are adam");
    row("[training]\nseq_len = 8192\n[parallelism]\nwarp_degree = 3\n",
        "line 4, parallelism.warp_degree: is not known");
    row("[model]\nname = \"llama3\"\nflavor = \"900B\"\n",
        "line 3, model.flavor: llama3 900B is no model");
    row("[parallelism]\ndata_parallel_replicate_degree = 2\n",
        "data_parallel_shard_degree: is not stated");
    row("[training]\ndata_parallel_shard_degree = -1\ndata_parallel_replicate_degree = 2\n",
        "line 2, training.data_parallel_shard_degree: is -1: all GPUs");
    row("[training]\ndata_parallel_shard_degree = 2\ndata_parallel_replicate_degree = 0\n",
        "line 3, training.data_parallel_replicate_degree: is out of range");
    row("[training]\nseq_len = 8\n[quantize.linear.float8]\nrecipe_name = \"rowwise\"\n",
        "quantize.linear.float8: has no effect");
    row("torchrun train.py --num-layers 2 \\\n  --hidden-size $WIDTH",
        "line 2, --hidden-size: is $WIDTH, which this text does not define");
    row("train.py --num-layers 2 --hidden-size 64 --num-attention-heads 4",
        "--vocab-size: is not stated, the tokenizer decides it");
    row("train.py --num-layers 4 --global-batch-size 64 --micro-batch-size 2",
        "line 1, --global-batch-size: is shared by data-parallel groups that are not known");
    row("vllm serve someone/unheard-of --max-model-len 4096",
        "line 1: names someone/unheard-of, which is no model");
    row("vllm serve gpt2 --max-model-len 4096 --novel", "line 1, --novel: is not known");
    row(R"({"model_type": "pegasus", "d_model": 512, "num_layers": 6})",
        ": model.config.model_type \"pegasus\" has an encoder and a decoder");
    row(R"({"model_type": "llama", "hidden_size": 64, "odd_key": 1})", "odd_key: is not known");
}

void TestImport::whatIsNotKnownIsNotedWithItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, note);
    const auto imported = importInto({}, text.toStdString());
    QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
    const QStringList notes = notesOf(*imported);
    QVERIFY2(std::ranges::any_of(notes, [&](const QString &one) { return one.startsWith(note); }),
             qPrintable(notes.join(u'\n')));
}

void TestImport::keysThatBearOnNoMemoryAreCountedInOneNote()
{
    const auto imported = importInto({}, R"({"zero_optimization": {"stage": 1},
        "steps_per_print": 10, "gradient_clipping": 1.0, "wall_clock_breakdown": false})");
    QVERIFY(imported.ok());
    QCOMPARE(notesOf(*imported).join(u'\n'),
             u": 3 settings do not bear on memory (steps_per_print and others)."_s);
}

void TestImport::parametersOnTheHostAreCarriedOver()
{
    for (const char *text :
         {R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}})",
          R"({"zero_optimization": {"stage": 3, "cpu_offload_param": true}})"}) {
        const auto imported = importInto({}, text);
        QVERIFY(imported.ok());
        QVERIFY(imported->plan.parallel.cpuOffload == true);
        QVERIFY(imported->notes.empty());
    }
}

void TestImport::drivesAreNotTheHost()
{
    for (const char *text :
         {R"({"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "nvme"}}})",
          R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "nvme",
              "nvme_path": "/mnt/disk"}}})"}) {
        Plan open;
        open.model.preset = "llama-3.1-8b";
        open.hardware.gpus = open.parallel.data = 8;
        const auto imported = importInto(open, text);
        QVERIFY(imported.ok());
        const Plan &plan = imported->plan;
        QVERIFY(plan.optimizer.offloadDevice == OffloadDevice::Nvme);
        const Estimate figures = estimate(plan);
        QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
        QVERIFY(notCounted(figures.issues).empty()); // of the headline
        const auto written = exportPlan(plan, ExportFormat::DeepSpeed);
        QVERIFY(written.ok());
        QVERIFY(written->text.find("\"device\": \"nvme\"") != std::string::npos);
    }
    const auto host = importInto({}, R"({"zero_optimization": {"stage": 3, "offload_optimizer":
        {"device": "cpu", "buffer_count": 6}}})");
    QVERIFY(!host->plan.optimizer.offloadDevice);
    QVERIFY(!host->plan.parallel.bucket.stateBuffers); // which the host has no use for
    Plan eight = withModel("llama-3.1-8b", 8);
    eight.parallel.data = 8;
    const auto sized = importInto(eight, R"({"zero_optimization": {"stage": 3, "offload_param":
        {"device": "nvme", "buffer_count": 6, "buffer_size": 2e8, "max_in_cpu": 0}}})");
    QVERIFY(sized.ok());
    const auto &bucket = sized->plan.parallel.bucket;
    QVERIFY(bucket.weightBuffers == 6 && bucket.weightBuffer == 200'000'000);
    QVERIFY(bucket.maxInCpu == 0);
    const auto written = exportPlan(sized->plan, ExportFormat::DeepSpeed);
    QVERIFY(written->text.find("\"buffer_size\": 200000000") != std::string::npos);
}

void TestImport::deepSpeedKeepsMasterWeightsInTheirType()
{
    const auto imported = importInto({}, R"({"zero_optimization": {"stage": 3}, "bf16":
        {"enabled": true, "bf16_master_weights_and_grads": true, "bf16_optimizer_states": true}})");
    QVERIFY(imported.ok());
    QVERIFY(imported->plan.precision.masterWeightBytes == 2);
    QVERIFY(imported->plan.optimizer.stateBytes == 2.0);
}

void TestImport::megatronAccumulatesFp16InItsOwnType()
{
    const std::string run = "torchrun pretrain_gpt.py --num-layers 12 --hidden-size 512 "
                            "--num-attention-heads 8 --seq-length 1024 --micro-batch-size 4 ";
    const auto bytes = [&](const std::string &options) {
        const auto imported = importInto({}, run + options);
        return imported.ok() ? imported->plan.precision.gradientBytes
                             : std::optional<std::int64_t>(0);
    };
    QVERIFY(bytes("--fp16") == 2);
    QVERIFY(!bytes("--bf16")); // 4, of the regime
    QVERIFY(!bytes("--fp16 --accumulate-allreduce-grads-in-fp32"));
    const auto experts = [&](const std::string &options) {
        return importInto({}, run + "--bf16 --num-experts 8 " + options)->plan.parallel.dispatcher;
    };
    QVERIFY(experts("") == TokenDispatcher::AllGather);
    QVERIFY(experts("--moe-token-dispatcher-type alltoall") == TokenDispatcher::AllToAll);
    const auto muon = [&](const std::string &options) {
        return importInto({}, run + "--bf16 --use-distributed-optimizer " + options)
            ->plan.optimizer.partition;
    };
    QVERIFY(!muon("--optimizer muon"));
    QVERIFY(muon("--optimizer dist_muon") == StatePartition::Tensors);
    QVERIFY(muon("--optimizer muon --no-use-layer-wise-param-layout") == StatePartition::Tensors);
}

void TestImport::everyKeyIsCarriedOverNotedOrCounted()
{
    // Each key of a file alone: what is neither noted nor counted has changed the plan.
    const std::string path = sample(u"ds_zero3.json"_s).string();
    const QJsonObject zero =
        QJsonDocument::fromJson(QByteArray::fromStdString(readSettingsText(path).value()))
            .object()["zero_optimization"_L1]
            .toObject();
    QVERIFY(zero.size() > 10);
    const auto reference = importInto({}, R"({"zero_optimization": {"stage": 3}})");
    for (auto it = zero.begin(); it != zero.end(); ++it) {
        if (it.key() == "stage"_L1 || it.key() == "offload_param"_L1)
            continue;
        const QJsonObject one{
            {"zero_optimization"_L1, QJsonObject{{"stage"_L1, 3}, {it.key(), it.value()}}}};
        const auto imported = importInto({}, QJsonDocument(one).toJson().toStdString());
        QVERIFY(imported.ok());
        const bool changed = !(imported->plan == reference->plan);
        QVERIFY2(changed || !imported->notes.empty(), qPrintable(it.key()));
    }
}

void TestImport::filesAreAppliedOntoOneAnother()
{
    const auto model = importInto({}, R"({"model_type": "llama", "hidden_size": 64,
        "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128,
        "vocab_size": 100})");
    QVERIFY(model.ok());
    const auto both = importFile(model->plan, sample(u"ds_zero3.json"_s));
    QVERIFY(both.ok());
    QVERIFY(both->plan.model == model->plan.model);
    QCOMPARE(both->plan.parallel.bucket.reduce.value(), 64 * 64);
    QCOMPARE(both->plan.parallel.bucket.persistence.value(), 640);
    QVERIFY(both->plan.parallel.strategy == Strategy::Zero3);
}

void TestImport::theDropoutOfAConfigIsCarriedOver()
{
    const auto imported = importInto({}, R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12,
        "n_head": 12, "n_positions": 1024, "vocab_size": 50257, "resid_pdrop": 0.1,
        "embd_pdrop": 0.1, "attn_pdrop": 0.2})");
    QVERIFY(imported.ok());
    QCOMPARE(imported->plan.activations.dropout.value(), 0.1);
    QCOMPARE(imported->plan.activations.attentionDropout.value(), 0.2);
}

void TestImport::theModelOfMegatronArgumentsCountsItsParameters()
{
    // DeepSeek V2 Lite as the catalogue has it.
    const auto imported = importFile({}, sample(u"megatron_moe.sh"_s));
    QVERIFY(imported.ok());
    const auto read = architectureOf(imported->plan.model);
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QCOMPARE(countParameters(*read).total, std::int64_t(15'706'484'224));
    QVERIFY2(notesOf(*imported).filter(u"--lr: "_s).isEmpty(), "harmless, whatever it is");
}

void TestImport::megatronsLocalLayersHaveOneAttention()
{
    const std::string text = "torchrun pretrain_gpt.py --num-layers 2 --hidden-size 1024 "
                             "--num-attention-heads 8 --transformer-impl local";
    const auto local = importInto({}, text.c_str());
    QVERIFY(local.ok());
    QVERIFY(local->plan.activations.kernels == Kernels::MegatronLocal);
    QVERIFY(local->plan.activations.attention == AttentionKind::Eager);
    const auto wide = importInto({}, (text + " --attention-softmax-in-fp32").c_str());
    QVERIFY(wide->plan.activations.attention == AttentionKind::EagerFp32Softmax);
}

void TestImport::deepSpeedWithoutAStageIsPlainDataParallel()
{
    const char *text = R"({"train_batch_size": 8, "train_micro_batch_size_per_gpu": 1,
        "zero_optimization": {}})";
    const auto imported = importInto(withModel("llama-3.1-8b"), text);
    QVERIFY(imported.ok());
    QVERIFY(imported->plan.parallel.strategy == Strategy::Ddp);
    QVERIFY(resolve(imported->plan).computable());
    const auto one = importInto(withModel("llama-3.1-8b"), R"({"bf16": {"enabled": true}})");
    QVERIFY(!one->plan.parallel.strategy);
    Plan sharded = withModel("llama-3.1-8b");
    sharded.parallel.strategy = Strategy::Zero3;
    QVERIFY(importInto(sharded, text)->plan.parallel.strategy == Strategy::Zero3);
}

void TestImport::lossParallelIsTorchtitansDefaultBesideTensorParallel_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("loss");
    QTest::newRow("default") << QByteArray("[parallelism]\ntensor_parallel_degree = 2\n")
                             << QByteArray("loss-parallel");
    QTest::newRow("disabled") << QByteArray("[parallelism]\ntensor_parallel_degree = 2\n"
                                            "disable_loss_parallel = true\n")
                              << QByteArray("hf-padded");
    QTest::newRow("disabled, 2024") << QByteArray("[training]\ntensor_parallel_degree = 2\n"
                                                  "disable_loss_parallel = true\n")
                                    << QByteArray("hf-padded");
    QTest::newRow("no tensor parallel")
        << QByteArray("[parallelism]\ntensor_parallel_degree = 1\n") << QByteArray("hf-padded");
}

void TestImport::lossParallelIsTorchtitansDefaultBesideTensorParallel()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, loss);
    const auto imported = importInto(withModel("llama-3.1-8b"), text.toStdString());
    QVERIFY(imported.ok());
    QCOMPARE(choiceText(resolve(imported->plan).settings.loss), loss.toStdString());
    QVERIFY(notesOf(*imported).filter(u"loss_parallel"_s).isEmpty());
}

void TestImport::float8IsOnWhereTorchtitanSwitchesItOn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("on");
    const auto row = [](const char *text, bool on) {
        QTest::newRow(text) << QByteArray(text) << on;
    };
    row("[model]\nconverters = []\n[quantize.linear.float8]\nrecipe_name = \"rowwise\"\n", false);
    row("[training]\nseq_len = 8\n[quantize.linear.float8]\nenable_fsdp_float8_all_gather = true\n",
        false);
    row("[model]\nconverters = [\"quantize.linear.float8\"]\n", true);
    row("[model]\nconverters = [\"other\", \"float8\"]\n", true);
    row("[model]\nconverters = \"float8\"\n", true);
    row("[model]\nconverters = [\"quantize.grouped_mm.float8\"]\n", false);
    row("[float8]\nenable_fp8_linear = true\n", true);
    row("[float8]\nenable_float8_linear = true\n", true);
    row("[float8]\nenable_float8_linear = false\n", false);
    row("[model]\nconverters = [\"mx\"]\n", false); // its own format
}

void TestImport::float8IsOnWhereTorchtitanSwitchesItOn()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, on);
    const auto imported = importInto({}, text.toStdString());
    QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
    QCOMPARE(imported->plan.precision.linear == LinearFormat::Fp8, on);
}

void TestImport::vllmsReadableNumbersAreCounts_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<qint64>("length");
    QTest::newRow("plain") << QByteArray("32768") << qint64(32'768);
    QTest::newRow("k") << QByteArray("32k") << qint64(32'000);
    QTest::newRow("K") << QByteArray("32K") << qint64(32'768);
    QTest::newRow("m") << QByteArray("1m") << qint64(1'000'000);
    QTest::newRow("M") << QByteArray("1M") << qint64(1'048'576);
    QTest::newRow("fraction") << QByteArray("25.6k") << qint64(25'600);
    QTest::newRow("cut off") << QByteArray("1.0019k") << qint64(1'001);  // as vLLM does
    QTest::newRow("binary fraction") << QByteArray("1.5K") << qint64(0); // vLLM refuses it too
    QTest::newRow("no number") << QByteArray("k") << qint64(0);
    QTest::newRow("no suffix") << QByteArray("32kk") << qint64(0);
    QTest::newRow("too large") << QByteArray("9e18T") << qint64(0);
}

void TestImport::vllmsReadableNumbersAreCounts()
{
    QFETCH(QByteArray, written);
    QFETCH(qint64, length);
    const auto imported =
        importInto({}, "vllm serve gpt2 --max-model-len " + written.toStdString());
    QVERIFY(imported.ok());
    QCOMPARE(qint64(imported->plan.inference.maxModelLen.value_or(0)), length);
    QCOMPARE(notesOf(*imported).filter(u"--max-model-len"_s).isEmpty(), length > 0);
}

void TestImport::aServingLineBringsItsOwnDegreesGpusAndName()
{
    Plan training = withModel("llama-3-8b", 8);
    training.hardware.gpu = "h200-sxm-141gb";
    training.parallel.data = 8;
    training.parallel.context = 2;
    training.parallel.strategy = Strategy::Fsdp2;
    auto imported =
        importInto(training, "vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8");
    QVERIFY(imported.ok());
    PlanParallel degrees;
    degrees.tensor = 8;
    QVERIFY(imported->plan.parallel == degrees);
    QCOMPARE(imported->plan.hardware.gpus, std::optional<std::int64_t>(8));
    QCOMPARE(imported->plan.name, std::optional<std::string>("DeepSeek V3 671B"));
    const Estimate fits = estimate(imported->plan);
    QVERIFY2(fits.computed && fits.fits.value_or(false), whyNotComputed(fits).c_str());

    imported = importInto(training, "vllm serve Qwen/Qwen3-30B-A3B -tp 2 -pp 2 -dp 4 -ep");
    QVERIFY(imported.ok());
    QCOMPARE(imported->plan.hardware.gpus, std::optional<std::int64_t>(16));
    QCOMPARE(imported->plan.parallel.data, std::optional<std::int64_t>(4));
    QCOMPARE(imported->plan.parallel.expert, std::optional<std::int64_t>(8));
    QVERIFY2(estimate(imported->plan).computed, whyNotComputed(estimate(imported->plan)).c_str());

    // A name that a document cannot hold would be another after saving.
    imported = importInto(training, "vllm serve meta-llama/Llama\xC2-3");
    QVERIFY(imported.ok());
    const auto saved = parsePlan(planJson(imported->plan));
    QVERIFY(saved.ok());
    QVERIFY(*saved == imported->plan);

    // Another model than the plan's is not computed as the plan's.
    imported = importInto(training, "vllm serve someone/unheard-of -tp 2");
    QVERIFY(imported.ok() && !imported->plan.model.preset);
    QCOMPARE(imported->plan.name, std::optional<std::string>("unheard-of"));
    QVERIFY(!estimate(imported->plan).computed);

    imported = importInto({}, "vllm serve openai/gpt-oss-120b --max-model-len 65536");
    QVERIFY(imported.ok());
    QCOMPARE(notesOf(*imported).filter(u"No GPU is named"_s).size(), 1);
    imported->plan.hardware.gpu = "h100-sxm-80gb";
    QVERIFY(estimate(imported->plan).fits.value_or(false));
}

void TestImport::aServingLineKeepsWhatThePublishedWeightsAreIn()
{
    const auto format = [](const char *line) {
        const auto imported = importInto({}, line);
        return imported ? resolve(imported->plan).settings.weightFormat : WeightFormat::Fp32;
    };
    QCOMPARE(format("vllm serve deepseek-ai/DeepSeek-R1"), WeightFormat::Fp8);
    QCOMPARE(format("vllm serve deepseek-ai/DeepSeek-R1 --dtype bfloat16"), WeightFormat::Fp8);
    QCOMPARE(format("vllm serve moonshotai/Kimi-K2-Instruct"), WeightFormat::Fp8);
    QCOMPARE(format("vllm serve openai/gpt-oss-20b"), WeightFormat::MxFp4);
    QCOMPARE(format("vllm serve openai/gpt-oss-20b --quantization fp8"), WeightFormat::Fp8);
    QCOMPARE(format("vllm serve Qwen/Qwen3-8B --dtype float16"), WeightFormat::Fp16);
    // A config.json says it itself, of experts alone where it is MXFP4.
    const auto config = importInto({}, R"({"model_type": "gpt_oss", "hidden_size": 2880,
        "quantization_config": {"quant_method": "mxfp4"}})");
    QVERIFY(config.ok());
    QCOMPARE(config->plan.inference.weightFormat, std::optional(WeightFormat::MxFp4));
    QVERIFY(std::ranges::count(*config->plan.inference.notConverted, "attention") == 1);
    const auto apart = importInto({}, R"({"model_type": "deepseek_v4", "hidden_size": 4096,
        "expert_dtype": "fp4", "quantization_config": {"quant_method": "fp8"}})");
    QVERIFY(apart.ok());
    QCOMPARE(apart->plan.inference.weightFormat, std::optional(WeightFormat::MxFp4));
}

void TestImport::aServingLineSaysWhatItsFeaturesChange_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *options, const char *says) {
        QTest::newRow(options) << QByteArray(options) << QString::fromUtf8(says);
    };
    row(R"(--speculative-config '{"method": "eagle3", "model": "a/b", "num_speculative_tokens": 2}')",
        "names the draft a/b, which the catalogue does not have: give its config.json");
    row(R"(--speculative-config '{"method": "medusa", "model": "a/b"}')",
        "drafts by medusa, of which plans know no weights and no cache");
    row("--speculative-config.method mtp --speculative-config.draft_tensor_parallel_size 2",
        "divides the draft by 2: vLLM divides it as it does the model");
    row("--speculative-config '{}'", "holds no setting, so nothing is speculated.");
    row("--enable-sleep-mode", "gives weights and cache back while the engine sleeps");
    row(R"(--compilation-config '{"cudagraph_capture_sizes": [1, 2]}')",
        "names CUDA graphs of its own");
    row(R"(--compilation-config '{"level": 3}')", "changes how kernels are compiled");
}

void TestImport::aServingLineSaysWhatItsFeaturesChange()
{
    QFETCH(QByteArray, options);
    QFETCH(QString, says);
    const auto imported = importInto({}, "vllm serve gpt2 " + options.toStdString());
    QVERIFY(imported.ok());
    const QStringList notes = notesOf(*imported);
    QCOMPARE(notes.filter(says).size(), 1);
    QVERIFY2(notes.filter(u"not known"_s).isEmpty(), qPrintable(notes.join(u'\n')));
    const auto none =
        importInto({}, R"(vllm serve gpt2 --compilation-config '{"cudagraph_mode": "NONE"}')");
    QCOMPARE(none->plan.inference.cudaGraphBytes, std::optional<Bytes>(0));
    const auto python = importInto(
        {},
        R"(LLM("gpt2", speculative_config={"method": "ngram", 'a': [1, 2]}, max_model_len=64))");
    QVERIFY(python.ok());
    QVERIFY(!python->plan.model.textOnly);
    const auto text = importInto({}, "vllm serve gpt2 --language-model-only --max-num-seqs 8");
    QCOMPARE(text->plan.model.textOnly, std::optional(true));
    QCOMPARE(text->plan.inference.maxNumSeqs, std::optional<std::int64_t>(8));
    const auto exported = exportPlan(text->plan, ExportFormat::Vllm);
    QVERIFY(exported->text.find("--language-model-only") != std::string::npos);
    QCOMPARE(python->plan.model.preset, std::optional<std::string>("gpt2"));
    QCOMPARE(python->plan.inference.maxModelLen, std::optional<std::int64_t>(64));
    QCOMPARE(python->plan.inference.speculative.method, std::optional(SpeculativeMethod::Ngram));
}

void TestImport::limitsOfImagesComeBackAsTheyWere()
{
    const auto imported =
        importInto({}, R"(vllm serve Qwen/Qwen2.5-VL-7B-Instruct --skip-mm-profiling )"
                       R"(--limit-mm-per-prompt '{"image": {"count": 4}, "video": 0}' )"
                       R"(--mm-processor-kwargs '{"max_pixels": 1003520}')");
    QVERIFY(imported.ok());
    const PlanMultimodal &multimodal = imported->plan.inference.multimodal;
    QCOMPARE(multimodal.images, std::optional<std::int64_t>(4));
    QCOMPARE(multimodal.videos, std::optional<std::int64_t>(0));
    QCOMPARE(multimodal.maxPixels, std::optional<std::int64_t>(1'003'520));
    QCOMPARE(multimodal.profiled, std::optional(false));
    const auto exported = exportPlan(imported->plan, ExportFormat::Vllm);
    QVERIFY(exported.ok());
    for (const char *words :
         {R"(--limit-mm-per-prompt '{"image": 4, "video": 0}')",
          R"(--mm-processor-kwargs '{"max_pixels": 1003520}')", "--skip-mm-profiling"})
        QVERIFY2(exported->text.find(words) != std::string::npos, words);
    const auto old = importInto({}, "vllm serve gpt2 --limit-mm-per-prompt image=4,video=0");
    QCOMPARE(notesOf(*old).filter(u"is not understood: state inference.multimodal.images"_s).size(),
             1);
}

void TestImport::speculationComesBackAsItWas_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char *options, const char *written) {
        QTest::newRow(options) << QByteArray(options) << QByteArray(written);
    };
    row(R"(--speculative-config '{"method": "ngram", "num_speculative_tokens": 4}')",
        R"('{"method": "ngram", "num_speculative_tokens": 4}')");
    row("--speculative-config.method qwen3_next_mtp --speculative-config.num_speculative_tokens 2",
        R"('{"method": "mtp", "num_speculative_tokens": 2}')");
    row(R"(--speculative-config '{"model": "meta-llama/Llama-3.2-1B-Instruct", "quantization": "fp8", )"
        R"("num_speculative_tokens": 3}')",
        R"('{"method": "draft_model", "num_speculative_tokens": 3, )"
        R"("model": "meta-llama/Llama-3.2-1B", "quantization": "fp8"}')");
    row("--speculative-model meta-llama/Llama-3.2-1B --num-speculative-tokens 5",
        R"('{"method": "draft_model", "num_speculative_tokens": 5, )"
        R"("model": "meta-llama/Llama-3.2-1B"}')");
}

void TestImport::speculationComesBackAsItWas()
{
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, written);
    const std::string line = "vllm serve meta-llama/Llama-3.1-8B ";
    const auto imported = importInto({}, line + options.toStdString());
    QVERIFY(imported.ok());
    QVERIFY(imported->plan.inference.speculative.method);
    QVERIFY(!imported->plan.overheads.residentBytes);
    const auto exported = exportPlan(imported->plan, ExportFormat::Vllm);
    QVERIFY(exported.ok());
    if (!options.contains("mtp")) // which Llama has no modules for
        QVERIFY2(exported->text.find("--speculative-config " + written.toStdString()) !=
                     std::string::npos,
                 exported->text.c_str());
    const auto again = importInto({}, exported->text);
    QCOMPARE(again->plan.inference.speculative, imported->plan.inference.speculative);
}

void TestImport::notesOnWhatBearsOnNoMemoryAreToldApart()
{
    const auto told = [](const char *line) {
        const auto imported = importInto({}, line);
        return std::ranges::count_if(imported->notes, namesNoMemory);
    };
    QCOMPARE(told("vllm serve gpt2 --port 1"), 1);
    QCOMPARE(told("vllm serve gpt2 --port 1 --host a"), 1);
    QCOMPARE(told(R"({"zero_optimization": {"stage": 1, "new_knob": 1}})"), 0);
}

void TestImport::theModuleThatPythonStartsIsNoSetting()
{
    const auto imported = importInto({}, "python -m vllm.entrypoints.openai.api_server "
                                         "--model gpt2 --max-model-len 1024");
    QVERIFY(imported.ok());
    QVERIFY2(notesOf(*imported).filter(u"not known"_s).isEmpty(),
             qPrintable(notesOf(*imported).join(u'\n')));
}

void TestImport::textsThatAreNoConfigSayWhatTheyAre_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("empty") << QByteArray(" \n") << QByteArray("is empty");
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95") << QByteArray("Python pickle");
    QTest::newRow("binary") << QByteArray("ab\0c", 4) << QByteArray("no text");
    QTest::newRow("JSON") << QByteArray(R"({"scripts": {"test": "x"}})")
                          << QByteArray("JSON that the import does not know");
    QTest::newRow("list") << QByteArray("[1, 2]") << QByteArray("TOML");
    QTest::newRow("cut") << QByteArray(R"({"zero_optimization": {)") << QByteArray("ends before");
    QTest::newRow("plan") << QByteArray(R"({"vramscope": 1, "model": {}})")
                          << QByteArray("a plan already");
    QTest::newRow("TOML") << QByteArray("[package]\nname = \"x\"\n")
                          << QByteArray("TOML that the import does not know");
    QTest::newRow("broken TOML") << QByteArray("[training]\nseq_len = = 3\n")
                                 << QByteArray("not TOML from line 2 on");
    QTest::newRow("TOML with a broken table")
        << QByteArray("[training]\n[>x]\n") << QByteArray("not TOML from line 2 on");
    QTest::newRow("prose") << QByteArray("Dear reader,\n") << QByteArray("text that the import");
    QTest::newRow("Python") << QByteArray("LLM(model=(1, 2))") << QByteArray("Line 1: ");
}

void TestImport::textsThatAreNoConfigSayWhatTheyAre()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto imported = importInto({}, text.toStdString());
    QVERIFY(!imported.ok());
    QVERIFY2(QByteArray::fromStdString(imported.error().detail).contains(says),
             imported.error().detail.c_str());
}

void TestImport::aLongListOfUnknownKeysStaysReadable()
{
    std::string text = R"({"zero_optimization": {"stage": 1)";
    for (int i = 0; i < 3000; ++i)
        text += ", \"key" + std::to_string(i) + "\": 1";
    const auto imported = importInto({}, text + "}}");
    QVERIFY(imported.ok());
    QCOMPARE(imported->notes.size(), std::size_t(201));
    QCOMPARE(imported->notes.back().text, std::string("2,800 more notes are not written out."));
}

void TestImport::eachKeyThatDoesNotAffectMemoryIsListedOnce()
{
    const std::set<std::string> tools = {"hf-config", "deepspeed", "torchtitan", "axolotl",
                                         "hf",        "megatron",  "vllm",       "sglang",
                                         "llama.cpp", "trt-llm",   "verl"};
    const auto table = parseCsv(shippedDocument("tools/no_memory.csv"));
    QVERIFY2(table.ok(), table ? "" : table.error().detail.c_str());
    QVERIFY(table->columns == std::vector<std::string>({"tool", "key"}));
    std::set<std::string> named, keys;
    for (const CsvRow &row : table->rows) {
        QCOMPARE(row.cells.size(), std::size_t(2));
        named.insert(row.cells[0]);
        QVERIFY2(!row.cells[1].empty() && keys.insert(row.cells[0] + ' ' + row.cells[1]).second,
                 row.cells[1].c_str());
    }
    QVERIFY2(named == tools, "a tool that no import has, or one without keys");
}

void TestImport::eachOptionOfAnEngineIsListedOnce()
{
    const std::set<std::string> takes = {"nothing", "list", "on or off"};
    const auto table = parseCsv(shippedDocument("tools/options.csv"));
    QVERIFY2(table.ok(), table ? "" : table.error().detail.c_str());
    QVERIFY(table->columns == std::vector<std::string>({"tool", "option", "takes"}));
    std::set<std::string> named, options, found;
    for (const CsvRow &row : table->rows) {
        QCOMPARE(row.cells.size(), std::size_t(3));
        named.insert(row.cells[0]);
        found.insert(row.cells[2]);
        QVERIFY2(row.cells[1].starts_with('-') &&
                     options.insert(row.cells[0] + ' ' + row.cells[1]).second,
                 row.cells[1].c_str());
    }
    QVERIFY(named == std::set<std::string>({"vllm", "sglang", "llama.cpp", "trt-llm"}));
    QVERIFY(found == takes);
}

VRAMSCOPE_TEST(TestImport)
#include "tst_import.moc"
