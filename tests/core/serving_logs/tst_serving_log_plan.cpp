// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_diagnosis.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/test.h"

#include <QDir>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

ServingLog planLog(std::string_view text)
{
    const Result<ServingLog> log = readServingLogText(text);
    return log.ok() ? *log : ServingLog{};
}

const LogDifference *rowOf(const LogComparison &comparison, std::string_view name)
{
    const auto found = std::ranges::find(comparison.rows, name, &LogDifference::name);
    return found != comparison.rows.end() ? &*found : nullptr;
}

bool tellsNot(const LogPlan &plan, std::string_view part)
{
    return std::ranges::any_of(plan.notTold, [&](const std::string &sentence) {
        return sentence.find(part) != std::string::npos;
    });
}

/// A whole budget of a model of the catalogue, made up: 14.97 GiB of weights.
const char *const kWholeLog =
    "INFO [c.py:2] Initializing a V1 LLM engine (v0.10.2) with config: "
    "model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=8192, "
    "tensor_parallel_size=1, quantization=None, kv_cache_dtype=auto\n"
    "INFO [c.py:3] Chunked prefill is enabled with max_num_batched_tokens=4096.\n"
    "INFO [w.py:1] Model loading took 14.99 GiB and 4.0 seconds\n"
    "INFO [w.py:2] Available KV cache memory: 19.00 GiB\n"
    "INFO [w.py:3] GPU KV cache size: 155,648 tokens\n"
    "INFO [w.py:4] Maximum concurrency for 8,192 tokens per request: 19.00x\n"
    "INFO [w.py:5] Graph capturing finished in 9 secs, took 0.75 GiB\n"
    "INFO [w.py:6] Free memory on device (39.00/40.00 GiB) on startup. Desired GPU memory "
    "utilization is (0.9, 36.00 GiB). Actual usage is 14.99 GiB for weight, 1.25 GiB for peak "
    "activation, 0.76 GiB for non-torch memory, and 0.75 GiB for CUDAGraph memory.\n";

/// SGLang on 40 GiB of free memory, made up.
const char *const kSglangLog =
    "[2025-12-01 10:00:00] server_args=ServerArgs(model_path='meta-llama/Llama-3.1-8B-Instruct', "
    "tokenizer_path='x', dtype='auto', quantization=None, page_size=16, "
    "mem_fraction_static=0.8, max_running_requests=None, max_total_tokens=None, "
    "chunked_prefill_size=4096, tp_size=1, disable_cuda_graph=False)\n"
    "[2025-12-01 10:00:02] Init torch distributed ends. mem usage=0.02 GB\n"
    "[2025-12-01 10:00:03] Load weight begin. avail mem=40.00 GB\n"
    "[2025-12-01 10:00:09] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail "
    "mem=25.00 GB, mem usage=15.00 GB.\n"
    "[2025-12-01 10:00:10] KV Cache is allocated. #tokens: 139264, K size: 8.50 GB, V size: 8.50 "
    "GB\n"
    "[2025-12-01 10:00:10] Memory pool end. avail mem=7.80 GB\n"
    "[2025-12-01 10:00:19] Capture cuda graph end. Time elapsed: 5.37 s. mem usage=1.50 GB. avail "
    "mem=6.30 GB.\n"
    "[2025-12-01 10:00:20] max_total_num_tokens=139264, chunked_prefill_size=4096, "
    "max_prefill_tokens=16384, max_running_requests=512, context_len=8192, "
    "available_gpu_mem=6.30 GB\n";

} // namespace

class TestServingLogPlan : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theLogSaysThePlan()
    {
        const LogPlan found = planOfServingLog(planLog(kWholeLog));
        QVERIFY(found.hasModel);
        QCOMPARE(found.plan.model.preset, std::optional<std::string>("llama-3.1-8b"));
        QCOMPARE(found.plan.inference.engine, std::optional(Engine::Vllm));
        QCOMPARE(found.plan.inference.gpuMemoryUtilization, std::optional(0.9));
        QCOMPARE(found.plan.inference.maxModelLen, std::optional<std::int64_t>(8192));
        QCOMPARE(found.plan.inference.maxNumBatchedTokens, std::optional<std::int64_t>(4096));
        QCOMPARE(found.plan.hardware.capacity, std::optional<Bytes>(Bytes(40) << 30));
        QVERIFY(tellsNot(found, "max_num_seqs"));
        QVERIFY(!tellsNot(found, "max_num_batched_tokens"));
        QVERIFY(estimate(found.plan).computed);
    }

    void everyFigureStandsBesideThePlans()
    {
        const ServingLog log = planLog(kWholeLog);
        const LogComparison rows = compareWithLog(planOfServingLog(log).plan, log);
        QVERIFY(rows.whyNot.empty());
        const LogDifference *weights = rowOf(rows, "Weights");
        QVERIFY(weights && weights->relative());
        QVERIFY(std::abs(*weights->relative()) < 0.01);
        const LogDifference *outside = rowOf(rows, "Outside PyTorch");
        QVERIFY(outside && outside->agrees()); // for it is taken from the log
        const LogDifference *graphs = rowOf(rows, "CUDA graphs");
        QVERIFY(graphs && !graphs->agrees());
        QVERIFY(!graphs->reason.empty());
        // 19 GiB hold 155,648 tokens of 128 KiB.
        QVERIFY(rowOf(rows, "Tokens of that cache")->agrees());
        QVERIFY(rowOf(rows, "Sequences at once")->agrees());
        QVERIFY(rowOf(rows, "Sequences at once")->reason.empty());
    }

    void aFormatThatAFigureBetraysIsNamed()
    {
        const auto reasonOf = [](const std::string &text, std::string_view row) {
            const ServingLog log = planLog(text);
            const LogComparison rows = compareWithLog(planOfServingLog(log).plan, log);
            const LogDifference *found = rowOf(rows, row);
            return QString::fromStdString(found ? found->reason : "no such row");
        };
        const auto changed = [](std::string text, const std::string &from, const std::string &to) {
            return text.replace(text.find(from), from.size(), to);
        };
        // Twice the tokens in as many bytes: keys and values of one byte.
        const QString cache =
            reasonOf(changed(changed(kWholeLog, "155,648", "311,296"), "19.00x", "38.00x"),
                     "Tokens of that cache");
        QVERIFY2(cache.startsWith(u"The figure is that of 8-bit keys and values within 0.0 %"_s),
                 qPrintable(cache));
        QVERIFY(cache.contains(u"inference.kv_bytes_per_element 1)"_s));
        QVERIFY(reasonOf(changed(changed(kWholeLog, "155,648", "178,000"), "19.00x", "21.73x"),
                         "Tokens of that cache")
                    .startsWith(u"The log gives no reason"_s));
        const std::string pool = changed(changed(kSglangLog, "K size: 8.50", "K size: 4.25"),
                                         "V size: 8.50", "V size: 4.25");
        QVERIFY(reasonOf(pool, "Cache of 139,264 tokens").contains(u"8-bit keys and values"_s));
        const QString weights =
            reasonOf(changed(changed(kWholeLog, "14.99 GiB and", "8.47 GiB and"),
                             "14.99 GiB for weight", "8.47 GiB for weight"),
                     "Weights");
        QVERIFY2(weights.contains(u"fp8 weights"_s), qPrintable(weights));
        QVERIFY(weights.contains(u"(inference.weight_format fp8)"_s));
        // A type that the log states is no guess.
        QVERIFY(!reasonOf(changed(changed(kWholeLog, "155,648", "311,296"), "kv_cache_dtype=auto",
                                  "kv_cache_dtype=bfloat16"),
                          "Tokens of that cache")
                     .contains(u"The figure is that of"_s));
    }

    void aReasonHoldsForItsSignAlone()
    {
        const auto reasonOf = [&](std::string weights) {
            std::string text =
                "INFO [a.py:1] non-default args: {'model': 'meta-llama/Llama-3.1-8B-Instruct', "
                "'enable_lora': True, 'max_num_batched_tokens': 4096}\n";
            text += kWholeLog;
            for (std::size_t at; (at = text.find("14.99 GiB")) != text.npos;)
                text.replace(at, 5, weights);
            const ServingLog log = planLog(text);
            return rowOf(compareWithLog(planOfServingLog(log).plan, log), "Weights")->reason;
        };
        QVERIFY(QString::fromStdString(reasonOf("15.90")).contains(u"LoRA"_s));
        QCOMPARE(QString::fromStdString(reasonOf("14.10")), u"The log gives no reason."_s);
    }

    void takingOverGivesTheCacheOfTheLog()
    {
        const ServingLog log = planLog(kWholeLog);
        const LogTakeOver taken = takeOverLog(planOfServingLog(log).plan, log);
        QCOMPARE(taken.plan.inference.activationPeakBytes,
                 std::optional<Bytes>(Bytes(1.25 * (1 << 30))));
        QCOMPARE(taken.plan.inference.cudaGraphBytes, std::optional<Bytes>(Bytes(3) << 28));
        QVERIFY(taken.plan.inference.nonTorchBytes);
        QVERIFY(!taken.plan.inference.kvCacheMemoryBytes);
        QCOMPARE(taken.taken.size(), std::size_t(3));
        const Estimate after = estimate(taken.plan);
        QVERIFY(after.inference);
        QCOMPARE(after.inference->kvCache, Bytes(19) << 30);
    }

    void graphsAreInsideTheBudgetSince021()
    {
        QString text = QString::fromLatin1(kWholeLog);
        text.replace("v0.10.2", "v0.23.0");
        text +=
            "INFO [w.py:7] CUDA graph pool memory: 0.75 GiB (actual), 0.50 GiB (estimated), x\n";
        const ServingLog log = planLog(text.toStdString());
        const LogTakeOver taken = takeOverLog(planOfServingLog(log).plan, log);
        // Half a GiB is in the budget already.
        QCOMPARE(taken.plan.inference.cudaGraphBytes, std::optional<Bytes>(Bytes(1) << 28));
        QVERIFY(budgetOf(log).graphsInside);
        QVERIFY(!budgetOf(planLog(kWholeLog)).graphsInside);
    }

    void withoutABudgetTheCacheItselfIsStated()
    {
        const ServingLog log = planLog("INFO [c.py:1] Starting to load model Qwen/Qwen3-8B...\n"
                                       "INFO [w.py:2] Available KV cache memory: 6.00 GiB\n"
                                       "INFO [w.py:4] Maximum concurrency for 8,192 tokens per "
                                       "request: 5.33x\n");
        const LogPlan plan = planOfServingLog(log);
        QVERIFY(tellsNot(plan, "memory of the GPU"));
        const LogComparison rows = compareWithLog(plan.plan, log);
        QVERIFY(rows.whyNot.empty()); // all but the cache is known
        QVERIFY(!rowOf(rows, "Cache")->planned);
        QVERIFY(rowOf(rows, "Sequences at once")->agrees());
        const LogTakeOver taken = takeOverLog(plan.plan, log);
        QCOMPARE(taken.plan.inference.kvCacheMemoryBytes, std::optional<Bytes>(Bytes(6) << 30));
        QVERIFY(!taken.plan.inference.nonTorchBytes);
    }

    void aModelThatTheCatalogueLacksIsSaidSo()
    {
        const ServingLog log =
            planLog("INFO [c.py:1] Starting to load model nobody/no-such-model...\n"
                    "Available KV cache memory: 6.00 GiB\n");
        const LogPlan plan = planOfServingLog(log);
        QVERIFY(!plan.hasModel);
        QVERIFY(tellsNot(plan, "nobody/no-such-model"));
        QVERIFY(!compareWithLog(plan.plan, log).whyNot.empty());
        // A plan that names one stands in.
        Plan given;
        given.model.preset = "qwen3-8b";
        QVERIFY(planOfServingLog(log, given).hasModel);
    }

    void whatTheLogStatesGoesBeforeThePlanAndIsSaid()
    {
        Plan given;
        given.model.preset = "qwen3-8b";
        given.inference.gpuMemoryUtilization = 0.5;
        given.inference.maxNumSeqs = 64;
        given.parallel.tensor = 8;
        const ServingLog log = planLog(
            "(Worker_TP2 pid=1) The current --gpu-memory-utilization=0.8000 is equivalent to "
            "--gpu-memory-utilization=0.7900 without CUDA graph memory profiling.\n");
        const LogPlan plan = planOfServingLog(log, given);
        QCOMPARE(plan.plan.inference.gpuMemoryUtilization, std::optional(0.8));
        QCOMPARE(plan.plan.inference.maxNumSeqs, std::optional<std::int64_t>(64));
        QCOMPARE(plan.plan.parallel.tensor, std::optional<std::int64_t>(8)); // at least 3 is 8
        QVERIFY(std::ranges::any_of(plan.settings, [](const LogPlanSetting &setting) {
            return setting.how.find("the plan had 0.5") != std::string::npos;
        }));
        // Without one, ranks up to TP2 are four.
        QCOMPARE(planOfServingLog(log).plan.parallel.tensor, std::optional<std::int64_t>(4));
    }

    void theDiagnosisSaysWhatTheFiguresSupport_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<QString>("title"); // empty: nothing is said
        const auto row = [](const char *name, const char *log, const char *title) {
            QTest::newRow(name) << QByteArray(log) << title;
        };
        row("others",
            "Free memory on device (20.00/24.00 GiB) on startup. Desired GPU memory "
            "utilization is (0.5, 12.00 GiB).\n",
            "Others use the GPU");
        row("nobody else",
            "Free memory on device (23.50/24.00 GiB) on startup. Desired GPU memory "
            "utilization is (0.5, 12.00 GiB).\n",
            "");
        row("activations", "torch peak memory increase: 2.50GiB;\n", "The profile run takes much");
        row("few activations", "torch peak memory increase: 1.50GiB;\n", "");
        row("outside", "non-torch forward increase memory: 1.50GiB;\n", "Much is outside PyTorch");
        row("graphs", "CUDA graph pool memory: 0.10 GiB (actual), 0.60 GiB (estimated), x\n",
            "The estimate of CUDA graphs is off");
        row("too long",
            "The model's max seq len (9000) is larger than the maximum number of tokens "
            "that can be stored in KV cache (4000).\n",
            "One longest sequence does not fit");
        row("hybrid", "Setting attention block size to 544 tokens to ensure x\n",
            "Blocks are large");
        row("ranks",
            "(Worker_TP0 pid=1) Available KV cache memory: 10.00 GiB\n"
            "(Worker_TP1 pid=2) Available KV cache memory: 8.00 GiB\n",
            "Ranks differ");
        row("same ranks",
            "(Worker_TP0 pid=1) Available KV cache memory: 8.01 GiB\n"
            "(Worker_TP1 pid=2) Available KV cache memory: 8.00 GiB\n",
            "");
        row("negative", "Available KV cache memory: -1.00 GiB\n", "Nothing is left for the cache");
        row("host",
            "load_tensors: offloaded 10/41 layers to GPU\nload_tensors: CUDA0 model buffer "
            "size = 1.00 MiB\n",
            "Some layers are on the host");
        row("little left",
            "max_total_num_tokens=100, chunked_prefill_size=8, available_gpu_mem=0.40 GB\n",
            "Little is left for activations");
    }

    void theDiagnosisSaysWhatTheFiguresSupport()
    {
        QFETCH(QByteArray, log);
        QFETCH(QString, title);
        const auto found = findingsOf(planLog({log.constData(), std::size_t(log.size())}));
        QStringList titles;
        for (const Finding &finding : found)
            titles << QString::fromStdString(finding.title);
        QCOMPARE(titles, title.isEmpty() ? QStringList() : QStringList(title));
    }

    void aCacheThatRanksRepeatIsSaidOfTheModel()
    {
        Plan given;
        given.model.preset = "llama-3.1-8b"; // 8 heads of keys and values
        const ServingLog log = planLog("(Worker_TP15 pid=1) Available KV cache memory: 8.00 GiB\n");
        const Plan plan = planOfServingLog(log, given).plan;
        QCOMPARE(plan.parallel.tensor, std::optional<std::int64_t>(16));
        const auto found = findingsOf(log, &plan);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].title, std::string("The cache is repeated"));
        QVERIFY(findingsOf(log).empty());
    }

    void sglangsPlanIsOfWhatWasFree()
    {
        const ServingLog log = planLog(kSglangLog);
        const LogPlan found = planOfServingLog(log);
        const PlanInference &inference = found.plan.inference;
        QCOMPARE(inference.engine, std::optional(Engine::Sglang));
        QCOMPARE(found.plan.model.preset, std::optional<std::string>("llama-3.1-8b"));
        QCOMPARE(inference.sglang.memFractionStatic, std::optional(0.8));
        QCOMPARE(inference.sglang.chunkedPrefillSize, std::optional<std::int64_t>(4096));
        QCOMPARE(inference.sglang.maxRunningRequests, std::optional<std::int64_t>(512));
        QCOMPARE(inference.sglang.pageSize, std::optional<std::int64_t>(16));
        QCOMPARE(inference.maxModelLen, std::optional<std::int64_t>(8192));
        QCOMPARE(inference.engineVersion, std::optional<std::string>("0.5.3")); // by its day
        QVERIFY(!tellsNot(found, "memory of the GPU"));
        // 0.8 of 40 GiB beside 14.96 of weights: 17.04 GiB, 128 KiB a token.
        const Estimate answer = estimate(found.plan);
        QVERIFY(answer.inference);
        QVERIFY(std::abs(answer.inference->kvTokens - 139'600) < 200);
        const LogComparison rows = compareWithLog(found.plan, log);
        QVERIFY(std::abs(*rowOf(rows, "Cache")->relative()) < 0.01);
        QVERIFY(rowOf(rows, "Cache of 139,264 tokens")->agrees());
        QVERIFY(!rowOf(rows, "CUDA graphs")->agrees());
        // A GPU that is named keeps its memory; other programs had what a context does not take.
        Plan given;
        given.hardware.gpu = "a100-sxm-40gb";
        QVERIFY(tellsNot(planOfServingLog(log, given), "more than the plan's leaves"));
        given.hardware.gpu = "l40s-48gb";
        const Plan onGpu = planOfServingLog(log, given).plan;
        QVERIFY(!onGpu.hardware.capacity);
        QVERIFY(onGpu.hardware.systemBytes.value_or(0) > 2 * kGiB);
        QCOMPARE(estimate(onGpu).inference->kvTokens, answer.inference->kvTokens);
    }

    void whatOtherProgramsHadIsInThePlan()
    {
        const auto systemOf = [](const char *free, const char *gpu) {
            Plan given;
            given.hardware.gpu = gpu;
            const std::string whole(kWholeLog);
            const ServingLog log =
                planLog(whole.substr(0, whole.find("INFO [w.py:1]")) +
                        "INFO [w.py:9] Free memory on device (" + free +
                        " GiB) on startup. Desired GPU memory utilization is (0.6, 73.01 GiB).\n");
            return planOfServingLog(log, given).plan.hardware.systemBytes;
        };
        QVERIFY(!systemOf("78.2/79.2", "h100-sxm-80gb")); // its own context
        const auto server = systemOf("59.2/79.2", "h100-sxm-80gb");
        QVERIFY(server && *server > 19 * kGiB && *server < 20 * kGiB);
        // What the system of one memory has is used as stated, however little it is.
        const auto desktop = systemOf("119.0/119.7", "gb10-128gb");
        QVERIFY(desktop && *desktop < kGiB);
    }

    void sglangsCacheIsTakenOver()
    {
        const ServingLog log = planLog(kSglangLog);
        Plan plan = planOfServingLog(log).plan;
        const LogTakeOver taken = takeOverLog(plan, log);
        QCOMPARE(taken.plan.inference.sglang.maxTotalTokens, std::optional<std::int64_t>(139'264));
        QCOMPARE(taken.plan.inference.sglang.memFractionStatic, std::optional(0.8));
        QCOMPARE(taken.plan.inference.cudaGraphBytes, std::optional<Bytes>(Bytes(3) << 29));
        QCOMPARE(estimate(taken.plan).inference->kvTokens, std::int64_t(139'264));
        plan.inference.sglang.memFractionStatic = 0.7; // too little: the fraction is raised
        const LogTakeOver raised = takeOverLog(plan, log);
        QVERIFY(*raised.plan.inference.sglang.memFractionStatic > 0.79);
        QVERIFY(*raised.plan.inference.sglang.memFractionStatic < 0.8);
        QCOMPARE(estimate(raised.plan).inference->kvTokens, std::int64_t(139'264));
    }

    void aFractionThatNobodyStatesFollowsFromTheFigures()
    {
        const LogPlan found = planOfServingLog(planLog(
            "[2025-12-01 10:00:00] Load weight end. type=LlamaForCausalLM, avail mem=25.00 GB, "
            "mem usage=15.00 GB.\n"
            "[2025-12-01 10:00:01] KV Cache is allocated. #tokens: 139264, K size: 8.50 GB, V "
            "size: 8.50 GB\n"));
        QCOMPARE(found.plan.inference.sglang.memFractionStatic, std::optional(0.8));
        QVERIFY(!tellsNot(found, "mem_fraction_static"));
        const LogPlan less = planOfServingLog(planLog(
            "[2025-12-01 10:00:00] Load weight end. type=LlamaForCausalLM, avail mem=25.00 GB, "
            "mem usage=15.00 GB.\n"));
        QVERIFY(!less.plan.inference.sglang.memFractionStatic);
        QVERIFY(tellsNot(less, "mem_fraction_static"));
    }

    void tensorRtsCacheIsAShareOfWhatIsFree()
    {
        const ServingLog log = planLog(
            "[TensorRT-LLM] TensorRT-LLM version: 0.20.0\n"
            "[TensorRT-LLM][INFO] TRTGptModel maxNumTokens: 8192\n"
            "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: "
            "total: 79.00 GiB, available: 60.00 GiB\n"
            "[TensorRT-LLM][INFO] Number of tokens per block: 32\n"
            "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 13107\n"
            "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 51.20 GiB for max tokens in paged KV "
            "cache (419424).\n");
        Plan given;
        given.model.preset = "llama-3.1-8b";
        const LogPlan found = planOfServingLog(log, given);
        QCOMPARE(found.plan.inference.engine, std::optional(Engine::TrtLlm));
        QCOMPARE(found.plan.inference.maxNumBatchedTokens, std::optional<std::int64_t>(8192));
        QCOMPARE(found.plan.inference.blockSize, std::optional<std::int64_t>(32));
        const auto fraction = found.plan.inference.trtLlm.freeGpuMemoryFraction;
        QVERIFY(fraction && std::abs(*fraction - 51.2 / 60) < 1e-4);
        QVERIFY(rowOf(compareWithLog(found.plan, log), "Cache of 419,424 tokens")->agrees());
        const Estimate after = estimate(takeOverLog(found.plan, log).plan);
        QVERIFY(after.inference->kvTokens >= 419'424);
        QVERIFY(after.inference->kvTokens < 419'424 + 1000);
    }

    void constantsOfOtherEnginesAreNotTaken()
    {
        const ServingLog log = planLog("INFO KV-cache blocks: 123449, size: 1\n");
        Plan given;
        given.model.preset = "llama-3-8b";
        const LogTakeOver taken = takeOverLog(planOfServingLog(log, given).plan, log);
        QVERIFY(taken.taken.empty());
        QCOMPARE(taken.notTaken.size(), std::size_t(1));
    }

    void kernelsThatTheLogNamesLayOutTheExperts()
    {
        const auto kernels = [](std::string_view line) {
            return planOfServingLog(planLog("INFO 01-27 00:31:44 [r.py:1] Starting to load model "
                                            "openai/gpt-oss-120b...\n" +
                                            std::string(line) +
                                            "\nINFO 01-27 00:31:59 [r.py:9] Model loading took "
                                            "64.00 GiB memory and 14 seconds\n"))
                .plan.inference.moeBackend;
        };
        QCOMPARE(kernels("INFO 01-27 00:31:44 [m.py:165] Using Triton backend"),
                 std::optional(MoeBackend::Triton));
        QCOMPARE(kernels("INFO 01-27 00:31:44 [m.py:98] Using Marlin backend"),
                 std::optional(MoeBackend::Marlin));
        QCOMPARE(kernels("INFO 01-27 00:31:44 [m.py:9] Using 'FLASHINFER_TRTLLM_MXFP4_BF16' Mxfp4 "
                         "MoE backend."),
                 std::optional(MoeBackend::FlashInferTrtLlm));
        QCOMPARE(
            kernels("INFO 01-27 00:31:44 [c.py:9] Using Flash Attention backend on V1 engine."),
            std::optional<MoeBackend>());
    }

    /// Published logs whose model is in the catalogue. Weights and what the log's cache holds have
    /// to be within 1 %, activations and the rest within 10 % where the log says what they depend
    /// on; after taking over the cache is the log's own.
    void recordedLogsOfKnownModels_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<QStringList>("apart"); // rows that differ, with a reason
        const auto row = [](const char *log, const char *preset, const char *format = "",
                            int tensor = 1, QStringList apart = {}) {
            QTest::newRow(log) << preset << format << tensor << apart;
        };
        row("vllm-0.6.4-llama31-8b-3090-20k", "llama-3.1-8b", "");
        row("vllm-0.6.4-llama31-8b-3090-29k-refused", "llama-3.1-8b");
        row("vllm-0.6.5-llama3-8b-h100", "llama-3-8b");
        row("vllm-0.7-v1-llama31-70b-w8a8", "llama-3.1-70b", "int8");
        row("vllm-0.22-qwen3-8b-24gb", "qwen3-8b");
        row("vllm-0.10.1-gptoss120b-h100-negative", "gpt-oss-120b");
        row("vllm-0.14.1-gptoss120b-h100-ansi", "gpt-oss-120b");
        row("vllm-0.7-v1-llama31-8b-int8", "llama-3.1-8b", "int8", 1, {"CUDA graphs"});
        row("two-engines-qwen3-235b-4xh100", "qwen3-235b-a22b", "fp8", 4, {"Tokens of that cache"});
        row("sglang-0.4.4-gemma3-tp", "gemma-3-4b", "", 1, {"Free beside weights and cache"});
        row("sglang-0.5.4-tp8-h200", "llama-3.1-70b", "", 8);
        row("sglang-0.5.5-b200-single", "qwen2.5-7b");
        row("sglang-mimo-swa-tp4", "mimo-v2-flash", "", 4);
        row("trtllm-0.18-llama31-8b-contextlogits", "llama-3.1-8b", "", 1, {"Peak activations"});
        row("trtllm-0.20-pytorch-llama31-fp8", "llama-3.1-8b", "fp8");
        // Of a branch in development that ran its tests in 32 bit, with a pool of states of its
        // own.
        row("vllm-0.6.4dev-bamba-2xh100", "bamba-9b-v1", "fp32", 2,
            {"Weights", "Peak activations", "Cache", "Blocks of that cache", "Sequences at once"});
    }

    void recordedLogsOfKnownModels()
    {
        const QDir folder(test::servingLogsFolder());
        if (test::servingLogsFolder().isEmpty())
            QSKIP("The folder of serving logs is not there (VRAMSCOPE_SERVING_LOGS).");
        QFETCH(QString, preset);
        QFETCH(QString, format);
        QFETCH(int, tensor);
        QFETCH(QStringList, apart);
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        const Result<ServingLog> log =
            readServingLog(folder.filePath(name + u".log"_s).toStdString());
        QVERIFY(log.ok());
        Plan given;
        given.model.preset = preset.toStdString();
        if (format == u"int8")
            given.inference.weightFormat = WeightFormat::Int8;
        if (format == u"fp32") {
            given.inference.weightFormat = WeightFormat::Fp32;
            given.inference.kvBytesPerElement = 4;
        }
        if (format == u"fp8")
            given.inference.weightFormat = WeightFormat::Fp8;
        if (tensor > 1) {
            given.parallel.tensor = tensor;
            given.hardware.gpus = tensor;
        }
        const Plan plan = planOfServingLog(*log, given).plan;
        const LogComparison rows = compareWithLog(plan, *log);
        QVERIFY2(rows.whyNot.empty(), rows.whyNot.c_str());
        QStringList differ;
        for (const LogDifference &row : rows.rows) {
            const auto relative = row.relative();
            if (!relative)
                continue;
            qInfo("%-42s %-28s %+7.2f %%  %s", qPrintable(name), row.name.c_str(), *relative * 100,
                  row.reason.c_str());
            const bool isTight =
                row.name == "Weights" || row.name == "Cache" || row.unit != LogUnit::Byte;
            if (!row.agrees() && std::abs(*relative) > (isTight ? 0.01 : 0.1)) {
                differ << QString::fromStdString(row.name);
                QVERIFY2(!row.reason.empty(), row.name.c_str());
            }
        }
        QCOMPARE(differ, apart);
        const LogTakeOver taken = takeOverLog(plan, *log);
        const LogBudget budget = budgetOf(*log);
        if (log->engine != LogEngine::Vllm || !budget.cache || *budget.cache <= 0)
            return;
        const LogComparison after = compareWithLog(taken.plan, *log);
        QVERIFY(std::abs(rowOf(after, "Cache")->relative().value_or(1)) < 0.01);
        if (const LogDifference *activations = rowOf(after, "Peak activations");
            activations && activations->logged)
            QVERIFY(activations->agrees());
    }
};

VRAMSCOPE_TEST(TestServingLogPlan)
#include "tst_serving_log_plan.moc"
