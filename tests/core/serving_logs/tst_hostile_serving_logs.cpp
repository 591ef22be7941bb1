// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_patterns.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/support/test.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <random>

using namespace vramscope;

namespace {

/// Lines of every engine, made up.
const std::string &mixedLog()
{
    static const std::string text =
        "^[[0;36m(EngineCore_DP0 pid=70)^[[0;0m INFO 01-27 00:31:59 [r.py:3905] Model loading took "
        "60.5 GiB memory and 14.38 seconds\n"
        "(APIServer pid=1) INFO [u.py:272] non-default args: {'model': 'a/b', 'max_model_len': "
        "-1}\n"
        "INFO 01-01 01:01:01 worker.py:243] Memory profiling results: total_gpu_memory=23.50GiB "
        "peak_torch_memory=17.0GiB non_torch_memory=0.30GiB kv_cache_size=3.85GiB "
        "gpu_memory_utilization=0.90\r\n"
        "[2031-10-16 09:06:22 TP5] KV Cache is allocated. #tokens: 2,795,207, K size: 53.3 GB, V "
        "size: 53.3 GB\n"
        "0.00.483.104 I print: |   - CUDA0 (RTX)   | 24126 = 23403 + (25610 = 15621 +    9152 +    "
        " 836) +      -24888 |\n"
        "llama_kv_cache: size =    1.00 MiB ( 64 cells,   1 layers,  1/1 seqs), K (bf16):    0.50 "
        "MiB, V (bf16):    0.50 MiB\n"
        "time=2031-09-14T00:22:09-07:00 msg=offload memory.required.full=\"49.9 GiB\" "
        "memory.required.kv=\"10.0 GiB\" layers.model=41 layers.offload=40 x\n"
        "Unable to warmup: (out of memory)\\nCurrently allocated     : 16.0 GiB\\nRequested : 4.5 "
        "GiB\\nFree (according to CUDA): 11.5 MiB\n"
        "CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 23.5 GiB\n"
        "Free memory on device (15.2/15.5 GiB) on startup. Desired GPU memory utilization is "
        "(0.92, "
        "14.2 GiB). Actual usage is 10.4 GiB for consumed memory (weights + non-torch), 0.7 GiB "
        "for "
        "peak activation. Replace with `--kv-cache-memory=3031561913` (2.82 GiB) to fit into "
        "requested memory, or `--kv-cache-memory=4121221120` (3.84 GiB) to fully utilize gpu\n";
    return text;
}

/// Reads and prints; what is made of it does not matter here.
std::size_t used(std::string_view text)
{
    const Result<ServingLog> log = readServingLogText(text);
    return log.ok() ? servingLogJson(*log, "x").size() + servingLogText(*log, "x").size()
                    : log.error().text().size();
}

} // namespace

class TestHostileServingLogs : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyBeginningIsRead()
    {
        QCOMPARE(readServingLogText(mixedLog())->engines.size(), std::size_t(5));
        for (std::size_t size = 0; size <= mixedLog().size(); ++size)
            QVERIFY(used(std::string_view(mixedLog()).substr(0, size)) > 0);
    }

    void plansOfChangedLogsHold()
    {
        std::mt19937 random(7);
        Plan given;
        given.model.preset = "llama-3.1-8b";
        const std::string start =
            "[2025-12-01 10:00:00] server_args=ServerArgs(mem_fraction_static=0.8, page_size=16, "
            "cuda_graph_max_bs=8, tp_size=2)\n"
            "[2025-12-01 10:00:03 TP0] Load weight begin. avail mem=40.00 GB\n"
            "[2025-12-01 10:00:09 TP0] Load weight end. type=x, avail mem=32.00 GB, mem usage=8.00 "
            "GB.\n"
            "[2025-12-01 10:00:10 TP0] KV Cache is allocated. #tokens: 139264, K size: 8.50 GB, V "
            "size: 8.50 GB\n"
            "[2025-12-01 10:00:20 TP0] max_total_num_tokens=139264, chunked_prefill_size=4096, "
            "max_prefill_tokens=16384, max_running_requests=512, context_len=8192, "
            "available_gpu_mem=6.30 GB\n";
        const auto usedWithPlan = [&](const std::string &text) {
            const Result<ServingLog> log = readServingLogText(text);
            if (!log.ok())
                return std::size_t(1);
            LogPlan plan = planOfServingLog(*log, given);
            LogComparison comparison = compareWithLog(plan.plan, *log);
            const LogTakeOver taken = takeOverLog(plan.plan, *log);
            const LogAgainstPlan against{std::move(plan), std::move(comparison), taken};
            return servingLogJson(*log, "x", &against).size() + logAgainstPlanText(against).size();
        };
        for (const std::string &whole : {start, mixedLog()}) {
            for (int change = 0; change < 120; ++change) {
                std::string text = whole;
                for (int i = 0; i <= change % 4; ++i)
                    text[random() % text.size()] = static_cast<char>(random());
                if (change % 3 == 0)
                    text.insert(random() % text.size(), std::string(random() % 20, '9'));
                QVERIFY(usedWithPlan(text) > 0);
            }
        }
    }

    void changedBytesAreRead()
    {
        std::mt19937 random(20310101);
        std::string text = mixedLog();
        for (int change = 0; change < 5000; ++change) {
            // Some changes pile up; now and then it begins anew.
            if (change % 16 == 0)
                text = mixedLog();
            const std::size_t at = random() % text.size();
            switch (random() % 4) {
            case 0:
                text[at] = static_cast<char>(random());
                break;
            case 1:
                text.erase(at, random() % 8);
                break;
            case 2:
                text.insert(at, std::string(random() % 20, "9,.-= (|\r\x1B["[random() % 10]));
                break;
            default:
                text.insert(at, text.substr(random() % text.size(), random() % 60));
            }
            // Printing takes most of the time: one in eight.
            if (change % 8 == 0)
                QVERIFY(used(text) > 0);
            else if (const Result<ServingLog> log = readServingLogText(text); log.ok())
                for (const LogFigure &figure : log->figures)
                    QVERIFY(figure.line <= log->lines && logQuantity(figure.key));
        }
    }

    void piecesOfShapesTakeNoLongTime()
    {
        // Every literal of every shape, many times on one long line.
        QElapsedTimer timer;
        timer.start();
        for (const LogPattern &pattern : logPatterns()) {
            const std::string_view anchor =
                LogPatterns::all().shape(std::size_t(&pattern - logPatterns().data())).anchor();
            for (const std::string_view gap : {"1 ", "                "}) {
                std::string line;
                while (line.size() < (std::size_t(32) << 10))
                    line.append(anchor).append(gap);
                QVERIFY(used(line) > 0);
            }
        }
        QVERIFY2(timer.elapsed() < 600'000, "quadratic?");
    }

    void aLongLineIsCutAndALongLogEnds()
    {
        const std::string far =
            std::string(std::size_t(1) << 20, 'x') + " Available KV cache memory: 3.00 GiB\n";
        QCOMPARE(readServingLogText(far).error().code, ErrorCode::NotRecognized);
        std::string many;
        for (std::size_t line = 0; line < kMostLogFigures + 500; ++line)
            many += "Available KV cache memory: 3.00 GiB\n";
        const Result<ServingLog> log = readServingLogText(many);
        QVERIFY(log.ok());
        QCOMPARE(log->figures.size(), kMostLogFigures);
        QCOMPARE(log->problems.size(), std::size_t(1));
    }

    void aLargeFileOfSomethingElseIsRefusedEarly()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("large.log"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64(10) << 30)); // sparse: it takes no room on the disk
        file.close();
        double furthest = 0;
        const Result<ServingLog> log = readServingLog(path.toStdString(), [&](double done) {
            furthest = done;
            return true;
        });
        QVERIFY(!log.ok());
        QCOMPARE(log.error().code, ErrorCode::NotRecognized);
        QVERIFY(furthest < 0.05);
    }
};

VRAMSCOPE_TEST(TestHostileServingLogs)
#include "tst_hostile_serving_logs.moc"
