// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"
#include "core/estimate/estimate.h"
#include "core/exchange/export.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/model/towers/towers.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "tests/support/models.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>

#include <random>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestExport : public test::Test
{
    Q_OBJECT

private slots:
    void aPlanComesBackInAllThatItsFormatCanSay_data();
    void aPlanComesBackInAllThatItsFormatCanSay();
    void aTrainersFileBringsTheSameFigures_data();
    void aTrainersFileBringsTheSameFigures();
    void aFileIsAsTheToolsOwnParserReadIt_data();
    void aFileIsAsTheToolsOwnParserReadIt();
    void theAllocatorsSettingsAreAVariableToSet_data();
    void theAllocatorsSettingsAreAVariableToSet();
    void everyPresetComesBackFromItsConfig();
    void everyPresetKeepsItsParametersAsMegatronArguments();
    void aRepositoryNameFindsItsPreset();
    void whatAFormatCannotSayIsNamed();
    void fsdpBecomesTheZeroStageThatShardsTheSame_data();
    void fsdpBecomesTheZeroStageThatShardsTheSame();
    void aServingPlanIsNoTrainingConfig_data();
    void aServingPlanIsNoTrainingConfig();
    void fsdp1IsShardedByTorchtitanToo();
    void torchtitanNamesItsFloat8Converter();
    void torchtitanOfOneGpuSaysOnlyWhatItRuns();
    void aNumberIsWrittenAsItWasRead();
    void aPlanWithoutAModelIsRefused();
};

namespace {

/// Random plans of one framework each: what that tool's users write.
class PlanMaker
{
public:
    explicit PlanMaker(std::uint64_t seed)
        : m_random(seed)
    {
    }

    Plan plan(ExportFormat format)
    {
        Plan it;
        m_plan = &it;
        it.model.preset =
            test::plainModels()[std::size_t(below(int(test::plainModels().size())))].model->name;
        if (format == ExportFormat::Torchtitan)
            it.model.preset = oneOf({"llama-3.1-8b", "llama-3.1-70b", "qwen3-32b"});
        if (format == ExportFormat::Vllm)
            serving();
        else
            training(format);
        return it;
    }

    /// What is trained with transformers' Trainer and what is built on it, under all that it may
    /// say.
    Plan trainerPlan()
    {
        Plan it;
        m_plan = &it;
        it.trainer = "hf";
        it.model.preset = oneOf({"llama-3.1-8b", "qwen3-8b", "llama-3.2-1b", "mistral-7b-v0.3"});
        const std::int64_t gpus = power(5);
        always("hardware.gpus", gpus);
        always("parallel.data", gpus);
        const bool zero = below(3) == 0;
        const bool fsdp = !zero && below(2) == 0;
        always("parallel.strategy", zero       ? oneOf({"zero1", "zero2", "zero3"})
                                    : fsdp     ? oneOf({"fsdp1", "fsdp2"})
                                    : gpus > 1 ? "ddp"
                                               : "none");
        if (zero)
            buckets();
        if (fsdp)
            shards();
        set("precision.regime", zero   ? oneOf({"deepspeed-bf16", "deepspeed-fp16", "fp32"})
                                : fsdp ? oneOf({"fsdp-mixed-bf16", "fp32", "autocast-bf16"})
                                       : oneOf({"autocast-bf16", "autocast-fp16", "fp32",
                                                "pure-bf16", "megatron-bf16"}));
        set("precision.weight_bytes", std::int64_t(2 << below(2)));
        set("precision.linear", oneOf({"regime", "fp8"}));
        set("optimizer.name", oneOf({"adamw", "adam", "lion", "sgd", "sgd-momentum", "adamw-8bit",
                                     "adamw-4bit", "adafactor", "muon", "shampoo"}));
        set("optimizer.implementation", oneOf({"foreach", "fused", "for-loop", "in-backward"}));
        set("batch.micro_batch", std::int64_t(1 + below(16)));
        set("batch.sequence_length", power(14));
        set("batch.accumulation_steps", power(6));
        set("batch.no_sync", below(2) == 0);
        set("activations.checkpointing", oneOf({"none", "full", "selective-op", "every-k"}));
        set("activations.every", std::int64_t(1 + below(6)));
        set("activations.attention", oneOf({"flash", "eager", "eager-fp32-softmax"}));
        set("activations.kernels", oneOf({"eager", "fused", "compiled"}));
        set("activations.offload", below(2) == 0);
        set("loss", oneOf({"hf-padded", "hf-upcast", "linear-fused", "fused-upcast", "chunked"}));
        set("loss_chunks", power(5));
        if (below(2) == 0)
            adapters();
        return it;
    }

private:
    void buckets()
    {
        set("parallel.bucket.reduce_bucket_size", std::int64_t(1 + below(1'000'000'000)));
        set("parallel.bucket.sub_group_size", std::int64_t(1 + below(1'000'000'000)));
        set("parallel.bucket.overlap_comm", below(2) == 0);
        set("parallel.cpu_offload", below(2) == 0);
        set("optimizer.offload", below(2) == 0);
        set("precision.gradient_bytes", std::int64_t(2 << below(2)));
    }

    void shards()
    {
        set("parallel.sharding",
            oneOf({"full_shard", "shard_grad_op", "no_shard", "hybrid_shard"}));
        set("parallel.shard_group", power(3));
        set("parallel.backward_prefetch", oneOf({"pre", "post", "none"}));
        set("parallel.forward_prefetch", below(2) == 0);
        set("parallel.limit_all_gathers", below(2) == 0);
        set("parallel.use_orig_params", below(2) == 0);
        set("parallel.cpu_offload", below(2) == 0);
    }

    void adapters()
    {
        always("adapters.kind", "lora");
        always("adapters.rank", power(8));
        always("adapters.targets", below(2) == 0 ? TextList{"all-linear"} : TextList{"q", "up"});
        set("adapters.dropout", below(3) / 10.0);
        set("adapters.base_quantization",
            oneOf({"none", "nf4", "nf4-double", "int8", "fp8", "gptq-int4-g128"}));
        set("adapters.weight_bytes", std::int64_t(2 << below(2)));
    }

    int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(m_random); }
    std::string oneOf(std::initializer_list<const char *> words)
    {
        return words.begin()[below(int(words.size()))];
    }
    void set(const char *field, const FieldValue &value)
    {
        if (below(4) > 0)
            always(field, value);
    }
    void always(const char *field, const FieldValue &value)
    {
        const auto done = setField(*m_plan, *findField(field), value);
        QVERIFY2(done.ok(), done ? "" : done.error().detail.c_str());
    }
    std::int64_t power(int limit) { return std::int64_t(1) << below(limit); }

    void training(ExportFormat format)
    {
        always("parallel.data", power(5));
        set("parallel.tensor", power(4));
        set("parallel.pipeline", power(3));
        set("parallel.context", power(2));
        set("batch.micro_batch", std::int64_t(1 + below(16)));
        set("batch.accumulation_steps", power(6));
        set("optimizer.implementation", oneOf({"foreach", "fused", "for-loop", "in-backward"}));
        set("optimizer.name", oneOf({"adamw", "adam", "lion", "sgd-momentum", "adamw-8bit"}));
        set("optimizer.offload", below(2) == 0);
        set("parallel.context_exchange", oneOf({"ring", "all-gather", "ulysses"}));
        if (format == ExportFormat::DeepSpeed)
            return deepSpeed();
        set("batch.sequence_length", power(14));
        set("activations.checkpointing",
            oneOf({"none", "full", "selective-op", "selective-attention", "every-k", "block"}));
        set("activations.every", std::int64_t(1 + below(6)));
        set("activations.blocks", std::int64_t(below(20)));
        set("activations.attention", oneOf({"flash", "eager", "eager-fp32-softmax"}));
        set("activations.kernels", oneOf({"eager", "compiled", "megatron-te", "megatron-local"}));
        set("precision.linear", oneOf({"regime", "fp8", "bf16"}));
        if (format == ExportFormat::Torchtitan)
            return torchtitan();
        set("parallel.strategy", oneOf({"megatron", "megatron-distributed-optimizer", "zero1"}));
        set("parallel.virtual_stages", power(3));
        set("parallel.sequence", below(2) == 0);
        set("parallel.expert", power(3));
        set("precision.regime", oneOf({"megatron-bf16", "fp32", "fp8", "pure-bf16"}));
        set("activations.dropout", below(10) / 10.0);
        set("activations.attention_dropout", below(10) / 10.0);
        set("activations.offload", below(2) == 0);
        set("loss", oneOf({"vocab-parallel", "vocab-parallel-fused", "hf-upcast"}));
        set("parallel.optimizer_instances", power(2));
        set("activations.experts", oneOf({"grouped", "loop"}));
    }

    void deepSpeed()
    {
        set("parallel.strategy", oneOf({"ddp", "zero1", "zero2", "zero3", "fsdp2"}));
        set("precision.regime", oneOf({"deepspeed-bf16", "deepspeed-fp16", "fp32", "pure-bf16"}));
        set("precision.gradient_bytes", std::int64_t(1 + below(4)));
        set("precision.reduce_bytes", std::int64_t(1 + below(4)));
        set("parallel.bucket.reduce_bucket_size", std::int64_t(below(1'000'000'000)));
        set("parallel.bucket.prefetch_bucket_size", std::int64_t(below(1'000'000'000)));
        set("parallel.bucket.sub_group_size", std::int64_t(1 + below(1'000'000'000)));
        set("parallel.bucket.max_reuse_distance", std::int64_t(below(1'000'000'000)));
        set("parallel.bucket.overlap_comm", below(2) == 0);
        set("parallel.cpu_offload", below(2) == 0);
        set("activations.offload", below(2) == 0);
    }

    void torchtitan()
    {
        set("parallel.strategy", oneOf({"fsdp2", "ddp", "none", "fsdp1"}));
        set("parallel.sharding", oneOf({"full_shard", "shard_grad_op", "hybrid_shard"}));
        set("parallel.sequence", below(2) == 0);
        set("parallel.schedule", oneOf({"1f1b", "gpipe", "zero-bubble"}));
        set("precision.regime", oneOf({"fsdp-mixed-bf16", "autocast-bf16", "fp32"}));
        set("precision.reduce_bytes", std::int64_t(1 + below(4)));
        set("parallel.cpu_offload", below(2) == 0);
        set("loss", oneOf({"loss-parallel", "hf-padded", "hf-upcast", "cross-entropy-fp32"}));
    }

    void serving()
    {
        always("workload", "inference");
        always("inference.engine", "vllm");
        always("hardware.capacity_bytes", std::int64_t(85'029'615'043));
        set("parallel.tensor", power(4));
        set("parallel.pipeline", power(3));
        set("inference.gpu_memory_utilization", (50 + below(50)) / 100.0);
        set("inference.max_model_len", power(17));
        set("inference.max_num_seqs", power(10));
        set("inference.max_num_batched_tokens", power(14));
        set("inference.block_size", power(6));
        set("inference.kv_bytes_per_element", std::int64_t(1 + below(3)));
        set("inference.weight_format", oneOf({"bf16", "fp16", "fp8", "awq-int4-g128", "q4_k"}));
        set("inference.cuda_graph_bytes", std::int64_t(below(2)) << 30);
    }

    std::mt19937_64 m_random;
    Plan *m_plan = nullptr;
};

Plan dataParallel(Strategy strategy)
{
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    plan.parallel.strategy = strategy;
    plan.parallel.data = 8;
    return plan;
}

void state(Plan &plan, const char *field, const FieldValue &value)
{
    QVERIFY(setField(plan, *findField(field), value).ok());
}

std::string noteOf(const Exported &exported, std::string_view place)
{
    std::string text;
    for (const ImportNote &note : exported.notes)
        text += note.place == place ? note.text : "";
    return text;
}

} // namespace

void TestExport::aPlanComesBackInAllThatItsFormatCanSay_data()
{
    QTest::addColumn<int>("format");
    for (std::size_t i = 0; i < std::size_t(ExportFormat::Accelerate); ++i)
        QTest::newRow(kExportFormats[i].data()) << int(i);
}

void TestExport::aPlanComesBackInAllThatItsFormatCanSay()
{
    QFETCH(int, format);
    std::set<std::string_view> compared;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Plan plan = PlanMaker(seed).plan(ExportFormat(format));
        const auto exported = exportPlan(plan, ExportFormat(format));
        QVERIFY(exported.ok());
        const auto imported = importInto({}, exported->text);
        QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
        std::set<std::string_view> unsaid;
        for (const ImportNote &note : exported->notes)
            unsaid.insert(note.place);
        const Settings before = resolve(plan).settings;
        const Settings after = resolve(imported->plan).settings;
        for (const Field &field : planFields()) {
            const bool stated = !std::holds_alternative<std::monostate>(field.get(plan));
            if (!stated || unsaid.contains(field.path) || isOfGroup(field.path, "model") ||
                field.path == "workload")
                continue;
            compared.insert(field.path);
            if (!(effectiveValue(imported->plan, after, field) ==
                  effectiveValue(plan, before, field)))
                QFAIL(qPrintable(QStringLiteral("seed %1, %2\n%3")
                                     .arg(seed)
                                     .arg(QString::fromUtf8(field.path.text().data()),
                                          QString::fromStdString(exported->text))));
        }
    }
    QVERIFY(ExportFormat(format) == ExportFormat::HfConfig || compared.size() >= 8);
}

void TestExport::aTrainersFileBringsTheSameFigures_data()
{
    QTest::addColumn<int>("format");
    for (const auto format : {ExportFormat::Trainer, ExportFormat::Trl, ExportFormat::Axolotl})
        QTest::newRow(kExportFormats[std::size_t(format)].data()) << int(format);
}

/// What is read back makes the plan anew, but for the model, its GPUs and what a note names: then
/// every figure is the same.
void TestExport::aTrainersFileBringsTheSameFigures()
{
    QFETCH(int, format);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Plan plan = PlanMaker(seed).trainerPlan();
        plan.trainer = ExportFormat(format) == ExportFormat::Trl       ? "trl"
                       : ExportFormat(format) == ExportFormat::Axolotl ? "axolotl"
                                                                       : "hf";
        const Estimate before = estimate(plan);
        if (!before.computed)
            continue;
        const auto exported = exportPlan(plan, ExportFormat(format));
        QVERIFY(exported.ok());
        Plan base;
        base.model = plan.model;
        base.hardware = plan.hardware;
        const auto imported = importInto(base, exported->text);
        QVERIFY2(imported.ok(), imported ? "" : imported.error().detail.c_str());
        Plan read = imported->plan;
        QString notes;
        for (const ImportNote &note : exported->notes) {
            const Field &field = *findField(note.place);
            field.set(read, effectiveValue(plan, field));
            if (field.path == "precision.regime") // from which the others follow
                read.precision = plan.precision;
            notes += QString::fromStdString(note.place + ": " + note.text + '\n');
        }
        const Estimate after = estimate(read);
        QVERIFY2(after.computed, qPrintable(QString::fromStdString(exported->text)));
        const auto differs = [&](const Field &field) {
            return field.applies(*before.settings) &&
                   !(effectiveValue(plan, field) == effectiveValue(read, field));
        };
        QStringList other;
        for (const Field &field : planFields()) {
            if (differs(field))
                other << QString::fromUtf8(field.path.text().data());
        }
        if (after.peakDevice != before.peakDevice || after.atRest != before.atRest ||
            !other.isEmpty())
            QFAIL(qPrintable(
                QStringLiteral("seed %1: %2\n%3\n%4")
                    .arg(seed)
                    .arg(other.join(u' '), notes, QString::fromStdString(exported->text))));
        ++compared;
    }
    QVERIFY2(compared > 60, qPrintable(QString::number(compared)));
}

void TestExport::aFileIsAsTheToolsOwnParserReadIt_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(test::projectFile("tests/data/exports"_L1));
    for (const QString &file : folder.entryList({u"*.yaml"_s}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

/// tests/measure/verify_exports.py wrote the files, each read by the parser of its tool.
void TestExport::aFileIsAsTheToolsOwnParserReadIt()
{
    QFETCH(QString, file);
    const QStringList parts = QFileInfo(file).fileName().split(u'.');
    const QString document = QFileInfo(file).dir().filePath(parts[0] + u".vramplan"_s);
    const auto plan = readPlan(document.toStdString());
    const auto format = findExportFormat(parts[1].toStdString());
    QVERIFY(plan.ok() && format);
    const auto exported = exportPlan(*plan, *format);
    QVERIFY(exported.ok());
    QFile expected(file);
    QVERIFY(expected.open(QIODevice::ReadOnly));
    QCOMPARE(QByteArray::fromStdString(exported->text), expected.readAll());
}

void TestExport::theAllocatorsSettingsAreAVariableToSet_data()
{
    QTest::addColumn<int>("format");
    for (std::size_t i = 0; i < kExportFormats.size(); ++i)
        QTest::newRow(kExportFormats[i].data()) << int(i);
}

void TestExport::theAllocatorsSettingsAreAVariableToSet()
{
    QFETCH(int, format);
    Plan plan = dataParallel(Strategy::Fsdp2);
    plan.overheads.allocConf = "expandable_segments:True";
    const auto exported = exportPlan(plan, ExportFormat(format));
    QVERIFY(exported.ok());
    const std::string setting = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True";
    const std::string note = noteOf(*exported, "overheads.alloc_conf");
    if (ExportFormat(format) == ExportFormat::Trl) {
        QVERIFY(
            exported->text.find("env:\n  PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True'") !=
            std::string::npos);
        const auto read = importInto({}, exported->text);
        QVERIFY(read.ok());
        QCOMPARE(read->plan.overheads.allocConf, plan.overheads.allocConf);
    } else {
        QVERIFY((exported->text + note).find(setting) != std::string::npos);
    }
    plan.overheads.allocConf = "roundup_power2_divisions:[256:1,>:4]"; // which a shell would read
    const auto quoted = exportPlan(plan, ExportFormat(format));
    QVERIFY(quoted.ok());
    QVERIFY((quoted->text + noteOf(*quoted, "overheads.alloc_conf"))
                .find("'roundup_power2_divisions:[256:1,>:4]'") != std::string::npos);
    plan.overheads.allocConf = "a:1'\nrm -r .";
    QVERIFY(!exportPlan(plan, ExportFormat(format)).ok());
}

void TestExport::everyPresetComesBackFromItsConfig()
{
    for (const CatalogueShape &preset : test::plainModels()) {
        Plan plan;
        plan.model.preset = preset.model->name;
        const auto exported = exportPlan(plan, ExportFormat::HfConfig);
        QVERIFY(exported.ok() && exported->notes.empty());
        const auto imported = importInto({}, exported->text);
        QVERIFY(imported.ok());
        const auto read = architectureOf(imported->plan.model);
        QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
        QVERIFY2(*read == preset.architecture, preset.model->name.c_str());
    }
}

void TestExport::everyPresetKeepsItsParametersAsMegatronArguments()
{
    int same = 0;
    for (const CatalogueShape &preset : test::plainModels()) {
        const Architecture &it = preset.architecture;
        // Megatron's GPT has no word for these parts.
        const bool other = it.extraParameters > 0 || it.normsPerLayer != 2 || it.bias.expert ||
                           it.bias.head || it.routerCorrectionBias || it.typeVocab > 0 ||
                           it.sharedGate || it.indexHeads > 0;
        if (other)
            continue;
        Plan plan;
        plan.model.preset = preset.model->name;
        const auto exported = exportPlan(plan, ExportFormat::Megatron);
        QVERIFY(exported.ok());
        const auto imported = importInto({}, exported->text);
        QVERIFY(imported.ok());
        const auto read = architectureOf(imported->plan.model);
        QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
        // It has one kind of norm, which OLMo and DBRX differ from.
        const std::int64_t total = countParameters(it).total;
        QVERIFY2(std::abs(countParameters(*read).total - total) <= total / 10'000,
                 preset.model->name.c_str());
        ++same;
    }
    QVERIFY(same > 25);
}

void TestExport::aRepositoryNameFindsItsPreset()
{
    for (const CatalogueShape &preset : test::plainModels()) {
        const std::string repository(repositoryOf(preset.model->name));
        QVERIFY2(!repository.empty(), preset.model->name.c_str());
        QCOMPARE(findModelRepository(repository), preset.model);
    }
    const auto named = [](const char *name) {
        const CatalogueModel *preset = findModelRepository(name);
        return preset ? preset->name : std::string();
    };
    QCOMPARE(named("meta-llama/Llama-3.1-8B-Instruct"), std::string("llama-3.1-8b"));
    QCOMPARE(named("LLAMA-2-7B-CHAT-HF"), std::string("llama-2-7b"));
    QCOMPARE(named("google/gemma-3-27b-it"), std::string("gemma-3-27b"));
    QCOMPARE(named("someone/Llama-3.1-8B"), std::string());         // another's model of that name
    QCOMPARE(named("Qwen/Qwen2.5-7B-Instruct-AWQ"), std::string()); // other weights
}

void TestExport::whatAFormatCannotSayIsNamed()
{
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    plan.model.bufferBytes = 5;
    plan.parallel.strategy = Strategy::Fsdp1;
    plan.parallel.data = 8;
    plan.adapters.kind = AdapterKind::Lora;
    const auto exported = exportPlan(plan, ExportFormat::DeepSpeed);
    QVERIFY(exported.ok());
    QStringList places;
    for (const ImportNote &note : exported->notes)
        places << QString::fromStdString(note.place);
    QCOMPARE(places.join(QLatin1Char(' ')),
             QStringLiteral("model.preset model.buffer_bytes parallel.strategy "
                            "precision.regime adapters.kind"));
    QCOMPARE(exported->notes.back().text,
             std::string("is left out: there is no word for it in a DeepSpeed JSON."));
}

void TestExport::fsdpBecomesTheZeroStageThatShardsTheSame_data()
{
    QTest::addColumn<QByteArray>("sharding");
    QTest::addColumn<QByteArray>("regime");
    QTest::addColumn<QByteArray>("becomes");
    QTest::newRow("full") << QByteArray("full_shard") << QByteArray("fsdp-mixed-bf16")
                          << QByteArray("zero3");
    QTest::newRow("gradients") << QByteArray("shard_grad_op") << QByteArray("pure-bf16")
                               << QByteArray("zero2");
    QTest::newRow("hybrid") << QByteArray("hybrid_shard") << QByteArray("autocast-bf16")
                            << QByteArray("zero3");
    QTest::newRow("none") << QByteArray("no_shard") << QByteArray("fsdp-mixed-bf16")
                          << QByteArray("ddp");
}

void TestExport::fsdpBecomesTheZeroStageThatShardsTheSame()
{
    QFETCH(QByteArray, sharding);
    QFETCH(QByteArray, regime);
    QFETCH(QByteArray, becomes);
    Plan plan = dataParallel(Strategy::Fsdp1);
    state(plan, "parallel.sharding", sharding.toStdString());
    state(plan, "precision.regime", regime.toStdString());
    const auto exported = exportPlan(plan, ExportFormat::DeepSpeed);
    QVERIFY(exported.ok());
    const std::string note = noteOf(*exported, "parallel.strategy");
    QVERIFY2(note.find("ZeRO stage") != std::string::npos, note.c_str());
    QVERIFY(noteOf(*exported, "precision.regime").find("DeepSpeed") != std::string::npos);
    const auto imported = importInto({}, exported->text);
    QVERIFY(imported.ok());
    QCOMPARE(choiceText(imported->plan.parallel.strategy.value()), becomes.toStdString());
    QVERIFY(imported->plan.precision.regime == Regime::DeepSpeedBf16);
    QCOMPARE(imported->plan.parallel.data.value(), 8);
}

void TestExport::aServingPlanIsNoTrainingConfig_data()
{
    QTest::addColumn<int>("format");
    for (const auto format :
         {ExportFormat::DeepSpeed, ExportFormat::Torchtitan, ExportFormat::Megatron,
          ExportFormat::Accelerate, ExportFormat::Trainer, ExportFormat::Trl, ExportFormat::Axolotl,
          ExportFormat::LlamaFactory})
        QTest::newRow(kExportFormats[std::size_t(format)].data()) << int(format);
}

void TestExport::aServingPlanIsNoTrainingConfig()
{
    QFETCH(int, format);
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    QVERIFY(exportPlan(plan, ExportFormat(format)).ok());
    plan.workload = Workload::Inference;
    const auto exported = exportPlan(plan, ExportFormat(format));
    QVERIFY(!exported.ok());
    QVERIFY(exported.error().detail.find("inference") != std::string::npos);
    QVERIFY(exportPlan(plan, ExportFormat::HfConfig).ok());
}

void TestExport::fsdp1IsShardedByTorchtitanToo()
{
    const auto exported = exportPlan(dataParallel(Strategy::Fsdp1), ExportFormat::Torchtitan);
    QVERIFY(exported.ok());
    QVERIFY2(exported->text.find("data_parallel_shard_degree = 8") != std::string::npos,
             exported->text.c_str());
    QVERIFY(noteOf(*exported, "parallel.strategy").find("FSDP2") != std::string::npos);
    const auto imported = importInto({}, exported->text);
    QVERIFY(imported->plan.parallel.strategy == Strategy::Fsdp2);
    QCOMPARE(imported->plan.parallel.data.value(), 8);
}

void TestExport::torchtitanNamesItsFloat8Converter()
{
    Plan plan = dataParallel(Strategy::Fsdp2);
    plan.precision.linear = LinearFormat::Fp8;
    const auto exported = exportPlan(plan, ExportFormat::Torchtitan);
    QVERIFY(exported.ok());
    QVERIFY(exported->text.find("converters = [\"quantize.linear.float8\"]") != std::string::npos);
    QVERIFY(exported->text.find("enable_fp8_linear") == std::string::npos);
    QVERIFY(importInto({}, exported->text)->plan.precision.linear == LinearFormat::Fp8);
}

void TestExport::torchtitanOfOneGpuSaysOnlyWhatItRuns()
{
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.precision.reduceBytes = 4;
    const auto exported = exportPlan(plan, ExportFormat::Torchtitan);
    QVERIFY(exported.ok());
    QVERIFY(exported->text.find("mixed_precision_reduce") == std::string::npos);
    QVERIFY(exported->text.find("mixed_precision_param = \"bfloat16\"") != std::string::npos);
    const std::string note = noteOf(*exported, "precision.regime");
    QVERIFY2(note.find("autocast-bf16") != std::string::npos, note.c_str());
}

void TestExport::aNumberIsWrittenAsItWasRead()
{
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    plan.workload = Workload::Inference;
    plan.inference.gpuMemoryUtilization = 0.92;
    const auto exported = exportPlan(plan, ExportFormat::Vllm);
    QVERIFY(exported.ok());
    QVERIFY2(QByteArray::fromStdString(exported->text).contains("-utilization 0.92\n") ||
                 QByteArray::fromStdString(exported->text).contains("-utilization 0.92 "),
             exported->text.c_str());
}

void TestExport::aPlanWithoutAModelIsRefused()
{
    const auto exported = exportPlan({}, ExportFormat::Megatron);
    QVERIFY(!exported.ok());
    QVERIFY(exported.error().detail.find("model.preset") != std::string::npos);
}

VRAMSCOPE_TEST(TestExport)
#include "tst_export.moc"
