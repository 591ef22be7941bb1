// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/serving_log_report.h"
#include "core/readers/file_kind.h"
#include "core/report/redacted_plan.h"
#include "core/serving_logs/log_redaction.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/compress.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <optional>
#include <random>

using namespace vramscope;

namespace {

ServingLog logOf(std::string_view text)
{
    const Result<ServingLog> log = readServingLogText(text);
    return log.ok() ? *log : ServingLog{};
}

std::optional<double> bestOf(const ServingLog &log, std::string_view key)
{
    const BestFigure *figure = log.find(key);
    return figure ? std::optional(figure->value) : std::nullopt;
}

bool holds(const ServingLog &log, std::string_view text)
{
    for (const LogCheck &check : log.checks)
        if (check.text.starts_with(text))
            return check.holds;
    return false;
}

} // namespace

#define COMPARE_BEST(log, key, expected)                                                           \
    do {                                                                                           \
        const auto found = bestOf(log, key);                                                       \
        QVERIFY2(found, key);                                                                      \
        QCOMPARE(*found, double(expected));                                                        \
    } while (false)

/// Lines as engines write them, made up for these tests.
class TestServingLog : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theBudgetOfAnEngineOnTwoRanks()
    {
        const ServingLog log = logOf(
            "(APIServer pid=1) INFO 01-01 00:00:00 [api.py:5] vLLM API server version 0.23.4\n"
            "(Worker_TP0 pid=2) INFO 01-01 00:00:01 [m.py:7] Model loading took 20.25 GiB memory "
            "and 3.5 seconds\n"
            "(Worker_TP1 pid=3) INFO 01-01 00:00:01 [m.py:7] Model loading took 20.5 GiB memory "
            "and 3.5 seconds\n"
            "(Worker_TP0 pid=2) INFO 01-01 00:00:02 [w.py:9] Available KV cache memory: 11.75 GiB\n"
            "(Worker_TP1 pid=3) INFO 01-01 00:00:02 [w.py:9] Available KV cache memory: 11.50 GiB\n"
            "(EngineCore pid=4) INFO 01-01 00:00:03 [k.py:1] GPU KV cache size: 120,000 tokens\n"
            "(EngineCore pid=4) INFO 01-01 00:00:03 [k.py:2] Maximum concurrency for 40,000 tokens "
            "per request: 3.00x\n");
        QCOMPARE(log.engine, LogEngine::Vllm);
        QCOMPARE(log.version, std::string("0.23.4"));
        COMPARE_BEST(log, "model_weights", 20.5);
        COMPARE_BEST(log, "kv_cache_memory", 11.5);
        COMPARE_BEST(log, "kv_cache_tokens", 120000);
        COMPARE_BEST(log, "max_concurrency", 3);
        QVERIFY(holds(log, "concurrency × longest sequence"));
        QCOMPARE(log.figures[1].rank, std::string("Worker_TP1"));
        QCOMPARE(log.figures[1].line, std::int64_t(3));
        QVERIFY(log.problems.empty());
        QCOMPARE(QString::fromStdString(servingLogAnswer(log)),
                 QStringLiteral("The cache has 11.5 GiB for 120,000 tokens: 3.00 sequences of "
                                "40,000 tokens at once."));
    }

    void partsThatDoNotAddUpAreSaidNotTo()
    {
        const char *const line =
            "model weights take 10.00GiB; non_torch_memory takes 0.50GiB; PyTorch activation peak "
            "memory takes 1.50GiB; the rest of the memory reserved for KV Cache is %1GiB.\n";
        const auto with = [&](const char *rest) {
            return logOf(("the current vLLM instance can use total_gpu_memory (20.00GiB) x "
                          "gpu_memory_utilization (0.90) = 18.00GiB\n" +
                          QString::fromLatin1(line).arg(rest))
                             .toStdString());
        };
        const std::string_view check = "requested - weights - non-torch - activations";
        QVERIFY(holds(with("6.00"), check));
        QVERIFY(holds(with("6.01"), check)); // as far as rounding goes
        const ServingLog wrong = with("7.00");
        QVERIFY(!wrong.checks.empty());
        QVERIFY(!holds(wrong, check));
        QVERIFY(holds(wrong, "total × utilization = requested"));
    }

    void tokensThatTheConcurrencyContradictsAreNotTold()
    {
        const ServingLog log =
            logOf("INFO [k.py:1] GPU KV cache size: 30,000 tokens\n"
                  "INFO [k.py:2] Maximum concurrency for 10,000 tokens per request: 9.50x\n");
        QVERIFY(!holds(log, "concurrency × longest sequence"));
        QVERIFY(servingLogAnswer(log).find("30,000") == std::string::npos);
        QVERIFY(servingLogAnswer(log).find("9.50 sequences") != std::string::npos);
    }

    void refusalsAreKeptWithTheirFigures()
    {
        const ServingLog log = logOf(
            "(EngineCore pid=5) ERROR [c.py:1] ValueError: To serve at least one request with the "
            "model's max seq len (50000), (6.25 GiB KV cache is needed, which is larger than the "
            "available KV cache memory (5.0 GiB). Based on the available memory, the estimated "
            "maximum model length is 40000. Try this.\n"
            "(EngineCore pid=5) ERROR [c.py:1] ValueError: To serve at least one request with the "
            "model's max seq len (50000), (6.25 GiB KV cache is needed, which is larger than the "
            "available KV cache memory (5.0 GiB). Based on the available memory, the estimated "
            "maximum model length is 40000. Try this.\n");
        QCOMPARE(log.refusals.size(), std::size_t(1));
        QCOMPARE(log.refusals[0].kind, LogRefusalKind::OneSequenceTooLong);
        QCOMPARE(log.refusals[0].count, 2);
        COMPARE_BEST(log, "needed_kv", 6.25);
        COMPARE_BEST(log, "kv_cache_memory", 5);
        COMPARE_BEST(log, "estimated_max_model_len", 40000);
        QVERIFY(servingLogAnswer(log).starts_with("The engine refused to start"));
    }

    void anOutOfMemoryOfPyTorchIsReadInAnyEngine()
    {
        const ServingLog log = logOf(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a "
            "total capacity of 23.50 GiB of which 96.25 MiB is free. Including non-PyTorch memory, "
            "this process has 23.10 GiB memory in use. Of the allocated memory 21.75 GiB is "
            "allocated by PyTorch, and 300.50 MiB is reserved by PyTorch but unallocated.\n");
        QCOMPARE(log.engine, LogEngine::Torch);
        QCOMPARE(log.refusals.size(), std::size_t(1));
        QCOMPARE(log.refusals[0].kind, LogRefusalKind::OutOfMemory);
        COMPARE_BEST(log, "oom_requested", 512);
        QCOMPARE(log.find("oom_requested")->unit, LogUnit::MiB);
        QCOMPARE(log.find("oom_free")->bytes(), Bytes(100925440));
        COMPARE_BEST(log, "oom_unallocated", 300.5);
    }

    void buffersOfOneLoadAddUpAndAnotherLoadDoesNot()
    {
        const ServingLog log =
            logOf("load_tensors: loading model tensors, this can take a while...\n"
                  "load_tensors:        CUDA0 model buffer size =   100.00 MiB\n"
                  "load_tensors:        CUDA0 model buffer size =    50.00 MiB\n"
                  "llama_context: constructing llama_context\n"
                  "llama_kv_cache:      CUDA0 KV buffer size =    30.00 MiB\n"
                  "llama_kv_cache: size =   30.00 MiB (  4096 cells,  4 layers,  1/1 seqs), K "
                  "(f16):   15.00 MiB, V (f16):   15.00 MiB\n"
                  "llama_kv_cache:      CUDA0 KV buffer size =    12.00 MiB\n"
                  "llama_kv_cache: size =   13.00 MiB (  4096 cells,  4 layers,  1/1 seqs), K "
                  "(f16):    6.50 MiB, V (f16):    6.50 MiB\n"
                  "load_tensors: loading model tensors, this can take a while...\n"
                  "load_tensors:        CUDA0 model buffer size =    20.00 MiB\n"
                  "llama_context: constructing llama_context\n"
                  "llama_kv_cache:      CUDA0 KV buffer size =     5.00 MiB\n");
        QCOMPARE(log.engine, LogEngine::LlamaCpp);
        COMPARE_BEST(log, "model_buffer:CUDA0", 150);
        COMPARE_BEST(log, "kv_buffer:CUDA0", 42);
        COMPARE_BEST(log, "kv_total", 43);
        QVERIFY(!holds(log, "buffers of the cache")); // 12 is not 13
    }

    void everyVersionOfSglangAsksToIncreaseTheStaticShare()
    {
        for (const std::string_view end : {"\n", " Current value: mem_fraction_static=0.6\n"}) {
            const ServingLog log =
                logOf("[2026-03-01 10:00:00 TP0] Load weight end. type=X, dtype=torch.bfloat16, "
                      "avail mem=3.10 GB, mem usage=18.40 GB.\n"
                      "RuntimeError: Not enough memory. Please try to increase "
                      "--mem-fraction-static." +
                      std::string(end));
            QCOMPARE(log.refusals.size(), std::size_t(1));
            QCOMPARE(log.refusals[0].kind, LogRefusalKind::StaticShareTooSmall);
            if (end.size() > 1)
                COMPARE_BEST(log, "mem_fraction_static", 0.6);
        }
    }
    void moreSequencesThanStatesAreARefusal()
    {
        const ServingLog log =
            logOf("(EngineCore pid=3) ERROR 01-01 00:00:00 [core.py:9] ValueError: max_num_seqs "
                  "(1024) exceeds available Mamba cache blocks (722). Each decode sequence "
                  "requires one Mamba cache block, so CUDA graph capture cannot proceed.\n");
        QCOMPARE(log.refusals.size(), std::size_t(1));
        QCOMPARE(log.refusals[0].kind, LogRefusalKind::TooManySequences);
        COMPARE_BEST(log, "mamba_blocks", 722);
        COMPARE_BEST(log, "sequences_wanted", 1024);
        const auto json = QByteArray::fromStdString(servingLogJson(log, "x.log"));
        QVERIFY(json.contains("\"too_many_sequences\""));
        QVERIFY(json.contains("lower --max-num-seqs"));
    }
    void llamaCppThatGoesOnDidNotRunOut()
    {
        const std::string failure =
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 421.00 MiB on device 0: "
            "cudaMalloc failed: out of memory\n"
            "ggml_gallocr_reserve_n_impl: failed to allocate buffer of size 441450496\n";
        const std::string begin = "llama_context: constructing llama_context\n"
                                  "llama_kv_cache:      CUDA0 KV buffer size =  640.00 MiB\n";
        const std::string retry = "sched_reserve: compute buffer allocation failed, retrying "
                                  "without pipeline parallelism\n";
        const std::string end = "sched_reserve:      CUDA0 compute buffer size =   408.09 MiB\n";
        const ServingLog log = logOf(begin + failure + retry + end);
        QVERIFY(log.refusals.empty());
        QVERIFY(!bestOf(log, "oom_requested"));
        COMPARE_BEST(log, "compute_buffer:CUDA0", 408.09);
        QCOMPARE(log.setting("pipeline_parallelism"),
                 std::string_view("off: its buffers did not fit"));
        QCOMPARE(logOf(begin + failure + retry + failure).refusals.size(), std::size_t(2));
        // What an earlier context ran out of stays.
        QCOMPARE(logOf(begin + failure + begin + failure + retry + end).refusals.size(),
                 std::size_t(2));
    }
    void aModelAndItsDraftAreBothCounted()
    {
        const auto load = [](const std::string &file, const std::string &layers,
                             const std::string &size, const std::string &context) {
            return "llama_model_loader: loaded meta data with 30 key-value pairs and 291 tensors "
                   "from " +
                   file +
                   " (version GGUF V3 (latest))\n"
                   "load_tensors: loading model tensors, this can take a while...\n"
                   "load_tensors: offloaded " +
                   layers + "/" + layers +
                   " layers to GPU\n"
                   "load_tensors:        CUDA0 model buffer size = " +
                   size +
                   " MiB\n"
                   "llama_context: constructing llama_context\n"
                   "llama_context: n_ctx         = " +
                   context +
                   "\n"
                   "llama_kv_cache:      CUDA0 KV buffer size =  100.00 MiB\n"
                   "sched_reserve:      CUDA0 compute buffer size =   50.00 MiB\n";
        };
        const std::string target = load("/m/big.gguf", "65", "4000.00", "8192");
        const std::string draft = "srv    load_model: loading draft model '/m/small.gguf'\n" +
                                  load("/m/small.gguf", "25", "500.00", "4096");
        for (const std::string &text : {target + draft, draft + target, target + target + draft}) {
            const ServingLog log = logOf(text);
            COMPARE_BEST(log, "model_buffer:CUDA0", 4500);
            COMPARE_BEST(log, "kv_buffer:CUDA0", 200);
            COMPARE_BEST(log, "compute_buffer:CUDA0", 100);
            COMPARE_BEST(log, "offloaded_layers", 65);
            COMPARE_BEST(log, "n_ctx", 8192);
            QCOMPARE(log.setting("model"), std::string_view("/m/big.gguf"));
            QCOMPARE(log.problems.size(), std::size_t(1));
        }
        QVERIFY(logOf(target + target).problems.empty());
        const ServingLog sglang =
            logOf("[2026-03-01 10:00:00] Load weight end. type=LlamaForCausalLM, "
                  "avail mem=60.00 GB, mem usage=15.00 GB.\n"
                  "[2026-03-01 10:00:09] Load weight end. type=LlamaForCausalLMEagle3, "
                  "avail mem=40.00 GB, mem usage=1.50 GB.\n");
        COMPARE_BEST(sglang, "weights", 16.5);
    }
    void theLastMeasurementOfAFitCounts()
    {
        const ServingLog log = logOf(
            "x_print: |   - CUDA0 (Some (R) Card) | 1000 = 900 + ( 800 = 500 + 200 + 100) + -700 "
            "|\n"
            "x_print: |   - CUDA0 (Some (R) Card) | 1000 = 900 + ( 600 = 500 +  50 +  50) + -500 "
            "|\n"
            "x_print: |   - Host                  |              70 =  40 +   0 +  30        |\n");
        COMPARE_BEST(log, "breakdown_self:CUDA0", 600);
        COMPARE_BEST(log, "breakdown_context:CUDA0", 50);
        COMPARE_BEST(log, "breakdown_compute:Host", 30);
        QVERIFY(holds(log, "total = free + self + unaccounted, CUDA0"));
    }

    void aWrappedRestIsNotKnown()
    {
        const ServingLog log = logOf("x_print: |   - CUDA0 (Card) | 1000 = 900 + ( 800 = 500 + 200 "
                                     "+ 100) + 17592186043716 |\n");
        COMPARE_BEST(log, "breakdown_self:CUDA0", 800);
        QVERIFY(!log.find("breakdown_unaccounted:CUDA0"));
    }

    void poolsOfOneRankAddUpAndRanksDoNot()
    {
        const char *const two = "[2031-01-01 00:00:00 %1] KV Cache is allocated. #tokens: %2, K "
                                "size: %3 GB, V size: %3 GB\n";
        QString text;
        for (const char *rank : {"TP0", "TP1"}) {
            text += QString::fromLatin1(two).arg(rank).arg(1000).arg("1.50");
            text += QString::fromLatin1(two).arg(rank).arg(800).arg("0.75");
        }
        COMPARE_BEST(logOf(text.toStdString()), "k_size", 2.25);
        COMPARE_BEST(logOf(text.toStdString()), "kv_tokens", 800);
        // Without ranks equal lines are those of several ranks.
        text.remove(QStringLiteral(" TP0")).remove(QStringLiteral(" TP1"));
        COMPARE_BEST(logOf(text.toStdString()), "k_size", 2.25);
    }

    void theFreeMemoryWhileGraphsAreCapturedIsTheSmallest()
    {
        const ServingLog log = logOf("Capturing batches (bs=8 avail_mem=5.50 GB):  0%|  | 0/2 "
                                     "[00:00<?, ?it/s]\rCapturing batches (bs=1 avail_mem=5.25 "
                                     "GB): 100%|##| 2/2 [00:01<00:00,  2.00it/s]\n");
        QCOMPARE(log.engine, LogEngine::Sglang);
        COMPARE_BEST(log, "avail_in_capture", 5.25);
        QCOMPARE(log.figures.size(), std::size_t(2));
    }

    void lineEndsOfWindowsAndTextInSixteenBits()
    {
        const std::string text = "Model loading took 1.25 GiB memory\r\nAvailable KV cache memory: "
                                 "2.50 GiB\r\n";
        COMPARE_BEST(logOf(text), "kv_cache_memory", 2.5);
        std::string wide = "\xFF\xFE";
        for (const char c : text)
            wide.append({c, '\0'});
        COMPARE_BEST(logOf(wide), "kv_cache_memory", 2.5);
        COMPARE_BEST(logOf(wide), "model_weights", 1.25);
    }

    void packedLogsAreRead()
    {
        QTemporaryDir folder;
        std::string text;
        for (int i = 0; i < 30000; ++i)
            text += "INFO 01-01 nothing of interest in line " + std::to_string(i) + "\n";
        text.insert(0, "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n");
        text += "INFO [w.py:2] Available KV cache memory: 17.00 GiB\n";
        const auto fileOf = [&](const char *name, const std::string &bytes) {
            QFile file(folder.filePath(QLatin1String(name)));
            if (file.open(QIODevice::WriteOnly))
                file.write(bytes.data(), qint64(bytes.size()));
            return file.fileName().toStdString();
        };
        for (const std::string &file : {fileOf("vllm.log.gz", test::gzipped(text)),
                                        fileOf("any name", test::zstandard(text))}) {
            const Result<ServingLog> log = readServingLog(file);
            QVERIFY2(log.ok(), log.ok() ? "" : log.error().text().c_str());
            COMPARE_BEST(*log, "kv_cache_memory", 17.0);
            COMPARE_BEST(*log, "model_weights", 14.99);
            QVERIFY(log->problems.empty());
            QCOMPARE(identifyFile(file), FileKind::ServingLog);
        }
        // Cut off, a long one gives what stands before and says so.
        const std::string packed = test::gzipped(text);
        const Result<ServingLog> cut =
            readServingLog(fileOf("cut.gz", packed.substr(0, packed.size() / 2)));
        QVERIFY(cut.ok());
        COMPARE_BEST(*cut, "model_weights", 14.99);
        QVERIFY(!cut->find("kv_cache_memory"));
        QCOMPARE(cut->problems.size(), std::size_t(1));
        QVERIFY(cut->problems[0].starts_with("Not all of the file was read"));
        const std::string other = fileOf("other.gz", test::gzipped("nothing of any engine\n"));
        QVERIFY(!readServingLog(other).ok());
        QCOMPARE(identifyFile(other), FileKind::Packed);
    }

    void everyBeginningAndChangeOfAPackedLogIsRead()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("x.gz")).toStdString();
        const std::string packed =
            test::gzipped("INFO [w.py:2] Available KV cache memory: 17.00 GiB\n");
        std::mt19937 random(7);
        for (std::size_t i = 0; i < 4 * packed.size(); ++i) {
            std::string bytes = packed.substr(0, i < packed.size() ? i : packed.size());
            if (i >= packed.size())
                bytes[random() % bytes.size()] ^= char(1 << (random() % 8));
            QFile out(QString::fromStdString(file));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(bytes.data(), qint64(bytes.size()));
            out.close();
            const Result<ServingLog> log = readServingLog(file);
            QVERIFY(log.ok() || !log.error().text().empty());
            (void)identifyFile(file);
        }
    }

    void namesAreTakenOutOfALogAndItsPlan()
    {
        const ServingLog log = logOf(
            "INFO [c.py:1] Starting to load model /home/alice.smith/models/secret...\n"
            "Available KV cache memory: 6.00 GiB\n"
            "ValueError: Free memory on device (10.00/24.00 GiB) on startup is less than desired "
            "GPU memory utilization (0.9, 21.60 GiB). See /home/alice.smith/run.sh\n");
        Redaction names;
        gatherNames(names, log);
        const std::string whole = servingLogJson(log, "x");
        QVERIFY(whole.find("alice") != std::string::npos);
        QVERIFY(servingLogJson(redacted(log, names), "x").find("alice") == std::string::npos);
        const LogPlan plan = planOfServingLog(log);
        LogAgainstPlan against{plan, {}, {}};
        QVERIFY(logAgainstPlanText(against).find("alice") != std::string::npos);
        against = redactedAgainst(names, std::move(against));
        QVERIFY(logAgainstPlanText(against).find("alice") == std::string::npos);
    }

    void whatIsCutGivesWhatStandsBeforeTheCut()
    {
        const std::string line =
            "Free memory on device (30.25/31.50 GiB) on startup. Desired GPU memory utilization is "
            "(0.9, 28.35 GiB). Actual usage is 12.25 GiB for weight, 1.5 GiB for peak activation, "
            "0.25 GiB for non-torch memory, and 0.5 GiB for CUDAGraph memory.";
        const ServingLog whole = logOf(line);
        COMPARE_BEST(whole, "non_torch_memory", 0.25);
        COMPARE_BEST(whole, "cuda_graphs", 0.5);
        const ServingLog cut = logOf(line.substr(0, line.find(", 0.25")));
        COMPARE_BEST(cut, "activation_peak", 1.5);
        QVERIFY(!cut.find("non_torch_memory"));
        QVERIFY(cut.problems.empty());
        // A number without its unit may be cut itself.
        const ServingLog number = logOf("# GPU blocks: 12");
        COMPARE_BEST(number, "gpu_blocks", 12);
        QCOMPARE(number.problems.size(), std::size_t(1));
        QVERIFY(number.problems[0].find("may be cut off") != std::string::npos);
        QVERIFY(logOf("# GPU blocks: 12\n").problems.empty());
    }

    void aSecondStartReplacesTheFirst()
    {
        const ServingLog log = logOf("INFO [a.py:1] vLLM API server version 0.11.0\n"
                                     "Available KV cache memory: 9.00 GiB\n"
                                     "INFO [a.py:1] vLLM API server version 0.12.0\n"
                                     "Available KV cache memory: 3.00 GiB\n"
                                     "INFO [a.py:1] vLLM API server version 0.12.0\n");
        COMPARE_BEST(log, "kv_cache_memory", 3);
        QCOMPARE(log.version, std::string("0.12.0"));
        QCOMPARE(log.starts, 2);
        QCOMPARE(log.figures.size(), std::size_t(2));
        QCOMPARE(log.problems.size(), std::size_t(1));
    }

    void settingsAreThoseThatTheLogStates()
    {
        const ServingLog log = logOf(
            "INFO [u.py:1] non-default args: {'model': 'org/some-model', 'max_model_len': 4096, "
            "'api_key': 'secret', 'tensor_parallel_size': 4}\n"
            "INFO [c.py:2] Initializing a V1 LLM engine (v0.20.1) with config: "
            "model='org/some-model', speculative_config=None, dtype=torch.bfloat16, "
            "max_seq_len=4096, quantization=awq, kv_cache_dtype=fp8\n"
            "Available KV cache memory: 3.00 GiB\n");
        QCOMPARE(log.version, std::string("0.20.1"));
        QCOMPARE(log.setting("model"), std::string_view("org/some-model"));
        QCOMPARE(log.setting("tensor_parallel_size"), std::string_view("4"));
        QCOMPARE(log.setting("quantization"), std::string_view("awq"));
        QCOMPARE(log.setting("kv_cache_dtype"), std::string_view("fp8"));
        QVERIFY(servingLogJson(log, "x").find("secret") == std::string::npos);
    }

    void aVersionThatIsNotStatedIsBoundedByTheWords()
    {
        const ServingLog old =
            logOf("model weights take 10.00GiB; non_torch_memory takes 0.50GiB\n");
        QCOMPARE(old.versionFrom, std::string("0.6.6"));
        QCOMPARE(old.versionTo, std::string("0.10.2"));
        const ServingLog recent = logOf(
            "CUDA graph memory profiling is enabled (default since v0.21.0). The current "
            "--gpu-memory-utilization=0.8000 is equivalent to --gpu-memory-utilization=0.7900 "
            "without CUDA graph memory profiling.\n");
        QCOMPARE(recent.versionFrom, std::string("0.21"));
        QVERIFY(recent.versionTo.empty());
        COMPARE_BEST(recent, "utilization_without_graphs", 0.79);
    }

    void whatIsNoneIsRefused()
    {
        for (const char *text : {"hello\nworld\n", "\n", "{\"a\": 1}", "GPU KV cache size: many"})
            QCOMPARE(readServingLogText(text).error().code, ErrorCode::NotRecognized);
        QTemporaryDir folder;
        const std::string path = folder.filePath("x.log").toStdString();
        QCOMPARE(readServingLog(path).error().code, ErrorCode::NotFound);
        QFile file(folder.filePath("x.log"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(readServingLog(path).error().code, ErrorCode::Empty);
        QCOMPARE(readServingLog(folder.path().toStdString()).error().code, ErrorCode::NotAFile);
        file.write("Available KV cache memory: 3.00 GiB\n");
        file.close();
        QVERIFY(readServingLog(path).ok());
        QCOMPARE(readServingLog(path, [](double) { return false; }).error().code,
                 ErrorCode::Cancelled);
    }

    void thePrintedFormsNameWhatTheyShow()
    {
        const ServingLog log = logOf("(Worker_TP0 pid=2) Available KV cache memory: 3.00 GiB\n");
        const QByteArray json = QByteArray::fromStdString(servingLogJson(log, "a.log"));
        QVERIFY(
            json.contains(R"("key":"kv_cache_memory","value":3,"unit":"GiB","rank":"Worker_TP0")"));
        QVERIFY(json.contains(R"("bytes":3221225472)"));
        QVERIFY(!json.contains('\n'));
        const QByteArray text = QByteArray::fromStdString(servingLogText(log, "a.log"));
        QVERIFY(text.contains("3.00 GiB"));
        QVERIFY(text.contains("budget of the key-value cache"));
    }
};

VRAMSCOPE_TEST(TestServingLog)
#include "tst_serving_log.moc"
