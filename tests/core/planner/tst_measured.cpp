// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <cmath>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The shipped rows that others published and formulas were fitted to, or that the project
/// recorded, next to what the planner says.
Validation shipped(bool recorded)
{
    std::vector<MeasuredRow> rows = shippedRows();
    std::erase_if(rows, [&](const MeasuredRow &row) {
        return isRecorded(row) != recorded || row.firstSight;
    });
    return validate(rows, shippedSetup);
}

ErrorSummary selection(const Validation &validation, std::string_view name)
{
    for (const ErrorSummary &summary : selectionSummaries(validation.rows)) {
        if (summary.name == name)
            return summary;
    }
    return {};
}

} // namespace

class TestMeasured : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void publishedFiguresAreMet_data();
    void publishedFiguresAreMet();
    void everyPublishedRowIsCompared();
    void errorsOverAllPublishedRowsStayBelowTheBars_data();
    void errorsOverAllPublishedRowsStayBelowTheBars();
    void runsMetLaterStayBelowBarsOfTheirOwn();
    void publishedReservedMemoryLiesInsideTheStatedBand();
    void componentsOfEveryMomentOfEveryShippedSetupAddUp();
};

void TestMeasured::publishedFiguresAreMet_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<double>("measured");
    QTest::addColumn<double>("percent");

    const QByteArray mistral =
        R"("model":{"preset":"mistral-7b-v0.1"},"hardware":{"gpu":"a100-sxm-80gb"},
           "precision":{"regime":"pure-bf16"},"activations":{"checkpointing":"full"})";
    const QByteArray lora = R"(,"adapters":{"kind":"lora","rank":16,"targets":["q","k","v","o"])";
    const QByteArray batch4 = R"(,"batch":{"micro_batch":4,"sequence_length":4096})";
    const QByteArray batch8 = R"(,"batch":{"micro_batch":8,"sequence_length":4096})";
    const auto fsdpLlama = [](int gpus, int batch, const char *loss) {
        return QByteArrayLiteral(
                   R"("model":{"preset":"llama-3-8b"},"hardware":{"gpu":"a100-sxm-80gb"},
            "precision":{"regime":"fsdp-mixed-bf16"},"optimizer":{"zero_grad":"before-forward"},
            "activations":{"checkpointing":"full","kernels":"fused"},"parallel":{"strategy":"fsdp1","data":)") +
               QByteArray::number(gpus) + R"(},"batch":{"sequence_length":4096,"micro_batch":)" +
               QByteArray::number(batch) + R"(},"loss":")" + loss + '"';
    };
    const auto gpt2 = [](int batch, qint64 resident) {
        return QByteArrayLiteral(R"("model":{"preset":"gpt2","buffer_bytes":12582912},
            "hardware":{"gpu":"h100-sxm-80gb"},"precision":{"regime":"fp32"},
            "activations":{"checkpointing":"keep-matmuls","attention":"eager"},
            "loss":"cross-entropy-fp32","loss_keep_logits":true,
            "overheads":{"resident_bytes":)") +
               QByteArray::number(resident) +
               R"(},"batch":{"sequence_length":1024,"micro_batch":)" + QByteArray::number(batch) +
               '}';
    };
    const auto add = [](const char *name, const QByteArray &plan, const char *figure,
                        double measured, double percent) {
        QTest::newRow(name) << QByteArray(R"({"vramscope":1,)" + plan + '}')
                            << QString::fromLatin1(figure) << measured << percent;
    };
    const char *peak = "peak.allocated";
    const char *rest = "at_rest.allocated";
    // fms-acceleration, scripts/benchmarks/refs/a100_80gb*.csv
    add("Mistral full, one GPU: the optimizer step", mistral + batch4, peak, 72434837504, 0.01);
    add("Mistral full, one GPU, at rest", mistral + batch4, rest, 43467876352, 0.01);
    add("Mistral LoRA: the loss", mistral + batch4 + lora + '}', peak, 26704571904, 0.02);
    add("Mistral LoRA, twice the batch", mistral + batch8 + lora + '}', peak, 38742912512, 0.02);
    const QByteArray quantised = lora + R"(,"base_quantization":"nf4-double"})";
    add("Mistral QLoRA at rest", mistral + batch4 + quantised, rest, 4306496512, 0.02);
    add("Mistral QLoRA", mistral + batch8 + quantised, peak, 28412178944, 0.15);
    add("Llama 3 on 2 GPUs: the step", fsdpLlama(2, 4, "fused-upcast"), peak, 80320219648, 0.01);
    // torch 2.3; today's FSDP1 has the last block's weights there, 436 MB (tests/measure).
    add("Llama 3 on 4 GPUs: the loss", fsdpLlama(4, 4, "fused-upcast"), peak, 47584840192, 1);
    add("Llama 3 on 4 GPUs at rest", fsdpLlama(4, 4, "fused-upcast"), rest, 32138562048, 0.01);
    add("Llama 3 on 4 GPUs, fused head", fsdpLlama(4, 16, "linear-fused"), peak, 60306944512, 0.1);
    // daddyofadoggy/pytorch-distributed
    add("GPT-2 at rest", gpt2(8, 0), rest, 3225702892, 0.03);
    add("GPT-2", gpt2(8, 0), peak, 16377708544, 0.07);
    add("GPT-2, four times the batch", gpt2(32, 510342144), peak, 61276684288, 0.07);
    // NVIDIA/Megatron-LM, functional tests: GPT-3 7B, tensor parallel 4
    const QByteArray megatron = R"("model":{"config":{"model_type":"gpt","num_hidden_layers":32,
        "hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,
        "intermediate_size":16384,"vocab_size":131073,"tie_word_embeddings":false},
        "norm":"layernorm","gated_mlp":false,"bias":["qkv","o","mlp"],"learned_positions":8192,
        "vocab_size_padded":131584},"hardware":{"gpu":"a100-sxm-80gb"},
        "parallel":{"strategy":"megatron-distributed-optimizer","data":2,"tensor":4},
        "precision":{"regime":"megatron-bf16"},
        "optimizer":{"name":"adam","implementation":"fused"},
        "batch":{"micro_batch":2,"sequence_length":8192,"accumulation_steps":2},
        "activations":{"kernels":"megatron-te","dropout":0.1,"attention_dropout":0.1},
        "loss":"vocab-parallel")";
    add("Megatron 7B at rest", megatron, rest, 20634103808, 0.05);
    add("Megatron 7B, first step", megatron, "first_step_peak.allocated", 51333926912, 0.3);
    add("Megatron 7B", megatron, peak, 58188115968, 0.3);
    // llm-d-planner's report on vLLM 0.19; ggml-org/llama.cpp issue 10664
    const QByteArray vllm = R"("workload":"inference","model":{"preset":"llama-3.1-8b"},
        "hardware":{"gpu":"h100-sxm-80gb"},"inference":{"engine":"vllm","engine_version":"0.19.0",
        "gpu_memory_utilization":0.95,"max_model_len":8192,"max_num_seqs":1024})";
    add("vLLM's cache", vllm, "inference.kv_cache", 62395137393, 0.05);
    add("vLLM's profile run", vllm, "inference.activation_peak", 2029372047, 0.6);
    const QByteArray llamaCpp = R"("workload":"inference","model":{"preset":"qwen2.5-1.5b"},
        "inference":{"engine":"llama.cpp","weight_format":"fp16","max_model_len":8192})";
    add("llama.cpp's cache", llamaCpp, "inference.kv_cache", 234881024, 0.0001);
    // torchtune, README.md
    add("Llama 3.2 without checkpointing",
        R"("model":{"preset":"llama-3.2-3b"},"hardware":{"gpu":"a100-sxm-80gb"},
           "precision":{"regime":"pure-bf16"},"optimizer":{"implementation":"fused"},
           "batch":{"micro_batch":2,"sequence_length":4096})",
        peak, 64424509440, 0.4);
}

void TestMeasured::publishedFiguresAreMet()
{
    QFETCH(QByteArray, plan);
    QFETCH(QString, figure);
    QFETCH(double, measured);
    QFETCH(double, percent);
    const Result<Plan> read = parsePlan(plan.toStdString());
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
    const Result<double> found = figureOf(estimate(*read), figure.toStdString());
    QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
    const double predicted = *found;
    const double error = std::abs(predicted - measured) / measured * 100;
    QVERIFY2(error <= percent,
             qPrintable(u"%1 predicted, %2 measured: %3 %"_s.arg(predicted, 0, 'f', 0)
                            .arg(measured, 0, 'f', 0)
                            .arg(error)));
}

void TestMeasured::everyPublishedRowIsCompared()
{
    const Validation published = shipped(false);
    for (const UnusableRow &row : published.unusable)
        qWarning() << row.id.c_str() << row.reason.c_str();
    QVERIFY(published.unusable.empty());
    QVERIFY(published.rows.size() >= 175);
}

void TestMeasured::errorsOverAllPublishedRowsStayBelowTheBars_data()
{
    QTest::addColumn<double>("median");
    QTest::addColumn<double>("percentile95");
    QTest::addColumn<double>("worst");
    constexpr double kAny = 1000;
    QTest::newRow("covered") << 0.1 << 2.0 << 3.0;
    QTest::newRow("all") << 0.5 << 10.0 << kAny;
    QTest::newRow("quality A") << 0.1 << 3.0 << kAny;
    QTest::newRow("quality B") << 1.0 << 8.0 << kAny;
}

void TestMeasured::errorsOverAllPublishedRowsStayBelowTheBars()
{
    QFETCH(double, median);
    QFETCH(double, percentile95);
    QFETCH(double, worst);
    const Validation published = shipped(false);
    const ErrorSummary errors = selection(published, QTest::currentDataTag());
    QVERIFY(errors.count > 0);
    const QString text = u"median %1, 95th percentile %2, worst %3 %"_s.arg(errors.median)
                             .arg(errors.percentile95)
                             .arg(errors.worst);
    QVERIFY2(errors.median <= median, qPrintable(text));
    QVERIFY2(errors.percentile95 <= percentile95, qPrintable(text));
    QVERIFY2(errors.worst <= worst, qPrintable(text));
}

void TestMeasured::runsMetLaterStayBelowBarsOfTheirOwn()
{
    std::vector<MeasuredRow> rows = shippedRows();
    std::erase_if(rows, [](const MeasuredRow &row) { return !row.firstSight; });
    const FirstSightSummary all = firstSightSummaries(validate(rows, shippedSetup).rows).front();
    const QString text =
        u"median %1, 95th percentile %2 %"_s.arg(all.today.median).arg(all.today.percentile95);
    QVERIFY(all.today.count >= 212);
    QVERIFY2(all.today.median <= 2.4 && all.today.percentile95 <= 27, qPrintable(text));
    QVERIFY2(all.today.median <= all.then.median, qPrintable(text)); // no worse than at first sight
}

void TestMeasured::publishedReservedMemoryLiesInsideTheStatedBand()
{
    const Validation published = shipped(false);
    const BandSummary band = bandSummary(published.rows);
    QVERIFY(band.count > 0);
    // Two compiled runs of torchao's tutorial reserved no more than these formulas have allocated.
    QVERIFY2(band.sharePercent() >= 93 && band.medianHalfWidthPercent() <= 25,
             qPrintable(u"%1 % inside, half of them within ± %2 %"_s.arg(band.sharePercent())
                            .arg(band.medianHalfWidthPercent())));
}

void TestMeasured::componentsOfEveryMomentOfEveryShippedSetupAddUp()
{
    std::set<std::string> setups;
    for (const MeasuredRow &row : shippedRows())
        setups.insert(row.setup);
    QVERIFY(setups.size() > 200);
    for (const std::string &setup : setups) {
        const QString file = QString::fromStdString(setup);
        const Result<Plan> plan = shippedSetup(setup);
        QVERIFY2(plan.ok(), qPrintable(file));
        const Estimate result = estimate(*plan);
        QVERIFY2(result.computed, qPrintable(file));
        QVERIFY(!result.moments.empty());
        for (const Moment &moment : result.moments) {
            Bytes sum = 0;
            for (const Component &component : moment.components)
                sum += component.bytes;
            QVERIFY2(sum == moment.allocated, qPrintable(file + u": "_s + moment.name.c_str()));
        }
        QCOMPARE(result.moments[result.peakMoment].allocated, result.peakAllocated);
    }
}

VRAMSCOPE_TEST(TestMeasured)
#include "tst_measured.moc"
